package import LeapGrammar
import LeapJSON

/// One MaskBench file through the grammar: does the schema compile, are its instances judged rightly, how long do masks
/// take.
package enum SchemaBench {
    /// One line of output.
    package struct Row: Sendable {
        package struct Test: Sendable {
            package var valid: Bool
            package var accepted: Bool
            package var tokens: Int
            package var masks: [Double]
        }

        package var file: String
        package var compiled: Bool
        /// The time of compiling, in microseconds.
        package var compileTime: Double
        package var error: GrammarError?
        package var tests: [Test] = []

        /// True if every instance was judged rightly.
        package var isRight: Bool { compiled && tests.allSatisfy { $0.valid == $0.accepted } }

        /// The JSON line.
        package var json: String {
            func number(_ value: Double) -> String { "\(Double(Int(value * 10 + 0.5)) / 10)" }
            var line =
                "{\"file\":\(JSONWriter.quoted(file)),\"compiled\":\(compiled),\"compile_us\":\(number(compileTime))"
            if let error {
                line +=
                    ",\"error\":{\"pointer\":\(JSONWriter.quoted(error.pointer)),\"reason\":\(JSONWriter.quoted(error.reason))}"
            }
            line += ",\"tests\":["
            line += tests.map { test in
                let mean = test.masks.isEmpty ? 0 : test.masks.reduce(0, +) / Double(test.masks.count)
                return "{\"valid\":\(test.valid),\"accepted\":\(test.accepted),\"tokens\":\(test.tokens),"
                    + "\"mask_us_mean\":\(number(mean)),\"mask_us_max\":\(number(test.masks.max() ?? 0))}"
            }.joined(separator: ",")
            line += "],\"mask_us\":["
            line += tests.filter(\.valid).flatMap(\.masks).map(number).joined(separator: ",")
            return line + "]}"
        }
    }

    /// Runs one file.
    ///
    /// Instances are judged token by token: each must be in the mask of the tokens before it. Valid ones are also
    /// walked byte by byte and in a coarse and a fine other tokenisation, so that no spelling of a valid instance by
    /// tokens is left out.
    ///
    /// - Parameters:
    ///   - name: The file's name, for the row.
    ///   - bytes: Its content: `schema` and `tests` with `valid` and `data`.
    ///   - options: How to compile. Documents come in any order of keys, so `.any` is the right order here.
    ///   - encode: The tokens that the model's tokenizer chooses for a text.
    package static func run(
        name: String, bytes: [UInt8], vocabulary: VocabularyIndex,
        options: GrammarOptions = GrammarOptions(propertyOrder: .any), encode: ([UInt8]) -> [Int32]
    ) -> Row {
        let clock = ContinuousClock()
        var row = Row(file: name, compiled: false, compileTime: 0)
        let file: JSONValue
        do throws(GrammarError) { file = try JSONValue(schemaText: bytes) } catch {
            row.error = error
            return row
        }
        guard let schema = file.object?["schema"], let tests = file.object?["tests"]?.array else {
            row.error = GrammarError(.invalidJSON, "the file has no \"schema\" and \"tests\"")
            return row
        }
        let text = JSONWriter.bytes(schema, style: .python)
        let start = clock.now
        let result: Result<CompiledGrammar, GrammarError>
        do throws(GrammarError) {
            result = .success(try CompiledGrammar.jsonSchema(utf8: text, options: options))
        } catch { result = .failure(error) }
        let compiled = clock.now - start
        row.compileTime = microseconds(compiled)
        switch result {
        case .failure(let error): row.error = error
        case .success(let grammar):
            row.compiled = true
            for test in tests {
                guard let data = test.object?["data"], let valid = test.object?["valid"]?.bool else { continue }
                row.tests.append(
                    judge(grammar, vocabulary, JSONWriter.bytes(data, style: .python), valid: valid, encode: encode))
            }
        }
        return row
    }

    private static func microseconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) * 1e6 + Double(duration.components.attoseconds) * 1e-12
    }

    private static func judge(
        _ grammar: CompiledGrammar, _ vocabulary: VocabularyIndex, _ text: [UInt8], valid: Bool,
        encode: ([UInt8]) -> [Int32]
    ) -> Row.Test {
        let clock = ContinuousClock()
        let tokens = encode(text)
        let matcher = grammar.matcher(vocabulary: vocabulary)
        var test = Row.Test(valid: valid, accepted: true, tokens: tokens.count, masks: [])
        var mask = [UInt64](repeating: 0, count: vocabulary.maskWordCount)
        mask.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            for token in tokens {
                let start = clock.now
                matcher.computeMask(into: base)
                test.masks.append(microseconds(clock.now - start))
                if base[Int(token) >> 6] >> UInt64(token & 63) & 1 == 0 || !matcher.accept(token) {
                    test.accepted = false
                    break
                }
            }
        }
        test.accepted = test.accepted && matcher.isAccepting
        // Bytes decide as well: a text is in the language or not, however it is cut.
        let byBytes = grammar.matcher(vocabulary: vocabulary)
        let acceptedBytes = byBytes.accept(bytes: text) && byBytes.isAccepting
        if valid {
            test.accepted =
                test.accepted && acceptedBytes && walk(grammar, vocabulary, text, longest: true)
                && walk(grammar, vocabulary, text, longest: false)
        } else {
            test.accepted = test.accepted || acceptedBytes
        }
        return test
    }

    /// Another tokenisation, left to right: always the longest token, or the shortest.
    private static func walk(
        _ grammar: CompiledGrammar, _ vocabulary: VocabularyIndex, _ text: [UInt8], longest: Bool
    ) -> Bool {
        let matcher = grammar.matcher(vocabulary: vocabulary)
        var position = 0
        while position < text.count {
            guard let found = vocabulary.firstToken(of: text[position...], longest: longest) else { return true }
            let mask = matcher.mask()
            if mask[Int(found.token) >> 6] >> UInt64(found.token & 63) & 1 == 0 || !matcher.accept(found.token) {
                return false
            }
            position += found.length
        }
        return matcher.isAccepting
    }
}

package import LeapJSON
import LeapModel
package import LeapTokenizer

/// `logitBias` of the extras: what is added to the logits of tokens.
///
/// OpenAI's form is an object of token numbers, llama.cpp's a list of pairs whose first member is a number or a text,
/// all of whose tokens are meant. `false` never lets a token come.
package struct LogitBias: Sendable, Hashable {
    /// The largest number of entries.
    package static let maximumCount = 1024

    private enum Key: Sendable, Hashable, Codable {
        case token(Int)
        case text(String)
    }

    private var entries: [Key: Float] = [:]

    /// Makes a set without biases.
    package init() {}

    package static let expected =
        "an object of at most \(maximumCount) token numbers with biases from -100 to 100, or a list of pairs [token or text, bias or false]"

    /// Reads the value; nil for anything that is none.
    package init?(_ value: JSONValue) {
        let pairs: [(key: Key?, bias: JSONValue)]
        switch value {
        case .object(let object): pairs = object.members.map { (Int($0.key).map { .token($0) }, $0.value) }
        case .array(let array):
            pairs = array.map { pair in
                guard let pair = pair.array, pair.count == 2 else { return (nil, .null) }
                return (pair[0].integer.map { .token($0) } ?? pair[0].string.map { .text($0) }, pair[1])
            }
        default: return nil
        }
        guard pairs.count <= Self.maximumCount else { return nil }
        for (key, bias) in pairs {
            guard let key, let number = bias == .bool(false) ? -.infinity : bias.double.map(Float.init),
                Self.isBias(number)
            else { return nil }
            entries[key] = number
        }
    }

    private static func isBias(_ number: Float) -> Bool { (-100...100).contains(number) || number == -.infinity }

    /// The biases by token.
    ///
    /// - Throws: ``LeapGenerationException`` for a token that the vocabulary has not.
    package func tokens(_ tokenizer: Tokenizer) throws -> [TokenID: Float] {
        var tokens: [TokenID: Float] = [:]
        for (key, bias) in entries {
            switch key {
            case .token(let token):
                guard (0..<tokenizer.vocabularySize).contains(token) else {
                    throw LeapGenerationException(
                        "'logitBias' in the extras names the token \(token); the vocabulary has 0 to \(tokenizer.vocabularySize - 1)"
                    )
                }
                tokens[TokenID(token), default: 0] += bias
            case .text(let text):
                for token in tokenizer.encode(text, addSpecial: false, parseSpecial: true) {
                    tokens[token, default: 0] += bias
                }
            }
        }
        return tokens
    }
}

extension LogitBias: Codable {
    /// A bias as it goes to another process: its value as bits, as JSON has no infinity.
    private struct CodedBias: Codable {
        var key: Key
        var bits: UInt32
    }

    /// Reads what another process wrote.
    ///
    /// - Throws: `DecodingError` for too many entries, and for a bias that is none.
    package init(from decoder: any Decoder) throws {
        let read = try [CodedBias](from: decoder)
        for entry in read { entries[entry.key] = Float(bitPattern: entry.bits) }
        guard read.count <= Self.maximumCount, entries.values.allSatisfy(Self.isBias) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "expected \(Self.expected)"))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        try entries.map { CodedBias(key: $0.key, bits: $0.value.bitPattern) }.encode(to: encoder)
    }
}

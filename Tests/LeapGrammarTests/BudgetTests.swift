import LeapJSON
import Testing

@testable import LeapGrammar

/// The number of tokens that an answer needs, and masks that lead to it.
@Suite struct BudgetTests {
    private static func vocabulary(_ pieces: [String]) -> VocabularyIndex { TestVocabulary.make(pieces: pieces) }

    /// The tokens of an answer that takes the last allowed token again and again, with so many in all.
    private func tokens(_ matcher: GrammarMatcher, budget: Int) -> [Int32]? {
        var result: [Int32] = []
        while true {
            let mask = matcher.mask(remaining: budget - result.count)
            let allowed = (0..<Int32(matcher.vocabulary.vocabulary.count)).filter {
                mask[Int($0) >> 6] >> UInt64($0 & 63) & 1 == 1
            }
            if allowed.contains(TestVocabulary.end) { return result }
            guard let token = allowed.last, matcher.accept(token) else { return nil }
            result.append(token)
        }
    }

    @Test("A long string takes a word of one token over and over, whatever characters it may have")
    func words() throws {
        let vocabulary = Self.vocabulary(["zzzz", "sesquiped", "WORDS", "314159", "ped", "WO"])
        for (schema, most) in [
            (##"{"type":"string","minLength":200}"##, 200 / 9 + 5),
            (##"{"type":"string","minLength":200,"maxLength":220}"##, 200 / 9 + 5),
            (##"{"type":"string","pattern":"^[a-z]{200,}$"}"##, 200 / 9 + 5),
            (##"{"type":"string","pattern":"^[A-Z]{100}$"}"##, 100 / 5 + 3),
            (##"{"type":"string","pattern":"^[0-9]{120}$"}"##, 120 / 6 + 3),
            (##"{"type":"object","properties":{"a":{"type":"string","minLength":90}},"required":["a"]}"##, 90 / 9 + 9),
        ] {
            let grammar = try CompiledGrammar.jsonSchema(schema)
            let matcher = grammar.matcher(vocabulary: vocabulary)
            let least = matcher.minimumTokensToFinish
            #expect(least <= most, "\(schema): \(least)")
            #expect(try #require(tokens(grammar.matcher(vocabulary: vocabulary), budget: least)).count <= least)
        }
    }

    @Test("What is short in bytes may have more tokens than what is long: both are looked for")
    func searched() throws {
        let vocabulary = Self.vocabulary(["international", "\"international\"", "[\"", "\"]"])
        for (schema, tokens) in [
            (##"{"enum":["xqzj","international"]}"##, 1),
            (##"{"type":"array","items":{"enum":["xqzj","international"]},"minItems":2,"maxItems":2}"##, 5),
            (##"{"type":"object","properties":{"a":{"enum":["qqqqqq","international"]}},"required":["a"]}"##, 7),
        ] {
            let grammar = try CompiledGrammar.jsonSchema(schema, options: GrammarOptions(whitespace: .none))
            let matcher = grammar.matcher(vocabulary: vocabulary)
            #expect(matcher.minimumTokensToFinish > tokens, "the shortest in bytes: \(schema)")
            #expect(throws: Never.self) { try matcher.requireBudget(tokens) }
            #expect(matcher.minimumTokensToFinish(within: tokens) <= tokens)
            let answer = try #require(self.tokens(matcher.copy(), budget: tokens), "\(schema)")
            #expect(answer.count <= tokens)
            // Without what an earlier question left behind.
            let fresh = try CompiledGrammar.jsonSchema(schema, options: GrammarOptions(whitespace: .none))
            #expect(try #require(self.tokens(fresh.matcher(vocabulary: vocabulary), budget: tokens)).count <= tokens)
            #expect(throws: GrammarError.self) { try matcher.requireBudget(tokens - 1) }
        }
    }

    @Test(
        "Where the text may end after any token, no budget keeps a token back",
        arguments: [
            ##"{"type":"array","items":{"type":"string"},"uniqueItems":true}"##,
            ##"{"type":"object","minProperties":1}"##, ##"{"type":"string"}"##,
        ])
    func nothingOwed(schema: String) throws {
        var composition = GrammarComposition()
        composition.schemas = [("f", try JSONParser.parse(schema))]
        composition.rules = [.sequence([.free(words: ["<call>"], tokens: []), .value(0), .rule(0)])]
        let grammar = try composition.compile(options: GrammarOptions())
        let matcher = grammar.matcher(vocabulary: TestVocabulary.mixed)
        let whole = matcher.mask()
        for remaining in 1...40 {
            let mask = matcher.mask(remaining: remaining)
            // (No single token of this vocabulary begins a call.)
            #expect(mask == whole, "\(remaining)")
        }
        #expect(matcher.accept(bytes: "<call".utf8))
        // Inside of the word only its last byte begins what has to be ended.
        let last = Int(UInt8(ascii: ">"))
        var expected = matcher.mask()
        expected[last >> 6] &= ~(1 << UInt64(last & 63))
        #expect(matcher.mask(remaining: 1) == expected)
    }

    @Test("A budget of any size is judged")
    func extremes() throws {
        let matcher = try CompiledGrammar.jsonSchema(##"{"type":"string","minLength":30}"##)
            .matcher(vocabulary: TestVocabulary.bytes)
        // (The vocabulary has one word besides the bytes, of three letters.)
        for budget in [Int.min, -1, 0, 1, 11] {
            #expect(throws: GrammarError.self) { try matcher.requireBudget(budget) }
        }
        for budget in [12, 32, 1 << 40, Int.max] { #expect(throws: Never.self) { try matcher.requireBudget(budget) } }
        var doubled = "root ::= a0\n"
        for index in 0..<30 { doubled += "a\(index) ::= a\(index + 1) a\(index + 1)\n" }
        let endless = try CompiledGrammar.gbnf(doubled + "a30 ::= \"x\"").matcher(vocabulary: TestVocabulary.bytes)
        for budget in [Int.min, 0, 100, Int.max - 1] {
            #expect(throws: GrammarError.self) { try endless.requireBudget(budget) }
        }
    }
}

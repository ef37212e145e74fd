import Testing

@testable import LeapGrammar

/// White space that leads nowhere is not allowed in the first place.
struct DeadEndTests {
    private static let vocabulary = VocabularyIndex(
        TokenVocabulary(tokens: (0...255).map { [UInt8($0)] }, specialTokens: [], endTokens: []))

    @Test(
        "No line break after a value that the closing bracket cannot follow yet",
        arguments: [
            (#"{"properties":{"a":{"type":"integer"},"b":{}},"required":["a","b"]}"#, #"{"a": 1"#),
            (#"{"type":"array","items":{"enum":["x"]},"minItems":2}"#, #"["x""#),
        ])
    func lineBreaks(schema: String, text: String) throws {
        let matcher = try CompiledGrammar.jsonSchema(schema).matcher(vocabulary: Self.vocabulary)
        #expect(matcher.accept(bytes: Array(text.utf8)))
        let mask = matcher.mask()
        #expect(mask[0] >> 0x0A & 1 == 0 && mask[0] >> 0x20 & 1 == 0)
        #expect(!matcher.accept(bytes: [0x0A]) && matcher.accept(bytes: [0x2C]))
    }

    @Test("The way through a string that has to be long takes the longest tokens there are")
    func filler() throws {
        let tokens = (0...255).map { [UInt8($0)] } + [Array("bbbb".utf8), Array("  ".utf8)]
        let vocabulary = VocabularyIndex(TokenVocabulary(tokens: tokens, specialTokens: [], endTokens: []))
        let grammar = try CompiledGrammar.jsonSchema(#"{"type":"string","minLength":24}"#)
        #expect(grammar.matcher(vocabulary: vocabulary).minimumTokensToFinish == 8)
    }
}

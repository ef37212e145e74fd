import Foundation
import LeapEngine
import LeapGrammar
import LeapModel
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat

/// Whatever a sampler picks, the text decodes into the type that the schema is of.
@Suite(.inTurns)
struct DecodingTests {
    private struct Everything: Decodable {
        var double: Double
        var float: Float?
        var int: Int
        var byte: UInt8
        var date: Date
        var link: URL
        var id: UUID
        var data: Data
        var counts: [String: Int]
        var mood: Mood
        var flags: [Bool]
    }

    private enum Mood: String, Decodable { case happy, sad = "not so happy" }

    /// As `@Generatable` writes it.
    private static let schema =
        #"{"type":"object","properties":{"double":{"type":"number"},"float":{"type":"number","minimum":-3.4028234663852886e38,"maximum":3.4028234663852886e38},"#
        + #""int":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807},"#
        + #""byte":{"type":"integer","minimum":0,"maximum":255},"date":{"type":"string","format":"date-time"},"#
        + #""link":{"type":"string","format":"uri"},"id":{"type":"string","format":"uuid"},"#
        + #""data":{"type":"string","contentEncoding":"base64","pattern":"^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"},"#
        + #""counts":{"type":"object","additionalProperties":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}},"#
        + #""mood":{"type":"string","enum":["happy","not so happy"]},"flags":{"type":"array","items":{"type":"boolean"}}},"#
        + #""required":["double","int","byte","date","link","id","data","counts","mood","flags"],"additionalProperties":false}"#

    @Test("Every random text decodes", arguments: TestLevel.seeds(1, all: 24))
    func decodes(seed: UInt64) throws {
        let library = ConstraintRunTests.library
        let grammar = try library.grammar(.schema(ReplySchema(text: Self.schema), GrammarOptions()))
        let budget = 250 + Int(seed) * 40
        var constraint = ReplyTokenConstraint(
            ReplyTokenConstraint.Plan(
                grammar: grammar, vocabulary: library.vocabulary, tokenizer: library.tokenizer,
                endTokens: library.endTokens, budget: budget))
        var random = SeededGenerator(seed: seed)
        var tokens: [TokenID] = []
        while !constraint.isComplete, tokens.count < budget {
            var mask = TokenMask(count: library.tokenizer.vocabularySize, allowed: false)
            constraint.computeMask(into: &mask)
            var allowed = mask.tokens
            // White space and long values alone would take all of the tokens.
            let closing = allowed.filter {
                library.tokenizer.bytes(of: $0).contains { Array("\",}]:".utf8).contains($0) }
            }
            if random.next() % 4 == 0, !closing.isEmpty { allowed = closing }
            try #require(!allowed.isEmpty)
            let token = allowed[Int(random.next() % UInt64(allowed.count))]
            if library.endTokens.contains(token) { break }
            try constraint.accept(token)
            tokens.append(token)
        }
        let text = library.tokenizer.decode(tokens)
        #expect(throws: Never.self, "\(text)") { try GeneratedJSON.decode(Everything.self, from: text) }
    }

    @Test("Numbers beyond every double are the largest ones")
    func hugeNumbers() throws {
        let digits = String(repeating: "7", count: 400)
        let values = try GeneratedJSON.decode([Double].self, from: "[\(digits), -\(digits).5, 1e5]")
        #expect(values == [.greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e5])
        #expect(try GeneratedJSON.decode([String].self, from: #"["\"\#(digits)"]"#) == ["\"" + digits])
    }
}

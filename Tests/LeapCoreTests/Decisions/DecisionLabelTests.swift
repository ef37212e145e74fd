import Foundation
import LeapGGUF
import LeapModel
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat

/// The labels that vocabularies have for options.
@Suite(.inTurns)
struct DecisionLabelTests {
    private func labels() throws -> DecisionLabels {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/lfm2.gguf")
        return DecisionLabels(try Tokenizer(metadata: GGUFFile.open(path: url.path).metadata))
    }

    @Test("Letters are labels of one token each, pairs as far as they are tokens")
    func letters() throws {
        let labels = try labels()
        let letters = labels.codes(of: .openJev)
        #expect(letters.count == 52 && letters[0].text == "A" && letters[51].text == "z")
        #expect(Set(letters.map(\.tokens)).count == 52)
        let pairs = labels.codes(of: .lev)
        #expect(pairs.prefix(26) == letters.prefix(26) && pairs.count < 255)
    }

    @Test("d1 takes letters that are keys, else letters, else numbers; what is no token is replaced")
    func codes() throws {
        let labels = try labels()
        #expect(labels.codes(ofKeys: ["x", "B"]).map(\.text) == ["x", "B"])
        #expect(labels.codes(ofKeys: ["red", "green"]).map(\.text) == ["A", "B"])
        let many = labels.codes(ofKeys: (0..<30).map { "key \($0)" })
        #expect(many.count == 30 && Set(many.map(\.text)).count == 30)
        let tokens = many.flatMap(\.tokens)
        #expect(Set(tokens).count == tokens.count)
        // There are not enough tokens for more options than the vocabulary has labels.
        #expect(labels.codes(ofKeys: (0..<255).map { "key \($0)" }).count < 255)
    }

    @Test("Words that are no tokens are no labels, and digits are")
    func words() throws {
        let labels = try labels()
        #expect(labels.yesNo(withSpaces: true) == nil)
        #expect(labels.digits(10, withSpaces: false)?.map(\.text) == (0..<10).map { "\($0)" })
    }
}

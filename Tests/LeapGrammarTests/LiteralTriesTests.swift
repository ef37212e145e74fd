import Testing

@testable import LeapGrammar

@Suite struct LiteralTriesTests {
    @Test("The union of two sets of texts has the texts of both, and is the node of them all")
    func union() {
        func points(_ texts: [String]) -> [[UInt32]] { texts.map { $0.unicodeScalars.map(\.value) } }
        let sets = [
            ["yes"], ["other"], ["no", "none", ""], ["yes", "other", "on"], ["zebra", "yet", "o"],
            ["a", "ab", "abc", "b", "bc"], ["abd", "bcd", "c"], [],
        ]
        for a in sets {
            for b in sets {
                var tries = LiteralTries()
                var work = WorkBudget(1_000_000)
                // Nodes made before, so that those of the union do not begin at the first index.
                _ = tries.build(points(["first", "second"]))
                let node = tries.union(tries.build(points(a)), tries.build(points(b)), &work)
                let all = Set(a + b)
                #expect(node == tries.build(points(Array(all))), "\(a) and \(b)")
                if node >= 0 { #expect(Set(tries.texts(node)) == Set(points(Array(all)))) }
            }
        }
    }

    @Test("Constants under anyOf are all admitted, whatever their order")
    func constants() throws {
        let texts = ["yes", "other", "no", "yet", "", "zebra", "y"]
        let parts = texts.map { "{\"const\":\"\($0)\"}" }.joined(separator: ",")
        let grammar = try Judge.schema("{\"anyOf\":[\(parts)]}")
        for text in texts { #expect(Judge.accepts(grammar, "\"\(text)\""), "\(text)") }
        for text in ["ye", "oth", "yesother", "n"] { #expect(!Judge.accepts(grammar, "\"\(text)\""), "\(text)") }
        let conditional = try Judge.schema(##"{"then":{"const":"yes"},"else":{"const":"other"},"if":{"maxLength":4}}"##)
        #expect(Judge.accepts(conditional, "\"yes\"") && Judge.accepts(conditional, "\"other\""))
        #expect(!Judge.accepts(conditional, "\"no\"") && !Judge.accepts(conditional, "\"others\""))
    }
}

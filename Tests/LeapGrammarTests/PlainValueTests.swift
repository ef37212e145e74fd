import LeapJSON
import Testing

@testable import LeapGrammar

/// Values whose strings are written without quotes, as arguments between tags are.
@Suite struct PlainValueTests {
    /// `<v>` and a value of a schema up to `</v>`.
    private static func grammar(_ schema: String) throws -> CompiledGrammar {
        var composition = GrammarComposition()
        composition.schemas = [("f/v", try JSONParser.parse(schema))]
        composition.rules = [.sequence([.text("<v>\n"), .plain(0, without: "</v>"), .text("\n</v>")])]
        return try composition.compile(options: GrammarOptions())
    }

    private static func accepts(_ grammar: CompiledGrammar, _ value: String) -> Bool {
        let text = "<v>\n" + value + "\n</v>"
        let isAccepted = Judge.accepts(grammar, text)
        #expect(Judge.masksAccept(grammar, text) == isAccepted, "\(value)")
        return isAccepted
    }

    @Test(
        "Strings are as they are, everything else is JSON",
        arguments: [
            (
                ##"{"type":"string"}"##, ["", "a", "\"a\"", "a\n\n<b> </ v>\\", "日本 é", "{\"a\": 1}", "\t"],
                ["</v>", "a</v>b"]
            ),
            (##"{"type":"string","minLength":2,"maxLength":3}"##, ["ab", "日本", "</v"], ["a", "abcd", "\"a\"x", ""]),
            (##"{"type":"string","pattern":"^[ab]+$"}"##, ["a", "abba"], ["", "c", "\"a\""]),
            (##"{"enum":["x y","</b>",3,true]}"##, ["x y", "</b>", "3", "true"], ["\"x y\"", "x", "4", "True"]),
            (##"{"const":""}"##, [""], ["a", "\"\""]),
            (##"{"type":"integer","minimum":3}"##, ["3", "12"], ["2", "3.5", "\"3\"", "x"]),
            (##"{"type":["string","null"],"maxLength":1}"##, ["", "a", "null"], ["ab", "nul"]),
            (
                ##"{"anyOf":[{"const":"a"},{"type":"array","items":{"type":"string"}}]}"##, ["a", "[\"a\"]", "[]"],
                ["[a]", "b"]
            ),
            ("true", ["", "a", "1", "{\"a\": \"b\"}"], ["</v>"]),
        ])
    func spellings(schema: String, allowed: [String], refused: [String]) throws {
        let grammar = try Self.grammar(schema)
        for value in allowed { #expect(Self.accepts(grammar, value), "\(value)") }
        for value in refused { #expect(!Self.accepts(grammar, value), "\(value)") }
    }

    @Test("What no value is left of is refused")
    func nothingLeft() {
        for schema in [
            ##"{"const":"a</v>"}"##, ##"{"type":"string","pattern":"</v>"}"##, ##"{"type":"integer","enum":["a"]}"##,
        ] {
            let error = #expect(throws: GrammarError.self) { try Self.grammar(schema) }
            #expect(error?.code == .unsatisfiable, "\(schema)")
        }
    }
}

import Foundation
import Testing

@testable import LeapCommandLine

/// Markdown on a terminal.
struct MarkdownTests {
    private func shown(_ text: String, width: Int = 40, pieces: Int = 1) -> String {
        var printer = MarkdownPrinter(width: width)
        var result = ""
        var rest = text[...]
        while !rest.isEmpty {
            let piece = rest.prefix(pieces)
            rest = rest.dropFirst(pieces)
            result += printer.add(String(piece))
        }
        return result + printer.end()
    }

    /// Sequences as short marks: bold is B, and so on, the end is /.
    private func marked(_ text: String) -> String {
        let names = [
            ("1", "B"), ("1;4", "H"), ("2", "D"), ("3", "I"), ("1;3", "BI"), ("4", "U"), ("9", "S"), ("35", "C"),
            ("32", "T"), ("36", "N"),
            ("0", "/"),
        ]
        let text = names.reduce(text) { $0.replacingOccurrences(of: "\u{1B}[\($1.0)m", with: "<\($1.1)>") }
        // Each word has its sequences.
        return text.replacing(/<\/><([A-Z]+)>/) { match in
            let before = text[..<match.range.lowerBound].matches(of: /<([A-Z]+)>/).last?.output.1
            return before == match.output.1 ? "" : String(match.output.0)
        }
    }

    @Test(
        "Marks become styles",
        arguments: [
            ("plain text", "plain text\n"),
            ("a **bold** word", "a <B>bold</> word\n"),
            ("*it* and _it_", "<I>it</> and <I>it</>\n"),
            ("***both***", "<BI>both</>\n"),
            ("`code *x*` here", "<C>code *x*</> here\n"),
            ("``a ` b``", "<C>a ` b</>\n"),
            ("~~gone~~", "<S>gone</>\n"),
            ("[text](https://a.b)", "<U>text</><D> (https://a.b)</>\n"),
            ("[https://a.b](https://a.b)", "<U>https://a.b</>\n"),
            ("# Title", "<H>Title</>\n"), ("## Sub *x*", "<B>Sub </><BI>x</>\n"),
            ("- one\n- two", "• one\n• two\n"), ("  * in", "  • in\n"), ("1. one\n2) two", "1. one\n2) two\n"),
            ("> said", "<D>│ </>said\n"), ("a\n\nb", "a\n\nb\n"),
        ])
    func styles(_ text: String, _ expected: String) {
        #expect(marked(shown(text)) == expected)
    }

    @Test(
        "What only looks like a mark stays as it is",
        arguments: [
            "2 * 3 * 4", "snake_case_name", "a ** b", "**never closed", "`never closed", "[a] b", "[a](never", "5 - 3",
            "#tag", "2026. ", "3.14", "-5", "*", "a_b_", "~ 5", "\\", "x ~~y",
        ])
    func literals(_ text: String) {
        #expect(
            shown(text).trimmingCharacters(in: .whitespacesAndNewlines) == text.trimmingCharacters(in: .whitespaces))
    }

    @Test("A backslash takes a mark's meaning")
    func escapes() {
        #expect(shown("\\*a\\* \\# \\n") == "*a* # \\n\n")
    }

    @Test("Code keeps its lines, marks and spaces")
    func code() {
        let text = "```text\nlet x = a * b * c  // **no**\n\n    deep\n``\n```\nafter *x*"
        #expect(
            marked(shown(text, width: 20))
                == "<D>```text</>\nlet x = a * b * c  // **no**\n\n    deep\n``\n<D>```</>\nafter <I>x</>\n")
        #expect(shown("```\nnever closed") == "\u{1B}[2m```\u{1B}[0m\nnever closed\n")
    }

    @Test(
        "Code in a language has colours",
        arguments: [
            ("swift", "let x = 3.14 // no", "<C>let</> x = <N>3.14</> <D>// no</>"),
            ("python", "return 'a\\'b' # x", "<C>return</> <T>'a\\'b'</> <D># x</>"),
            ("js", "`a\nb` + c", "<T>`a</>\n<T>b`</> + c"),
            ("c", "/* a\nb */ int x", "<D>/* a</>\n<D>b */</> <C>int</> x"),
            ("python", "'''a\nb''' in x", "<T>'''a</>\n<T>b'''</> <C>in</> x"),
            ("sql", "Select 1 -- x", "<C>Select</> <N>1</> <D>-- x</>"),
            ("json", #"{"a": null}"#, #"{<T>"a"</>: <C>null</>}"#), ("c", "a / b - c", "a / b - c"),
            ("sh", "\"\" x", "<T>\"\"</> x"),
        ])
    func colours(language: String, code: String, expected: String) {
        let text = "```\(language)\n\(code)\n```"
        for pieces in [1, 3, 1000] {
            let lines = marked(shown(text, pieces: pieces)).split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.dropFirst().dropLast(2).joined(separator: "\n") == expected)
        }
    }

    @Test("Tables stand in columns")
    func tables() {
        let text = "| City | Size |\n|---|--:|\n| Lisbon | 5 |\n| **Rome** | 28 |\nafter"
        #expect(
            marked(shown(text))
                == "<B>City</>  <D> │ </><B>Size</>\n<D>───────┼─────</>\nLisbon<D> │ </>   5\n<B>Rome</>  <D> │ </>  28\nafter\n"
                .replacingOccurrences(of: "───────┼─────", with: "───────┼─────"))
        #expect(shown("| a | b |\nno table", width: 40) == "| a | b |\nno table\n")
        // One that is wider is a block for each row.
        let wide =
            "| City | What is said of it |\n|---|---|\n| Lisbon | \(String(repeating: "hills ", count: 20))|\n| Rome | |\n"
        for width in [40, 80] {
            let lines = marked(shown(wide, width: width)).split(separator: "\n").map(String.init)
            #expect(lines.first == "<B>City: </>Lisbon" && lines.last == "<B>City: </>Rome", "\(lines)")
            #expect(lines[1].hasPrefix("<B>What is said of it: </>hills") && lines[2].hasPrefix("  hills"))
            #expect(
                shown(wide, width: width).split(separator: "\n").allSatisfy {
                    TextWidth.of($0.replacing(/\u{1B}\[[0-9;]*m/, with: "")) <= width
                })
        }
    }

    @Test("Lines break between words, and go on where their text began")
    func wrapping() {
        #expect(shown("aaa bbb ccc ddd", width: 10) == "aaa bbb\nccc ddd\n")
        #expect(shown("- aaa bbb ccc", width: 10) == "• aaa bbb\n  ccc\n")
        #expect(shown("10. aaa bbb ccc", width: 12) == "10. aaa bbb\n    ccc\n")
        #expect(marked(shown("> aaa bbb ccc", width: 10)) == "<D>│ </>aaa bbb\n<D>│ </>ccc\n")
        #expect(shown(String(repeating: "x", count: 25), width: 10) == "xxxxxxxxxx\nxxxxxxxxxx\nxxxxx\n")
        #expect(shown("你好你好你好", width: 10) == "你好你好你\n好\n")
    }

    @Test("The result is the same however the text is divided, and no line is too wide")
    func divided() {
        var generator = SystemRandomNumberGenerator()
        let parts = [
            "word", " ", " ", "\n", "\n\n", "**", "*", "_", "`", "```", "- ", "1. ", "# ", "> ", "| a | b |\n",
            "|---|---|\n", "~~", "[", "](", ")",
            "\\", "你", "long-word-that-fills-more-than-a-line", "é", "👍",
        ]
        for _ in 0..<100 {
            let text = (0..<30).map { _ in parts[Int.random(in: 0..<parts.count, using: &generator)] }.joined()
            let whole = shown(text, width: 20, pieces: text.count)
            #expect(shown(text, width: 20, pieces: 1) == whole)
            #expect(shown(text, width: 20, pieces: 3) == whole)
        }
    }

    @Test("A mark that is never closed is held back for a thousand characters, not for ever")
    func bounded() {
        var printer = MarkdownPrinter(width: 80)
        let text = String(repeating: "word ", count: 400)
        let result = printer.add("**" + text)
        #expect(result.count > 800)
    }

    @Test("Text with nothing to hold back is shown at its last complete word")
    func streaming() {
        var printer = MarkdownPrinter(width: 80)
        #expect(printer.add("Hello wor") == "Hello")
        #expect(printer.add("ld, ") == " world,")
        #expect(printer.add("**bo") == "")
        #expect(printer.add("ld**") == "")
        #expect(printer.add(" x ") == " \u{1B}[1mbold\u{1B}[0m x")
    }

    @Test("Widths are those of terminals")
    func widths() {
        #expect(TextWidth.of("abc") == 3)
        #expect(TextWidth.of("你好") == 4)
        #expect(TextWidth.of("e\u{301}") == 1)
        #expect(TextWidth.of("👍👩‍👩‍👧🇵🇹") == 6)
        #expect(TextWidth.of("┼│•") == 3)
    }
}

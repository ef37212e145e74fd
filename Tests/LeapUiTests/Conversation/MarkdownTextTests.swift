import Foundation
import LeapBase
import Observation
import Testing

@testable import LeapUi

/// Markdown as blocks while it is written.
@MainActor
struct MarkdownTextTests {
    private func text(_ source: String, pieces: Int) -> MarkdownText {
        let text = MarkdownText()
        var rest = source[...]
        while !rest.isEmpty {
            text.append(String(rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
        }
        text.finish()
        return text
    }

    private func name(_ block: MarkdownBlock) -> String {
        switch block.kind {
        case .paragraph: "p"
        case .heading(let level): "h\(level)"
        case .item(let depth, let marker): "\(marker)\(depth)"
        case .quote: "q"
        case .code(let language): "c:\(language)"
        case .rule: "rule"
        case .table(let columns): "t\(columns.count)"
        }
    }

    @Test(
        "Lines become blocks",
        arguments: [
            ("one\ntwo\n\nthree", ["p|one\ntwo", "p|three"]),
            ("# Title\ntext", ["h1|Title", "p|text"]),
            ("- a\n  - b\n10. c\n   goes on", ["•0|a", "•1|b", "10.0|c\ngoes on"]),
            ("- a\nafter", ["•0|a", "p|after"]),
            ("> said\n> so\nafter", ["q|said\nso", "p|after"]),
            ("a\n\n---\n\nb", ["p|a", "rule|", "p|b"]),
            ("```swift\nlet a = 1\n\n  **b**\n```\nafter", ["c:swift|let a = 1\n\n  **b**", "p|after"]),
            ("~~~\nnever closed", ["c:|never closed"]),
            ("| a | b |\n|---|--:|\n| 1 | *2* |\nafter", ["t2|a\tb\n1\t2", "p|after"]),
            ("| no table |\nafter", ["p|| no table |", "p|after"]),
            ("windows\r\nlines", ["p|windows\nlines"]),
            ("", []), ("\n\n", []),
        ] as [(String, [String])])
    func blocks(_ source: String, _ expected: [String]) {
        for pieces in [1, 3, 1000] {
            let text = text(source, pieces: pieces)
            #expect(text.blocks.map { "\(name($0))|\($0.plainText)" } == expected)
            #expect(text.source == source && text.open == nil)
            #expect(text.blocks.map(\.id) == Array(expected.indices))
        }
    }

    @Test("Marks become styles, and addresses links; those of apps stay text")
    func runs() throws {
        let source = "a **b *c*** `d` ~~e~~ [site](https://a.b) [app](tel:1) [code](javascript:x)"
        let block = try #require(text(source, pieces: 1).blocks.first)
        #expect(
            block.runs == [
                MarkdownRun(text: "a "), MarkdownRun(text: "b ", style: .bold),
                MarkdownRun(text: "c", style: [.bold, .italic]), MarkdownRun(text: " "),
                MarkdownRun(text: "d", style: .code), MarkdownRun(text: " "), MarkdownRun(text: "e", style: .struck),
                MarkdownRun(text: " "), MarkdownRun(text: "site", link: URL(string: "https://a.b")),
                MarkdownRun(text: " app code"),
            ])
    }

    @Test("What a mark may still change is shown as it is written")
    func pending() {
        let text = MarkdownText()
        text.append("so **very")
        #expect(text.open?.runs.map(\.text) == ["so "] && text.open?.pending == "**very")
        text.append(" much** so")
        #expect(text.open?.runs.map(\.text) == ["so ", "very much", " so"] && text.open?.pending == "")
        text.append(" **" + String(repeating: "x", count: 3000))
        #expect((text.open?.pending.count ?? .max) <= InlineMarkdown.maxHeld)
    }

    @Test(
        "A line that is too long for its kind is text, of which nothing is lost",
        arguments: [("|", "x", 4100), ("", " ", 1100), ("", "-", 1100), ("```", "x", 1100)])
    func longLine(_ start: String, _ piece: String, _ count: Int) {
        let source = start + String(repeating: piece, count: count) + "|"
        #expect(text(source, pieces: 700).blocks.map(\.plainText) == [source])
        #expect(text("```\n\(source)", pieces: 700).blocks.map(\.plainText) == [source])
    }

    @Test("A cell that is longer than a mark may be is text")
    func longCell() {
        let cell = String(repeating: "*a ", count: 400) + "b"
        let block = text("| a |\n|---|\n| \(cell) |\n", pieces: 1000).blocks.first
        #expect(block?.plainText == "a\n" + cell)
    }

    @Test(
        "A mark without an end within another is text, which stands there once",
        arguments: [("**a [b** c", "a [b c"), ("*a `b* c", "a `b c"), ("**a ~~b** c", "a ~~b c")])
    func openWithin(_ source: String, _ expected: String) {
        for pieces in [1, 2, 100] { #expect(text(source, pieces: pieces).blocks.map(\.plainText) == [expected]) }
    }

    @Test("A line break may be divided between two pieces")
    func dividedBreak() {
        let text = MarkdownText()
        for piece in ["a\r", "\nb"] { text.append(piece) }
        text.finish()
        #expect(text.blocks.map(\.plainText) == ["a\nb"])
    }

    @Test("What follows the end is a new block, also after code that was not closed")
    func afterEnd() {
        let text = MarkdownText("```\ncode")
        text.append("more")
        text.finish()
        #expect(text.blocks.map(name) == ["c:", "p"] && text.blocks.map(\.plainText) == ["code", "more"])
    }

    @Test("While a block is written, the others are not read again")
    func observation() {
        let text = MarkdownText("# Title\n")
        text.append("one ")
        let changes = Locked((finished: 0, open: 0))
        withObservationTracking {
            _ = text.finished
        } onChange: {
            changes.withLock { $0.finished += 1 }
        }
        withObservationTracking {
            _ = text.open
        } onChange: {
            changes.withLock { $0.open += 1 }
        }
        for _ in 0..<50 { text.append("word ") }
        let (finished, open) = changes.withLock { $0 }
        #expect(finished == 0 && open == 1)
        text.append("\n\nnext")
        let after = changes.withLock { $0.finished }
        #expect(after == 1)
        #expect(text.blocks.map(\.plainText).first == "Title" && text.blocks.count == 3)
    }
}

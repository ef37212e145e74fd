import Foundation
import LeapTestSupport
import Testing

@testable import LeapCommandLine

/// Editing of a line, without a terminal.
struct LineEditorTests {
    private func edited(_ keys: [Key], _ entries: [String] = []) -> (text: String, cursor: Int) {
        var editor = LineEditor(entries: entries)
        for key in keys { _ = editor.handle(key) }
        return (editor.buffer.text, editor.buffer.cursor)
    }

    @Test("Any keys in any order leave the cursor within the text, and what is inserted is there")
    func property() {
        var generator = SystemRandomNumberGenerator()
        let keys: [Key] = [
            .text("a"), .text("ü b"), .text("\u{301}"), .paste("x\ny"), .newLine, .backspace, .deleteForward, .left,
            .right, .up, .down, .wordLeft, .wordRight, .lineStart, .lineEnd, .deleteToEnd, .deleteToStart,
            .deleteWordLeft, .deleteWordRight, .yank, .transpose, .previousEntry, .nextEntry, .search, .cancel, .tab,
        ]
        for _ in 0..<TestLevel.rounds(150, all: 500) {
            var editor = LineEditor(entries: ["one", "two\nlines", "öö"])
            for _ in 0..<60 {
                _ = editor.handle(keys[Int.random(in: 0..<keys.count, using: &generator)])
                #expect((0...editor.buffer.characters.count).contains(editor.buffer.cursor))
                for columns in [2, 7, 40] {
                    let layout = EditorLayout(
                        prompt: "> ", characters: editor.buffer.characters, cursor: editor.buffer.cursor,
                        columns: columns)
                    #expect(layout.rows.allSatisfy { TextWidth.of($0) <= columns })
                    #expect(layout.rows.indices.contains(layout.cursor.row) && layout.cursor.column < columns)
                }
            }
        }
    }

    @Test("Up and down move within a message of several lines, then through the entries")
    func lines() {
        #expect(edited([.paste("ab\ncd"), .up]).cursor == 2)
        #expect(edited([.paste("ab\ncd"), .up, .up], ["old"]).text == "old")
        #expect(edited([.text("new"), .up, .down], ["old"]).text == "new")
        #expect(edited([.up, .text("!"), .up, .down], ["a", "b"]).text == "b!")
    }

    @Test("A search shows the newest match, Ctrl-R the one before, and keys go on in what was found")
    func search() {
        let entries = ["git push", "swift build", "git pull"]
        #expect(edited([.search, .text("git"), .lineStart, .text("x")], entries).text == "xgit pull")
        #expect(edited([.search, .text("git"), .search, .lineEnd], entries).text == "git push")
        #expect(edited([.text("mine"), .search, .text("nothing"), .right], entries).text == "mine")
        #expect(edited([.text("mine"), .search, .text("git"), .cancel], entries).text == "mine")
        var editor = LineEditor(entries: entries)
        for key in [Key.search, .text("build")] { _ = editor.handle(key) }
        #expect(editor.handle(.enter) == .accepted("swift build"))
    }

    @Test("Tab completes what is the same of all, then lists them")
    func completion() {
        var editor = LineEditor(completer: SlashCommand.completion(of:))
        _ = editor.handle(.text("/s"))
        #expect(
            editor.handle(.tab)
                == .candidates(
                    ["/set", "/system", "/schema", "/save", "/stats"].filter { $0.hasPrefix("/s") }.reordered))
        _ = editor.handle(.text("e"))
        #expect(editor.handle(.tab) == .editing)
        #expect(editor.buffer.text == "/set ")
        _ = editor.handle(.text("top"))
        #expect(editor.handle(.tab) == .editing)
        #expect(editor.buffer.text == "/set top_")
    }

    @Test("Ctrl-C, Ctrl-D and Return end a line as they should")
    func outcomes() {
        var editor = LineEditor()
        #expect(editor.handle(.endOfInput) == .ended)
        _ = editor.handle(.text("ab"))
        _ = editor.handle(.left)
        #expect(editor.handle(.endOfInput) == .editing)
        #expect(editor.handle(.interrupt) == .interrupted)
        #expect(editor.handle(.enter) == .accepted("a"))
    }

    @Test("A screen is brought up to date by no more than what was added at its end")
    func screen() {
        var screen = EditorScreen(kind: .full)
        var editor = LineEditor()
        #expect(screen.draw(editor, prompt: "> ", columns: 40, rows: 10) == "> \r\u{1B}[2C")
        _ = editor.handle(.text("ab"))
        #expect(screen.draw(editor, prompt: "> ", columns: 40, rows: 10) == "ab")
        _ = editor.handle(.left)
        #expect(screen.draw(editor, prompt: "> ", columns: 40, rows: 10) == "\r\u{1B}[J> ab\r\u{1B}[3C")
        var plain = EditorScreen(kind: .plain)
        editor = LineEditor()
        #expect(plain.draw(editor, prompt: "> ", columns: 40, rows: 10) == "> ")
        _ = editor.handle(.text("a你"))
        #expect(plain.draw(editor, prompt: "> ", columns: 40, rows: 10) == "a你")
        _ = editor.handle(.backspace)
        #expect(plain.draw(editor, prompt: "> ", columns: 40, rows: 10) == "\u{8} \u{8}\u{8} \u{8}")
    }

    @Test("Rows break between words, and a longer word where the row ends")
    func words() {
        func rows(_ text: String, _ columns: Int) -> [String] {
            EditorLayout(prompt: "> ", characters: Array(text), cursor: text.count, columns: columns).rows
        }
        #expect(rows("one two three", 10) == ["> one two ", "three"])
        #expect(rows("one abcdefghijkl", 10) == ["> one abcd", "efghijkl"])
        #expect(rows("abcdefghi", 10) == ["> abcdefgh", "i"])
        #expect(rows("a\nbb cc dd ee", 10) == ["> a", "  bb cc dd", " ee"])
        let layout = EditorLayout(prompt: "> ", characters: Array("one two three"), cursor: 9, columns: 10)
        #expect(layout.cursor == (1, 1))
    }

    @Test("A long paste is one character that stands for it, and comes back whole")
    func folded() {
        let long = (1...120).map { "line \($0)" }.joined(separator: "\n")
        var editor = LineEditor()
        for key in [Key.text("a "), .paste(long), .text(" b")] { _ = editor.handle(key) }
        var screen = EditorScreen(kind: .full)
        #expect(screen.draw(editor, prompt: "> ", columns: 40, rows: 10).hasPrefix("> a [pasted 120 lines] b"))
        for _ in 0..<3 { _ = editor.handle(.left) }
        _ = editor.handle(.text("x"))
        #expect(editor.handle(.enter) == .accepted("a x\(long) b"))
        for key in [Key.right, .backspace] { _ = editor.handle(key) }
        #expect(editor.buffer.text == "a x b")
        // What stands for a text cannot be typed.
        editor = LineEditor()
        for key in [Key.paste(long), .text("\u{10FF00}")] { _ = editor.handle(key) }
        #expect(editor.buffer.text == long + "\u{FFFD}")
    }

    @Test("After the terminal became narrower the line is drawn from where it begins now")
    func narrower() {
        var screen = EditorScreen(kind: .full)
        var editor = LineEditor()
        _ = editor.handle(.text(String(repeating: "x", count: 70)))
        _ = screen.draw(editor, prompt: "> ", columns: 80, rows: 10)
        // Its 72 columns are four rows of 20, and the cursor is in the last.
        #expect(screen.erase(columns: 20) == "\u{1B}[3A\r\u{1B}[J")
    }

    @Test("Three quotes and backslashes put messages together")
    func composer() {
        func composed(_ lines: String...) -> [String?] {
            var composer = MessageComposer()
            return lines.map { composer.add($0) }
        }
        #expect(composed("hello") == ["hello"])
        #expect(composed("\"\"\"one", "two", "three\"\"\" ") == [nil, nil, "one\ntwo\nthree"])
        #expect(composed("\"\"\"one\"\"\"", "two") == ["one", "two"])
        #expect(composed("\"\"\"", "  /quit", "\"\"\"") == [nil, nil, "  /quit"])
        #expect(composed("one\\", "two\\", "three") == [nil, nil, "one\ntwo\nthree"])
        #expect(composed("a \"\"\" b") == ["a \"\"\" b"])
        var open = MessageComposer()
        _ = open.add("\"\"\"half")
        #expect(open.isOpen && open.end() == "half" && !open.isOpen)
    }

    @Test("Entries are kept in a file, the latest thousand of them")
    func history() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("deep/history")
        let history = InputHistory(path: path)
        for number in 0..<(InputHistory.maxEntries + 10) { #expect(history.add("entry \(number)\nline") == nil) }
        #expect(history.add("last") == nil && history.add("last") == nil)
        let again = InputHistory(path: path)
        #expect(again.entries.count == InputHistory.maxEntries)
        #expect(again.entries.suffix(2) == ["entry \(InputHistory.maxEntries + 9)\nline", "last"])
        for number in 0..<InputHistory.maxEntries { #expect(again.add("more \(number)") == nil) }
        _ = InputHistory(path: path)
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == InputHistory.maxEntries)
        #expect(again.add(String(repeating: "x", count: InputHistory.maxEntryBytes + 1)) == nil)
        #expect(again.entries.last == "more \(InputHistory.maxEntries - 1)")
    }
}

extension [String] {
    /// In the order of the list of commands.
    fileprivate var reordered: [String] { SlashCommand.all.map { $0.names[0] }.filter(contains) }
}

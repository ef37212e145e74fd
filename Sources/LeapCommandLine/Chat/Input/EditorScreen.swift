import Foundation

/// Shows an edited line on a terminal.
struct EditorScreen {
    /// The kind of terminal, by the control sequences that it understands.
    enum Kind {
        /// Sequences that move the cursor and erase (ECMA-48).
        case full
        /// Backspace and no more.
        case plain
    }

    let kind: Kind
    private var shown: EditorLayout?
    /// The line as it stands on a plain terminal.
    private var written: String?

    init(kind: Kind) {
        self.kind = kind
    }

    /// Returns the output that shows the line as it is now.
    mutating func draw(_ editor: LineEditor, prompt: String, columns: Int, rows: Int) -> String {
        let (prompt, characters, cursor) = Self.content(of: editor, prompt: prompt)
        let folded = editor.search == nil ? editor.buffer.folded : FoldedTexts()
        guard kind == .full else {
            return drawPlain(prompt + characters.map { folded.label($0) ?? String($0) }.joined())
        }
        let whole = EditorLayout(
            prompt: prompt, characters: characters, cursor: cursor, columns: columns,
            label: folded.label)
        let layout = whole.window(rows)
        defer { shown = layout }
        guard let old = shown else { return layout.text }
        if let suffix = layout.suffix(after: old, columns: columns) { return suffix }
        return Self.toStart(fromRow: old.cursor.row) + layout.text
    }

    /// Returns the output that ends the line, so that the next output stands on a line of its own.
    mutating func finish() -> String {
        defer { (shown, written) = (nil, nil) }
        guard kind == .full else { return "\r\n" }
        guard let layout = shown else { return "" }
        let down = layout.rows.count - 1 - layout.cursor.row
        return (down > 0 ? "\u{1B}[\(down)B" : "") + "\r\n"
    }

    /// Forgets what was shown: the cursor is at the beginning of an empty line.
    mutating func forget() {
        (shown, written) = (nil, nil)
    }

    /// Returns the output that erases the line; the next ``draw(_:prompt:columns:rows:)`` writes it at the same place.
    ///
    /// - Parameter columns: of the terminal now; one that became narrower has broken the rows anew.
    mutating func erase(columns: Int) -> String {
        guard let old = shown else { return "" }
        shown = nil
        return Self.toStart(fromRow: Self.breaksAnew ? old.cursorRow(at: columns) : old.cursor.row)
    }

    /// True if the terminal breaks its lines anew when its width changes, as most do: xterm and the consoles of systems
    /// do not.
    private static let breaksAnew = {
        let environment = ProcessInfo.processInfo.environment
        return environment["XTERM_VERSION"] == nil && environment["TERM"] != "linux"
    }()

    private static func toStart(fromRow row: Int) -> String {
        (row > 0 ? "\u{1B}[\(row)A" : "") + "\r\u{1B}[J"
    }

    /// The prompt and text that are shown: those of a search while there is one.
    private static func content(of editor: LineEditor, prompt: String) -> (String, [Character], Int) {
        guard let search = editor.search else { return (prompt, editor.buffer.characters, editor.buffer.cursor) }
        let found = search.match ?? ""
        let place = found.range(of: search.query).map { found.distance(from: found.startIndex, to: $0.lowerBound) }
        return (
            "(\(search.hasFailed ? "no such entry" : "search")) \(search.query): ", Array(found), place ?? 0
        )
    }

    private mutating func drawPlain(_ text: String) -> String {
        let text = text.map { $0 == "\n" ? " " : EditorLayout.shown($0).text }.joined()
        defer { written = text }
        guard let old = written else { return text }
        if text.hasPrefix(old) { return String(text.dropFirst(old.count)) }
        if old.hasPrefix(text) {
            let columns = TextWidth.of(String(old.dropFirst(text.count)))
            return String(repeating: "\u{8} \u{8}", count: columns)
        }
        return "\r\n" + text
    }
}

extension EditorLayout {
    /// The rows and the way to the cursor.
    fileprivate var text: String {
        var text = rows.joined(separator: "\r\n")
        let up = rows.count - 1 - cursor.row
        if up > 0 { text += "\u{1B}[\(up)A" }
        text += "\r"
        if cursor.column > 0 { text += "\u{1B}[\(cursor.column)C" }
        return text
    }

    /// Returns the text that was added at the end of the last row; nil where more than that changed.
    fileprivate func suffix(after old: EditorLayout, columns: Int) -> String? {
        guard rows.count == old.rows.count, cursor.row == rows.count - 1, old.cursor.row == cursor.row,
            rows.dropLast() == old.rows.dropLast(), let last = rows.last, let before = old.rows.last,
            last.hasPrefix(before), old.cursor.column == TextWidth.of(before), cursor.column == TextWidth.of(last),
            cursor.column < columns
        else { return nil }
        return String(last.dropFirst(before.count))
    }
}

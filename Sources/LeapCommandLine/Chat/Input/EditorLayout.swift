import LeapBase

/// The layout of an edited text on the rows of a terminal, with its prompt.
struct EditorLayout: Equatable {
    /// The rows, without line ends; none is wider than the terminal.
    private(set) var rows: [String] = [""]
    /// The position of the cursor.
    private(set) var cursor = (row: 0, column: 0)

    /// The indentation of the lines of a text but the first.
    static let continuation = "  "

    static func == (a: Self, b: Self) -> Bool { a.rows == b.rows && a.cursor == b.cursor }

    /// - Parameters:
    ///   - columns: of the terminal, at least 2.
    ///   - cursor: the characters before it.
    init(prompt: String, characters: [Character], cursor: Int, columns: Int) {
        let columns = max(2, columns)
        var column = 0
        func put(_ character: Character, _ layout: inout EditorLayout) {
            let shown = Self.shown(character)
            let width = shown.width
            if column + width > columns {
                layout.rows.append("")
                column = 0
            }
            layout.rows[layout.rows.count - 1] += shown.text
            column += width
        }
        for character in prompt { put(character, &self) }
        for (index, character) in characters.enumerated() {
            if index == cursor { mark(&column, columns) }
            if character == "\n" {
                rows.append("")
                column = 0
                for character in Self.continuation { put(character, &self) }
            } else {
                put(character, &self)
            }
        }
        if cursor >= characters.count { mark(&column, columns) }
    }

    /// Notes the cursor's place; one behind the last column is at the beginning of the next row.
    private mutating func mark(_ column: inout Int, _ columns: Int) {
        if column >= columns {
            rows.append("")
            column = 0
        }
        cursor = (rows.count - 1, column)
    }

    /// The rows around the cursor that fit on a screen.
    func window(_ count: Int) -> EditorLayout {
        let count = max(1, count)
        guard rows.count > count else { return self }
        let first = min(max(0, cursor.row - count / 2), rows.count - count)
        var window = self
        window.rows = Array(rows[first..<(first + count)])
        window.cursor.row -= first
        return window
    }

    /// A character as it is shown: a control character that was pasted must not move the cursor.
    static func shown(_ character: Character) -> (text: String, width: Int) {
        if character == "\t" { return ("    ", 4) }
        if let first = character.unicodeScalars.first, first.value < 0x20 || first.value == 0x7F {
            return ("^" + String(UnicodeScalar(UInt8(first.value ^ 0x40))), 2)
        }
        let text = PrintableOutput.of(String(character))
        return (text, TextWidth.of(text))
    }
}

import LeapBase

/// The layout of an edited text on the rows of a terminal, with its prompt.
///
/// Rows break between words; a word that is longer than a row is broken where the row ends.
struct EditorLayout: Equatable {
    /// The rows, without line ends; none is wider than the terminal.
    private(set) var rows: [String] = [""]
    /// The position of the cursor.
    private(set) var cursor = (row: 0, column: 0)

    /// The indentation of the lines of a text but the first.
    static let continuation = "  "

    static func == (a: Self, b: Self) -> Bool { a.rows == b.rows && a.cursor == b.cursor }

    /// A piece of text that is not divided, and the number of characters of the edited text before it; nil for what is
    /// not edited.
    private struct Cell {
        let text: String
        let width: Int
        var index: Int?
    }

    /// - Parameters:
    ///   - columns: of the terminal, at least 2.
    ///   - cursor: the characters before it.
    ///   - label: what stands in the place of a character that stands for a text.
    init(
        prompt: String, characters: [Character], cursor: Int, columns: Int,
        label: (Character) -> String? = { _ in nil }
    ) {
        let columns = max(2, columns)
        var place: (row: Int, column: Int)?
        var cells = prompt.map(Self.cell)
        func end(at index: Int, _ layout: inout EditorLayout) {
            let column = layout.put(cells, cursor: cursor, columns: columns, &place)
            if index == cursor { place = layout.end(column, columns) }
        }
        for (index, character) in characters.enumerated() {
            if character == "\n" {
                end(at: index, &self)
                rows.append("")
                cells = Self.continuation.map(Self.cell)
            } else if let label = label(character) {
                cells += label.enumerated().map { offset, character in
                    var cell = Self.cell(character)
                    if offset == 0 { cell.index = index }
                    return cell
                }
            } else {
                var cell = Self.cell(character)
                cell.index = index
                cells.append(cell)
            }
        }
        end(at: max(cursor, characters.count), &self)
        self.cursor = place ?? (0, 0)
    }

    private static func cell(_ character: Character) -> Cell {
        let shown = shown(character)
        return Cell(text: shown.text, width: shown.width)
    }

    /// Adds the cells of one line to the last row and to those after it.
    ///
    /// - Returns: the column behind them.
    private mutating func put(
        _ cells: [Cell], cursor: Int, columns: Int, _ place: inout (row: Int, column: Int)?
    ) -> Int {
        var column = 0
        var next = 0
        // A word is not moved away from the prompt before it.
        let lead = cells.prefix { $0.index == nil }.reduce(0) { $0 + $1.width }
        while next < cells.count {
            // A word, or one cell that is none; lines may break beside ideographs.
            var end = next + 1
            var width = cells[next].width
            func isOfWord(_ cell: Cell) -> Bool { cell.text != " " && cell.width != 2 }
            while end < cells.count, isOfWord(cells[next]), isOfWord(cells[end]) {
                width += cells[end].width
                end += 1
            }
            if column + width > columns, column > lead, width <= columns, isOfWord(cells[next]) {
                rows.append("")
                column = 0
            }
            for cell in cells[next..<end] {
                if column + cell.width > columns {
                    rows.append("")
                    column = 0
                }
                // A mark without a width may follow the last column.
                if cell.index == cursor { place = (rows.count - 1, min(column, columns - 1)) }
                rows[rows.count - 1] += cell.text
                column += cell.width
            }
            next = end
        }
        return column
    }

    /// Returns the place behind a line; one behind the last column is at the beginning of the next row.
    private mutating func end(_ column: Int, _ columns: Int) -> (row: Int, column: Int) {
        guard column >= columns else { return (rows.count - 1, column) }
        rows.append("")
        return (rows.count - 1, 0)
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

    /// Returns the row of the cursor where a terminal that became narrower has broken the rows anew.
    func cursorRow(at columns: Int) -> Int {
        let columns = max(2, columns)
        let above = rows[..<cursor.row].map { max(1, (TextWidth.of($0) + columns - 1) / columns) }.reduce(0, +)
        return above + cursor.column / columns
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

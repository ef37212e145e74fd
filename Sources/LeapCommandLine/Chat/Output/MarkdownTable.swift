import Foundation

/// Rows of a table in Markdown, laid out in columns.
struct MarkdownTable {
    private(set) var lines: [String] = []

    var isEmpty: Bool { lines.isEmpty }

    mutating func add(_ line: String) { lines.append(line) }

    /// The table in columns with a line below its head; as it was written where it is none, in blocks where it
    /// is too wide.
    func text(width: Int?) -> String {
        let written = lines.map { $0 + "\n" }.joined()
        let rows = lines.map(Self.cells)
        guard rows.count >= 2, let delimiter = rows.dropFirst().first, !delimiter.isEmpty,
            delimiter.allSatisfy({ $0.contains("-") && $0.allSatisfy { "-: ".contains($0) } })
        else { return written }
        let alignments = delimiter.map { ($0.hasPrefix(":"), $0.hasSuffix(":")) }
        let content = ([rows[0]] + rows.dropFirst(2)).enumerated().map { number, row in
            row.map { cell in
                InlineMarkdown.spans(of: Array(cell), style: number == 0 ? .bold : [], isComplete: true).spans
            }
        }
        let widths = (0..<delimiter.count).map { column in
            content.map { column < $0.count ? Self.width($0[column]) : 0 }.max() ?? 0
        }
        if let width, widths.reduce(0, +) + 3 * (widths.count - 1) > width { return Self.blocks(content, width: width) }
        var lines = content.map { row in
            widths.indices.map { column in
                let spans = column < row.count ? row[column] : []
                let room = widths[column] - Self.width(spans)
                let (left, right) = column < alignments.count ? alignments[column] : (false, false)
                let before = right ? (left ? room / 2 : room) : 0
                let text = spans.map { $0.style.isEmpty ? $0.text : $0.style.sequence + $0.text + TextStyle.reset }
                return String(repeating: " ", count: before) + text.joined()
                    + String(repeating: " ", count: room - before)
            }.joined(separator: TextStyle.dim.sequence + " │ " + TextStyle.reset)
        }
        let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "─┼─")
        lines.insert(TextStyle.dim.sequence + rule + TextStyle.reset, at: 1)
        return lines.map { $0 + "\n" }.joined()
    }

    private static func width(_ spans: [InlineMarkdown.Span]) -> Int { spans.reduce(0) { $0 + TextWidth.of($1.text) } }

    private static func cells(_ line: String) -> [String] {
        var text = line.trimmingCharacters(in: .whitespaces)[...]
        if text.hasPrefix("|") { text.removeFirst() }
        if text.hasSuffix("|"), !text.hasSuffix("\\|") { text.removeLast() }
        var cells: [String] = [""]
        var isEscaped = false
        for character in text {
            if character == "|", !isEscaped {
                cells.append("")
            } else {
                if character == "|" { cells[cells.count - 1].removeLast() }
                cells[cells.count - 1].append(character)
            }
            isEscaped = character == "\\" && !isEscaped
        }
        return cells.map { $0.trimmingCharacters(in: .whitespaces) }
    }
}

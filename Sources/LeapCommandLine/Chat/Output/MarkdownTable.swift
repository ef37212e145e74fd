import LeapBase

/// Rows of a table in Markdown, laid out in columns.
struct MarkdownTable {
    private(set) var lines: [String] = []

    var isEmpty: Bool { lines.isEmpty }

    mutating func add(_ line: String) { lines.append(line) }

    /// The table in columns with a line below its head; as it was written where it is none, in blocks where it
    /// is too wide.
    func text(width: Int?) -> String {
        let written = lines.map { $0 + "\n" }.joined()
        guard lines.count >= 2, let alignments = MarkdownRow.alignments(lines[1]) else { return written }
        let rows = ([lines[0]] + lines.dropFirst(2)).map(MarkdownRow.cells)
        let content = rows.enumerated().map { number, row in
            row.map { cell in
                InlineMarkdown.spans(of: Array(cell), style: number == 0 ? .bold : [], isComplete: true).spans
            }
        }
        let widths = alignments.indices.map { column in
            content.map { column < $0.count ? Self.width($0[column]) : 0 }.max() ?? 0
        }
        if let width, widths.reduce(0, +) + 3 * (widths.count - 1) > width { return Self.blocks(content, width: width) }
        var lines = content.map { row in
            widths.indices.map { column in
                let spans = column < row.count ? row[column] : []
                let room = widths[column] - Self.width(spans)
                let before =
                    switch alignments[column] {
                    case .leading: 0
                    case .center: room / 2
                    case .trailing: room
                    }
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
}

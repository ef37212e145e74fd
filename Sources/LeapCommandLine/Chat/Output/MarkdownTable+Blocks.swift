import LeapBase

/// A table that is wider than the terminal, as a block for each of its rows.
extension MarkdownTable {
    /// The rows one below the other, each cell on a line of its own behind the head of its column.
    ///
    /// - Parameter rows: the cells with their styles; the first row is the head.
    static func blocks(_ rows: [[[InlineMarkdown.Span]]], width: Int) -> String {
        guard let head = rows.first else { return "" }
        let rule = TextStyle.dim.sequence + String(repeating: "─", count: max(1, min(width - 1, 40))) + TextStyle.reset
        let blocks = rows.dropFirst().map { row in
            head.indices.filter { $0 < row.count && !row[$0].isEmpty }.map { column in
                line(head[column], row[column], width: width)
            }.joined()
        }
        return blocks.filter { !$0.isEmpty }.joined(separator: rule + "\n")
    }

    private static func line(_ head: [InlineMarkdown.Span], _ cell: [InlineMarkdown.Span], width: Int) -> String {
        var wrapper = LineWrapper(width: width)
        wrapper.indent.text = "  "
        var text = head.reduce(into: "") { $0 += wrapper.put($1.text, $1.style) }
        if !head.isEmpty { text += wrapper.put(": ", .bold) }
        text += cell.reduce(into: "") { $0 += wrapper.put($1.text, $1.style) }
        return text + wrapper.newLine()
    }
}

/// A row of a table in Markdown.
package enum MarkdownRow {
    /// The side of a column that its cells lie at.
    package enum Alignment: Sendable {
        case leading, center, trailing
    }

    /// Returns the cells of a row, without their marks and the spaces around them.
    package static func cells(_ line: String) -> [String] {
        var text = trimmed(line)
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
        return cells.map { String(trimmed($0)) }
    }

    /// Returns the alignments of a table's second line; nil where it is a row like others, and there is no table.
    package static func alignments(_ line: String) -> [Alignment]? {
        let cells = cells(line)
        guard cells.allSatisfy({ $0.contains("-") && $0.allSatisfy { "-: ".contains($0) } }) else { return nil }
        return cells.map { $0.hasSuffix(":") ? ($0.hasPrefix(":") ? .center : .trailing) : .leading }
    }

    private static func trimmed(_ text: String) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}

/// A paragraph, a heading, an item of a list, or another part of a Markdown text.
public struct MarkdownBlock: Identifiable, Hashable, Sendable {
    /// The kind of a block.
    public enum Kind: Hashable, Sendable {
        /// Lines of text.
        case paragraph
        /// A heading, of level 1 to 6.
        case heading(level: Int)
        /// An item of a list, so many levels within others, with `•` or its number as the marker.
        case item(depth: Int, marker: String)
        /// Text that is quoted.
        case quote
        /// Lines of code; the language is empty where the text names none.
        case code(language: String)
        /// A line between two parts.
        case rule
        /// A table with so many columns; ``MarkdownBlock/rows`` has its cells, the head first.
        case table([ColumnAlignment])
    }

    /// The side of a column that its cells lie at.
    public enum ColumnAlignment: Hashable, Sendable {
        /// The side at which lines begin.
        case leading
        /// The middle.
        case center
        /// The side at which lines end.
        case trailing
    }

    /// The number of the block in its text, from 0 on.
    public let id: Int
    /// The kind.
    public internal(set) var kind: Kind
    /// The text, of all kinds but tables and rules.
    public internal(set) var runs: [MarkdownRun] = []
    /// The cells of a table, row by row.
    public internal(set) var rows: [[[MarkdownRun]]] = []
    /// The text at the end in which a mark may still begin, as the model writes it; empty once that is known.
    public internal(set) var pending = ""

    init(id: Int, kind: Kind) {
        self.id = id
        self.kind = kind
    }

    /// The text without styles; the cells of a table are divided by tabs, and its rows by line breaks.
    public var plainText: String {
        switch kind {
        case .rule: ""
        case .table: rows.map { $0.map(Self.text).joined(separator: "\t") }.joined(separator: "\n")
        case .paragraph, .heading, .item, .quote, .code: Self.text(runs) + pending
        }
    }

    private static func text(_ runs: [MarkdownRun]) -> String { runs.map(\.text).joined() }

    mutating func append(_ run: MarkdownRun) {
        if let last = runs.last, last.style == run.style, last.link == run.link {
            runs[runs.count - 1].text += run.text
        } else {
            runs.append(run)
        }
    }
}

import LeapBase

/// Shows Markdown on a terminal while it is being written: emphasis, headings, lists, quotes, code and tables.
///
/// A mark is held back until it is known what it is, and a word until its end; everything else is shown at once.
struct MarkdownPrinter {
    /// Characters of a table's row, and rows of a table, that are held back at most.
    private static let maxRow = 4000
    private static let maxRows = 500

    private var wrapper: LineWrapper
    private let width: Int
    /// The line's beginning while it is not known what kind of line it is.
    private var start: [Character]? = []
    /// The characters that are not shown yet of a line whose kind is known.
    private var held: [Character] = []
    private var isOpen = false
    private var previous: Character?
    private var style: TextStyle = []
    private var fence: MarkdownLine.Fence?
    /// Finds the colours of the code in a fence; nil for code without any.
    private var highlighter: CodeHighlighter?
    private var table = MarkdownTable()

    /// - Parameter width: columns that lines of text may have.
    init(width: Int) {
        self.width = width
        wrapper = LineWrapper(width: width)
    }

    /// Takes a piece of the text; what is to be written now.
    mutating func add(_ text: String) -> String {
        text.reduce(into: "") { $0 += add($1) }
    }

    /// Returns the rest at the end of the text.
    mutating func end() -> String {
        var text = ""
        if start?.isEmpty == false { text += begin(isComplete: true) }
        if fence != nil { text += show(highlighter?.endLine() ?? []) }
        text += release(isComplete: true) + wrapper.endWord() + endTable()
        if wrapper.column > 0 { text += wrapper.newLine() }
        start = []
        return text
    }

    private mutating func add(_ character: Character) -> String {
        if character == "\n" { return endLine() }
        if start != nil {
            start?.append(character)
            return begin(isComplete: false)
        }
        if fence != nil { return put(code: character) }
        held.append(character)
        guard !isOpen || "*_`~[]()".contains(character) || held.count > InlineMarkdown.maxHeld else { return "" }
        return release(isComplete: held.count > InlineMarkdown.maxHeld)
    }

    private mutating func endLine() -> String {
        var text = ""
        if start != nil { text = begin(isComplete: true) }
        if table.lines.count > Self.maxRows { text += endTable() }
        if start == nil {
            if fence != nil { text += show(highlighter?.endLine() ?? []) }
            text += release(isComplete: true) + wrapper.newLine()
        }
        (start, style, previous) = ([], [], nil)
        wrapper.indent = LineWrapper.Indent()
        return text
    }

    /// Finds out the line's kind, and writes what of it can be written.
    private mutating func begin(isComplete: Bool) -> String {
        guard let line = start else { return "" }
        if let fence {
            if isComplete, fence.isClosed(by: String(line)) {
                self.fence = nil
                highlighter = nil
                start = nil
                let text = wrapper.put(String(line), .dim)
                wrapper.width = width
                return text
            }
            if !isComplete, fence.mayBeClosed(by: String(line)) { return "" }
            start = nil
            return line.reduce(into: "") { $0 += put(code: $1) }
        }
        guard let kind = MarkdownLine(line, isComplete: isComplete || line.count > Self.maxRow) else { return "" }
        if kind == .row {
            table.add(String(line))
            start = []
            return ""
        }
        start = nil
        return endTable() + begin(kind, line)
    }

    private mutating func begin(_ kind: MarkdownLine, _ line: [Character]) -> String {
        var text = ""
        func indent(_ count: Int) -> String { String(repeating: " ", count: min(count, width / 2)) }
        switch kind {
        case .blank, .row: return ""
        case .rule: return wrapper.put(String(repeating: "─", count: min(width - 1, 40)), .dim)
        case .fence(let fence):
            self.fence = fence
            highlighter = CodeHighlighter(language: fence.language(of: line))
            wrapper.width = nil
            return wrapper.put(String(line), .dim)
        case .paragraph(let count):
            text = lead(indent(count))
            held = Array(line[count...])
        case .heading(let level, let textStart):
            style = level == 1 ? [.bold, .underline] : .bold
            held = Array(line[textStart...])
        case .bullet(let count, let textStart):
            text = lead(indent(count) + "• ")
            held = Array(line[textStart...])
        case .ordered(let count, let marker, let textStart):
            text = lead(indent(count) + marker + " ")
            held = Array(line[textStart...])
        case .quote(let textStart):
            text = lead("│ ", .dim)
            wrapper.indent = LineWrapper.Indent(text: "│ ", style: .dim)
            held = Array(line[textStart...])
        }
        return text + release(isComplete: false)
    }

    /// Shows a character of code, as far as it is known what it belongs to.
    private mutating func put(code character: Character) -> String {
        guard let pieces = highlighter?.put(character) else { return wrapper.put(character) }
        return show(pieces)
    }

    private mutating func show(_ pieces: [CodeHighlighter.Piece]) -> String {
        pieces.reduce(into: "") { $0 += wrapper.put($1.text, $1.style) }
    }

    /// Writes what stands before a line's text; the lines that follow it are set as far in.
    private mutating func lead(_ text: String, _ style: TextStyle = []) -> String {
        guard !text.isEmpty else { return "" }
        wrapper.indent = LineWrapper.Indent(text: String(repeating: " ", count: TextWidth.of(text)))
        return wrapper.put(text, style)
    }

    /// Shows what is held back as far as its meaning is known.
    private mutating func release(isComplete: Bool) -> String {
        guard !held.isEmpty else { return "" }
        let (spans, open) = InlineMarkdown.spans(of: held, style: style, previous: previous, isComplete: isComplete)
        let text = spans.reduce(into: "") { $0 += wrapper.put($1.text, $1.style) }
        let shown = open ?? held.count
        if shown > 0 { previous = held[shown - 1] }
        held.removeFirst(shown)
        isOpen = open != nil
        return text
    }

    private mutating func endTable() -> String {
        guard !table.isEmpty else { return "" }
        defer { table = MarkdownTable() }
        return table.text(width: width)
    }
}

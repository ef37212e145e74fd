import LeapBase

/// Divides Markdown into blocks while it is being written.
///
/// A piece of text costs time for its own characters, and for the end of the line in which a mark is open: at most
/// 1,000 characters. What a block has is not read again.
struct MarkdownReader {
    /// The longest row of a table; other lines wait for what decides their kind for `InlineMarkdown.maxHeld`.
    private static let maxRow = 4000
    private static let maxDepth = 8

    /// The blocks that further text does not change, since they were last taken.
    private var finished: [MarkdownBlock] = []
    /// The block that further text may change.
    private(set) var open: MarkdownBlock?
    private var nextID = 0
    /// The line's beginning while it is not known what kind of line it is; nil where it is known.
    private var start: [Character]? = []
    /// The characters behind an open mark.
    private var held: [Character] = []
    private var isMarkOpen = false
    private var previous: Character?
    /// True if the last character was a carriage return: a line feed in the next piece belongs to it.
    private var isAfterReturn = false
    private var fence: MarkdownLine.Fence?
    private var hasCode = false
    /// The rows that may be a table's, as they are written.
    private var rows: [String] = []

    /// Takes a piece of the text.
    mutating func add(_ text: String) {
        for character in text { add(character) }
        open?.pending = String(held)
    }

    /// Ends the text.
    mutating func end() {
        if start?.isEmpty == false { begin(isComplete: true) }
        release(isComplete: true)
        close()
        (start, previous, fence, isAfterReturn) = ([], nil, nil, false)
    }

    /// Returns the blocks that were finished since the last call.
    mutating func takeFinished() -> [MarkdownBlock] {
        defer { finished = [] }
        return finished
    }

    private mutating func add(_ character: Character) {
        defer { isAfterReturn = character == "\r" }
        if isAfterReturn, character == "\n" { return }
        if character.isNewline { return endLine() }
        if start != nil {
            start?.append(character)
            return begin(isComplete: false)
        }
        if fence != nil { return put(String(character), []) }
        held.append(character)
        guard !isMarkOpen || "*_`~[]()".contains(character) || held.count > InlineMarkdown.maxHeld else { return }
        release(isComplete: held.count > InlineMarkdown.maxHeld)
    }

    private mutating func endLine() {
        if start != nil { begin(isComplete: true) }
        release(isComplete: true)
        if case .heading? = open?.kind { close() }
        (start, previous) = ([], nil)
    }

    /// Finds out the line's kind, and takes what of it is known.
    private mutating func begin(isComplete: Bool) {
        guard let line = start else { return }
        let isCut = !isComplete && line.count > InlineMarkdown.maxHeld && (!isRow(line) || line.count > Self.maxRow)
        let isComplete = isComplete || isCut
        if let fence {
            if isComplete, !isCut, fence.isClosed(by: String(line)) {
                self.fence = nil
                start = nil
                close()
            } else if isComplete || !fence.mayBeClosed(by: String(line)) {
                start = nil
                put((hasCode ? "\n" : "") + String(line), [])
                hasCode = true
            }
            return
        }
        guard let kind = MarkdownLine(line, isComplete: isComplete) else { return }
        start = nil
        begin(isCut ? Self.ofCutLine(kind) : kind, line)
    }

    private func isRow(_ line: [Character]) -> Bool { fence == nil && line.first { $0 != " " } == "|" }

    /// Returns the kind of a line that is too long to be read to its end: text where only the end would decide.
    private static func ofCutLine(_ kind: MarkdownLine) -> MarkdownLine {
        switch kind {
        case .row, .blank, .rule, .fence: .paragraph(indent: 0)
        case .paragraph, .heading, .bullet, .ordered, .quote: kind
        }
    }

    private mutating func begin(_ kind: MarkdownLine, _ line: [Character]) {
        if kind == .row { return addRow(String(line)) }
        // A row is over with its line: no other line goes on with a table.
        if !rows.isEmpty { close() }
        switch kind {
        case .blank, .row: close()
        case .rule:
            openBlock(.rule)
            close()
        case .fence(let fence):
            self.fence = fence
            hasCode = false
            openBlock(.code(language: fence.language(of: line)))
        case .paragraph(let indent):
            if continues(indented: indent > 0) { put("\n", []) } else { openBlock(.paragraph) }
            held = Array(line[indent...])
        case .heading(let level, let textStart):
            openBlock(.heading(level: level))
            held = Array(line[textStart...])
        case .bullet(let indent, let textStart):
            openBlock(.item(depth: min(indent / 2, Self.maxDepth), marker: "•"))
            held = Array(line[textStart...])
        case .ordered(let indent, let marker, let textStart):
            openBlock(.item(depth: min(indent / 2, Self.maxDepth), marker: marker))
            held = Array(line[textStart...])
        case .quote(let textStart):
            if open?.kind == .quote { put("\n", []) } else { openBlock(.quote) }
            held = Array(line[textStart...])
        }
        release(isComplete: false)
    }

    /// Returns whether a line of text goes on with the block above it.
    private func continues(indented: Bool) -> Bool {
        switch open?.kind {
        case .paragraph: true
        case .item: indented
        case .heading, .quote, .code, .rule, .table, nil: false
        }
    }

    private mutating func addRow(_ line: String) {
        // Opening a block forgets the rows of the one before.
        if rows.isEmpty { openBlock(.paragraph) }
        rows.append(line)
        if rows.count == 2, let alignments = MarkdownRow.alignments(line) {
            open?.kind = .table(alignments.map(Self.alignment))
            open?.runs = []
            return addCells(of: rows[0], .bold)
        }
        if case .table? = open?.kind { return addCells(of: line, []) }
        put((rows.count > 1 ? "\n" : "") + line, [])
    }

    private mutating func addCells(of line: String, _ style: TextStyle) {
        open?.rows.append(MarkdownRow.cells(line).map { Self.runs(Array($0), style) })
    }

    private static func alignment(_ alignment: MarkdownRow.Alignment) -> MarkdownBlock.ColumnAlignment {
        switch alignment {
        case .leading: .leading
        case .center: .center
        case .trailing: .trailing
        }
    }

    private static func runs(_ text: [Character], _ style: TextStyle) -> [MarkdownRun] {
        // The time for marks without an end grows faster than the text.
        guard text.count <= InlineMarkdown.maxHeld else {
            return [MarkdownRun(InlineMarkdown.Span(text: String(text), style: style))]
        }
        let (spans, _) = InlineMarkdown.spans(of: text, style: style, isComplete: true, addresses: .kept)
        return spans.map { MarkdownRun($0) }
    }

    /// Takes what is held as far as its meaning is known.
    private mutating func release(isComplete: Bool) {
        guard !held.isEmpty else { return }
        let (spans, mark) = InlineMarkdown.spans(
            of: held, style: [], previous: previous, isComplete: isComplete, addresses: .kept)
        for span in spans { open?.append(MarkdownRun(span)) }
        let count = mark ?? held.count
        if count > 0 { previous = held[count - 1] }
        held.removeFirst(count)
        isMarkOpen = mark != nil
    }

    private mutating func put(_ text: String, _ style: TextStyle) {
        open?.append(MarkdownRun(InlineMarkdown.Span(text: text, style: style)))
    }

    private mutating func openBlock(_ kind: MarkdownBlock.Kind) {
        close()
        open = MarkdownBlock(id: nextID, kind: kind)
        nextID += 1
    }

    private mutating func close() {
        rows = []
        guard var block = open else { return }
        block.pending = ""
        finished.append(block)
        open = nil
    }
}

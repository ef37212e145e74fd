public import Observation

/// A Markdown text that grows, as blocks of which only the last one changes.
///
/// A view that shows ``finished`` is made anew when a block ends, and one that shows ``open`` with each piece. So a
/// long reply costs no more for each piece than a short one.
@MainActor
@Observable
public final class MarkdownText {
    /// The text as it was written, with its marks.
    public private(set) var source = ""
    /// The blocks that no longer change.
    public private(set) var finished: [MarkdownBlock] = []
    // A copy would be made with each piece if the block were kept here beside the reader's.
    @ObservationIgnored private var reader = MarkdownReader()

    /// Creates an empty text.
    public init() {}

    /// Creates a text that is complete.
    public init(_ text: String) {
        append(text)
        finish()
    }

    /// The block that is being written; nil between blocks, and after the end.
    public var open: MarkdownBlock? {
        access(keyPath: \.open)
        return reader.open
    }

    /// All blocks.
    public var blocks: [MarkdownBlock] { finished + (open.map { [$0] } ?? []) }

    /// Adds a piece.
    public func append(_ piece: String) {
        source += piece
        change { $0.add(piece) }
    }

    /// Ends the text; what follows would begin a new block.
    public func finish() { change { $0.end() } }

    private func change(_ body: (inout MarkdownReader) -> Void) {
        withMutation(keyPath: \.open) { body(&reader) }
        let more = reader.takeFinished()
        if !more.isEmpty { finished += more }
    }
}

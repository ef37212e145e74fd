import LeapChat

/// Gives each chunk of a reply the log probabilities of the tokens that its text is made of.
///
/// Tokens without a text of their own (marks of reasoning, of calls) come before the chunk that follows them; those of
/// a text that is held back come with that text. All chunks together have all tokens, in their order.
struct ChunkLogprobs {
    /// Tokens that were told and are in no chunk yet.
    private var waiting: [TokenLogprob] = []

    /// The maximum number of tokens in front of a chunk's: calls and marks are shorter.
    private static let maxSkipped = 256

    mutating func add(_ tokens: [TokenLogprob]) { waiting += tokens }

    /// The tokens of a text, and those in front of it.
    mutating func take(_ text: String) -> (before: [TokenLogprob], own: [TokenLogprob]) {
        guard let range = place(of: Array(text.utf8)) else {
            // Its ends are within tokens: better too early than never.
            return ([], takeAll())
        }
        let taken = (Array(waiting[..<range.lowerBound]), Array(waiting[range]))
        waiting.removeSubrange(..<range.upperBound)
        return taken
    }

    /// All that is left.
    mutating func takeAll() -> [TokenLogprob] {
        defer { waiting = [] }
        return waiting
    }

    /// The first tokens in a row whose bytes are the text's.
    private func place(of text: [UInt8]) -> Range<Int>? {
        for start in waiting.indices.prefix(Self.maxSkipped) {
            var rest = text[...]
            var end = start
            while !rest.isEmpty, end < waiting.count, rest.starts(with: waiting[end].bytes) {
                rest = rest.dropFirst(waiting[end].bytes.count)
                end += 1
            }
            if rest.isEmpty { return start..<end }
        }
        return nil
    }
}

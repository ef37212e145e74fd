/// The marks that a model writes around its reasoning.
package struct ReasoningMarks: Sendable, Hashable {
    /// The text that begins reasoning.
    package let start: String
    /// The text that ends reasoning.
    package let end: String
    /// The part of `start` that vocabularies have as a token.
    let startToken: String

    private init(_ start: String, _ end: String, startToken: String? = nil) {
        self.start = start
        self.end = end
        self.startToken = startToken ?? start
    }

    /// `<think>…</think>`, the marks of most models.
    package static let think = ReasoningMarks("<think>", "</think>")

    /// Marks of others: Mistral's, and Gemma 4's, whose line end belongs to them.
    private static let others = [
        ReasoningMarks("[THINK]", "[/THINK]"),
        ReasoningMarks("<|channel>thought", "<channel|>", startToken: "<|channel>"),
    ]

    /// The marks that a chat template writes.
    ///
    /// - Parameter evidence: the template, and what it writes.
    static func found(in evidence: [String]) -> ReasoningMarks {
        others.first { marks in evidence.contains { $0.contains(marks.start) && $0.contains(marks.end) } } ?? think
    }

    /// Both marks, for those who look for tokens of them.
    package var tokens: [String] { [startToken, end] }
}

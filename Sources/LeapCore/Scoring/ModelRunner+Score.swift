public import LeapChat

/// The context of a scored text: the text or messages before it.
public enum ScoreContext: Sendable {
    /// No context; the text begins like every text of the model.
    case none
    /// A text as it is, without a chat template.
    case text(String)
    /// Messages; the scored text is the reply to them.
    case messages([ChatMessage])
}

extension ModelRunner {
    /// Returns the likelihood of a text under the model, token by token.
    ///
    /// ```swift
    /// let score = try await runner.score("The capital of France is Paris.")
    /// print(score.perplexity)
    /// ```
    /// - Parameters:
    ///   - text: any text; control tokens in it count as text.
    ///   - topLogprobs: the number of most likely tokens to report for each position, 0 to 20.
    /// - Returns: a score of the text's tokens.
    /// - Throws: ``LeapGenerationException`` if the text has no token to score, or the model is unloaded or does not
    ///   generate text. ``LeapGenerationPromptExceedContextLengthException`` if the text does not fit into the context.
    ///   `CancellationError` if the task is cancelled, within the time of one layer.
    public func score(_ text: String, topLogprobs: Int = 0) async throws -> TextScore {
        try await score(text, after: .none, topLogprobs: topLogprobs)
    }

    /// Returns the likelihood of a text as the continuation of another text; see ``score(_:topLogprobs:)``.
    ///
    /// The two texts are tokenized together. If a token would then span the boundary between them, each is tokenized
    /// separately.
    public func score(_ continuation: String, after prompt: String, topLogprobs: Int = 0) async throws -> TextScore {
        try await score(continuation, after: .text(prompt), topLogprobs: topLogprobs)
    }

    /// Returns the likelihood of a text as the reply to messages; see ``score(_:topLogprobs:)``.
    ///
    /// The tokens that end a reply are not scored.
    public func score(_ reply: String, after messages: [ChatMessage], topLogprobs: Int = 0) async throws -> TextScore {
        try await score(reply, after: .messages(messages), topLogprobs: topLogprobs)
    }
}

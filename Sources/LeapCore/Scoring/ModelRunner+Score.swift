/// The context of a text that is scored: whatever stands before it.
public enum ScoreContext: Sendable {
    /// No context; the text begins as the model begins texts.
    case none
    /// A text, as it is: without a chat template.
    case text(String)
    /// Messages, to which the scored text is the reply.
    case messages([ChatMessage])
}

extension ModelRunner {
    /// Returns the likelihood that the model gives to a text, token by token.
    ///
    /// ```swift
    /// let score = try await runner.score("The capital of France is Paris.")
    /// print(score.perplexity)
    /// ```
    /// - Parameters:
    ///   - text: any text; control tokens in it are text.
    ///   - topLogprobs: how many of the most likely tokens are reported for each place, 0 to 20.
    /// - Returns: a score of the text's tokens.
    /// - Throws: ``LeapGenerationException`` if the text has no token that can be scored, or the model is unloaded or
    ///   writes no text; ``LeapGenerationPromptExceedContextLengthException`` if the text does not fit into the
    ///   context; `CancellationError` within a layer's time if the task is cancelled.
    public func score(_ text: String, topLogprobs: Int = 0) async throws -> TextScore {
        try await score(text, after: .none, topLogprobs: topLogprobs)
    }

    /// Returns the likelihood of a text as the continuation of another one; see ``score(_:topLogprobs:)``.
    ///
    /// The two are tokenised together, unless a token would then lie across the place where they meet: then each on its
    /// own.
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

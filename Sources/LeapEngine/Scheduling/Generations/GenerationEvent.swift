package import LeapModel
package import LeapTokenizer

/// A report of a generation, in this order: prefill progress, tokens and speech, one end.
package enum GenerationEvent: Sendable {
    /// Prompt tokens that are computed or restored by now, of all of them.
    case prefill(done: Int, total: Int)
    /// A token that was generated.
    case token(TokenID)
    /// A frame of speech that was generated, the negative number in its place, and the samples that are known by it.
    ///
    /// Speech that is cut off has its last samples in an event without a frame.
    case speech(SpeechPiece)
    /// The end; nothing follows.
    case finished(GenerationResult)
}

/// The end of a generation, and its figures.
///
/// The figures are exact however it ended: by itself, cancelled in the middle of the prompt, or before it began.
package struct GenerationResult: Sendable {
    /// The reason why a generation ended.
    package enum Reason: Sendable {
        /// One of the request's stop tokens came.
        case stopToken
        /// As many tokens as asked for.
        case maxTokens
        /// No position is left in the context.
        case contextFull
        /// The constraint says that the output is complete.
        case constraintComplete
        /// The caller cancelled it, or unloaded the engine.
        case cancelled
        /// It could not go on.
        case failed(any Error)
    }

    /// The reason why it ended.
    package var reason: Reason
    /// The token that ended it, for ``Reason/stopToken``.
    package var stopToken: TokenID?
    /// True if the constraint excluded the most likely token at some point because too few tokens were left for what it
    /// would begin.
    package var wasBudgetLimited = false
    /// The tokens it worked on.
    package var progress = GenerationProgress()
    /// The random numbers that were taken, those before an interruption included.
    package var drawCount = 0
    /// The likelihood of each token, and of the one that ended it, where the request asks for them.
    package var likelihoods: [TokenLikelihood] = []
    /// Seconds from the start to the first token.
    package var prefillSeconds = 0.0
    /// Seconds from the first token to the end.
    package var decodeSeconds = 0.0
    /// Tokens per second after the first one; 0 if there was only one.
    package var tokensPerSecond = 0.0

    /// Prompt tokens that were computed.
    package var promptTokens: Int {
        get { progress.promptTokens }
        set { progress.promptTokens = newValue }
    }
    /// Prompt tokens whose state was there already.
    package var cachedPromptTokens: Int {
        get { progress.cachedPromptTokens }
        set { progress.cachedPromptTokens = newValue }
    }
    /// Tokens generated, without the stop token.
    package var completionTokens: Int {
        get { progress.completionTokens }
        set { progress.completionTokens = newValue }
    }

    /// Proposed tokens that became part of the output.
    package var acceptedTokens: Int { progress.acceptedTokens }

    /// A result without figures.
    package init(reason: Reason) { self.reason = reason }
}

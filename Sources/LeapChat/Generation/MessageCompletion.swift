/// The end of a reply.
public struct MessageCompletion: Sendable, Hashable {
    /// The whole reply: text, reasoning and calls.
    public let message: ChatMessage
    /// The reason why the reply ended.
    public let finishReason: GenerationFinishReason
    /// The statistics of the reply; nil if nothing was computed.
    public let stats: GenerationStats?
    /// The limit that ended the reply, for ``GenerationFinishReason/exceedContext``.
    public let limit: GenerationLimit?
    /// Issues that did not stop the generation but can concern the app, such as malformed calls.
    public let issues: [GenerationIssue]
    /// The messages that the prompt omits to fit, if ``GenerationOptions/contextOverflowPolicy`` allows it.
    public let trimming: HistoryTrimming?
    /// The log probability of each generated token, in order, with reasoning and call marks.
    ///
    /// It is nil unless `logprobs` in ``GenerationOptions/extras`` requests it.
    public let logprobs: [TokenLogprob]?
    /// The entry of ``GenerationOptions/stopSequences`` that ended the reply; nil if none did.
    ///
    /// The reply does not include it.
    public let stopSequence: String?

    /// The log probability of the token that ended the reply, where ``logprobs`` are reported and one did.
    package var endLogprob: TokenLogprob?

    /// Creates a completion.
    public init(
        message: ChatMessage,
        finishReason: GenerationFinishReason,
        stats: GenerationStats? = nil,
        limit: GenerationLimit? = nil,
        issues: [GenerationIssue] = [],
        trimming: HistoryTrimming? = nil,
        logprobs: [TokenLogprob]? = nil,
        stopSequence: String? = nil
    ) {
        self.message = message
        self.finishReason = finishReason
        self.stats = stats
        self.limit = limit
        self.issues = issues
        self.trimming = trimming
        self.logprobs = logprobs
        self.stopSequence = stopSequence
    }

    /// The whole reply, by the other name of ``message``.
    public var fullMessage: ChatMessage { message }

    /// The finish reason and statistics together, as in older versions of the LEAP SDK.
    public var info: GenerationCompleteInfo { GenerationCompleteInfo(finishReason: finishReason, stats: stats) }
}

/// The end of a reply: its finish reason and statistics.
public struct GenerationCompleteInfo: Sendable, Hashable {
    /// The reason why the reply ended.
    public let finishReason: GenerationFinishReason
    /// The statistics of the reply; nil if nothing was computed.
    public let stats: GenerationStats?

    /// Creates a value.
    public init(finishReason: GenerationFinishReason, stats: GenerationStats?) {
        self.finishReason = finishReason
        self.stats = stats
    }
}

/// The end of a reply.
public struct MessageCompletion: Sendable, Hashable {
    /// The whole reply: text, reasoning and calls.
    public let message: ChatMessage
    /// The reason for the end of the reply.
    public let finishReason: GenerationFinishReason
    /// The cost of the reply; nil where nothing was computed.
    public let stats: GenerationStats?
    /// The limit that ended the reply, for ``GenerationFinishReason/exceedContext``.
    public let limit: GenerationLimit?
    /// Issues that did not stop the generation but may concern the app, such as calls that are not readable.
    public let issues: [GenerationIssue]
    /// The messages that were left out of the prompt to make it fit, if ``GenerationOptions/contextOverflowPolicy``
    /// allowed it.
    public let trimming: HistoryTrimming?
    /// The log probability of each token that was generated, in order, reasoning and marks of calls included; nil
    /// unless `logprobs` in ``GenerationOptions/extras`` asks for them.
    public let logprobs: [TokenLogprob]?
    /// The one of ``GenerationOptions/stopSequences`` that ended the reply, which it is no part of; nil where none did.
    public let stopSequence: String?

    /// The log probability of the token that ended the reply, where ``logprobs`` are reported and one did.
    package internal(set) var endLogprob: TokenLogprob?

    /// Makes a completion.
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

    /// Finish reason and statistics together, as older versions of the LEAP SDK had them.
    public var info: GenerationCompleteInfo { GenerationCompleteInfo(finishReason: finishReason, stats: stats) }
}

/// The end of a reply: its reason and its cost.
public struct GenerationCompleteInfo: Sendable, Hashable {
    /// The reason for the end of the reply.
    public let finishReason: GenerationFinishReason
    /// The cost of the reply; nil where nothing was computed.
    public let stats: GenerationStats?

    /// Makes a value.
    public init(finishReason: GenerationFinishReason, stats: GenerationStats?) {
        self.finishReason = finishReason
        self.stats = stats
    }
}

extension OpenAI {
    /// The reason why a reply ended.
    package enum FinishReason: String, Sendable, Hashable, CaseIterable {
        /// The model came to an end, or wrote a text that ends replies.
        case stop
        /// The limit of tokens or the end of the context was reached.
        case length
        case toolCalls = "tool_calls"
        /// The older name of ``toolCalls``.
        case functionCall = "function_call"
        /// The endpoint's filter held the rest back.
        case contentFilter = "content_filter"
        /// The endpoint failed; no value of OpenAI's.
        case error

        /// The same reason by the name that it had before there were tools.
        package var withoutTools: FinishReason { self == .toolCalls ? .functionCall : self }
    }
}

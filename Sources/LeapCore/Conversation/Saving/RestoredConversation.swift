/// A conversation that was read from a file, with a report on its saved state.
public struct RestoredConversation: Sendable {
    /// The conversation, which continues where it was saved.
    public let conversation: any Conversation
    /// The number of tokens whose state was restored; 0 if the next reply computes the whole history again.
    public let stateTokens: Int
    /// The reason why the state in the file is not used, in one line; nil if it is used, or if the file has none.
    ///
    /// The history is complete and replies are the same in either case. Without the state, the next reply takes longer.
    public let recomputationReason: String?

    /// Creates a result.
    public init(conversation: any Conversation, stateTokens: Int, recomputationReason: String?) {
        self.conversation = conversation
        self.stateTokens = stateTokens
        self.recomputationReason = recomputationReason
    }
}

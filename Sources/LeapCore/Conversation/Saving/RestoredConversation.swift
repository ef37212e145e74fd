/// A conversation that was read from a file, with a report on the state in it.
public struct RestoredConversation: Sendable {
    /// The conversation, which goes on where it was saved.
    public let conversation: any Conversation
    /// The number of tokens whose state was taken up; 0 where the next reply computes the whole history anew.
    public let stateTokens: Int
    /// The reason why the state in the file is not used, in one line; nil where it is, and where the file has none.
    ///
    /// The history is complete either way, and replies are the same; the next one only takes longer.
    public let recomputationReason: String?

    /// Makes a result.
    public init(conversation: any Conversation, stateTokens: Int, recomputationReason: String?) {
        self.conversation = conversation
        self.stateTokens = stateTokens
        self.recomputationReason = recomputationReason
    }
}

/// The reason for the end of a reply.
public enum GenerationFinishReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// The model was done.
    case stop
    /// The context is full, or ``GenerationOptions/maxTokens`` are generated; ``MessageCompletion/limit`` tells which.
    /// The reply may end in the middle of a sentence.
    case exceedContext
    /// The app stopped it.
    case interrupted
    /// The constraint (a JSON schema, say) allows nothing more.
    case constraint
    /// Something failed; the reply is not in the history.
    case error

    /// The older spelling of ``exceedContext``.
    public static var exceed_context: GenerationFinishReason { .exceedContext }
}

/// A limit that ended a reply.
public enum GenerationLimit: Sendable, Hashable {
    /// This many tokens were asked for at most.
    case maxTokens(Int)
    /// The context holds this many tokens.
    case contextSize(Int)
}

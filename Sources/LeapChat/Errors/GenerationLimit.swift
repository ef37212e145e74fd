/// A limit that ended a reply.
public enum GenerationLimit: Sendable, Hashable {
    /// The maximum number of tokens that the app requested.
    case maxTokens(Int)
    /// The number of tokens that the context holds.
    case contextSize(Int)
}

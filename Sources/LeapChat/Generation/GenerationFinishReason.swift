/// The reason why a reply ended.
public enum GenerationFinishReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// The model finished its reply.
    case stop
    /// The context is full, or the reply has ``GenerationOptions/maxTokens`` tokens.
    ///
    /// ``MessageCompletion/limit`` says which. The reply can end in the middle of a sentence.
    case exceedContext
    /// The app stopped the generation.
    case interrupted
    /// The constraint (for example a JSON Schema) allows no more tokens.
    case constraint
    /// An error occurred; the reply is not in the history.
    case error
}

/// The author of a message.
public enum ChatMessageRole: String, Sendable, Hashable, Codable, CaseIterable {
    /// The person who talks to the model.
    case user
    /// The app's instructions, in the first message only.
    case system
    /// The model.
    case assistant
    /// The result of a function that the model called.
    case tool
}

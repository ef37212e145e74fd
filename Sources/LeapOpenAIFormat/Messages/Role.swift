extension OpenAI {
    /// The author of a message.
    package enum Role: String, Sendable, Hashable, CaseIterable {
        case system
        /// The newer name of ``system``.
        case developer
        case user
        case assistant
        case tool
        /// The older name of ``tool``.
        case function

        /// The same role by the name that chat templates have.
        package var canonical: Role {
            switch self {
            case .developer: .system
            case .function: .tool
            case .system, .user, .assistant, .tool: self
            }
        }
    }
}

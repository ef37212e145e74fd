import LeapOpenAIFormat

extension ChatMessageRole {
    /// The role by its name in OpenAI's format, which has two more names for two of them; nil for any other word.
    package init?(openAI name: String) {
        switch OpenAI.Role(rawValue: name)?.canonical {
        case .system: self = .system
        case .user: self = .user
        case .assistant: self = .assistant
        case .tool: self = .tool
        case .developer, .function, nil: return nil
        }
    }

    /// The role in OpenAI's format.
    var openAI: OpenAI.Role {
        switch self {
        case .system: .system
        case .user: .user
        case .assistant: .assistant
        case .tool: .tool
        }
    }
}

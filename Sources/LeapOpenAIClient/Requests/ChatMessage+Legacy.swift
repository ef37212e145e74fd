// Names that messages have in versions of the LEAP SDK that were bridged from Kotlin: types there, functions here.

extension ChatMessage {
    /// Instructions; the name of ``ChatMessage/system(_:)`` in version 0.10.8 of the LEAP SDK.
    public static func System(content: String) -> ChatMessage { system(content) }
    /// A user message; the name of ``ChatMessage/user(_:)`` in version 0.10.8 of the LEAP SDK.
    public static func User(content: String) -> ChatMessage { user(content) }
    /// A message of the model; the name of ``ChatMessage/assistant(_:)`` in version 0.10.8 of the LEAP SDK.
    public static func Assistant(content: String) -> ChatMessage { assistant(content) }
}

/// Instructions; the name of ``ChatMessage/system(_:)`` before version 0.10.8 of the LEAP SDK.
public func ChatMessageSystem(content: String) -> ChatMessage { .system(content) }
/// A user message; the name of ``ChatMessage/user(_:)`` before version 0.10.8 of the LEAP SDK.
public func ChatMessageUser(content: String) -> ChatMessage { .user(content) }
/// A message of the model; the name of ``ChatMessage/assistant(_:)`` before version 0.10.8 of the LEAP SDK.
public func ChatMessageAssistant(content: String) -> ChatMessage { .assistant(content) }

/// The namespace of a file's functions in versions of the LEAP SDK that were bridged from Kotlin.
public enum OpenAiClientKt {
    /// Creates a client.
    @available(*, deprecated, message: "write OpenAiClient(config:)")
    public static func OpenAiClient(config: OpenAiClientConfig) -> LeapOpenAIClient.OpenAiClient {
        LeapOpenAIClient.OpenAiClient(config: config)
    }
}

package import LeapJSON
import LeapOpenAIFormat

/// A message of a request.
///
/// There are initializers for text. Create every other message (images, calls, results of calls) from JSON in OpenAI's
/// format, such as the output of `exportToJSON()` of a `Conversation` of `LeapSDK`.
public struct ChatMessage: Sendable, Hashable {
    /// The author of a message.
    public enum Role: String, Sendable, Hashable, CaseIterable {
        /// Instructions.
        case system
        /// The person.
        case user
        /// The model.
        case assistant
        /// The result of a call.
        case tool
    }

    /// The message as it is sent.
    package let document: JSONObject

    package init(document: JSONObject) { self.document = document }

    /// Creates a text message.
    public init(role: Role, content: String) {
        self.init(document: Self.document(role.openAI, content))
    }

    /// Creates a message from a JSON object in OpenAI's format, which is sent as it is.
    ///
    /// - Throws: ``OpenAiClientError`` with ``OpenAiClientError/Code/invalidRequest`` if the text is not a JSON object
    ///   with a `role`.
    public init(json text: String) throws {
        self = try Self.message(try JSONText.value(text, "the message"), "the message")
    }

    /// Creates messages from a JSON array of objects in OpenAI's format, which are sent as they are.
    ///
    /// - Throws: ``OpenAiClientError`` with ``OpenAiClientError/Code/invalidRequest`` that says which message is
    ///   invalid.
    public static func messages(fromJSON text: String) throws -> [ChatMessage] {
        let value = try JSONText.value(text, "the messages")
        guard let values = value.array else {
            throw OpenAiClientError(.invalidRequest, "the messages are \(value.kind); expected an array of messages")
        }
        return try values.enumerated().map { try message($1, "message \($0)") }
    }

    private static func message(_ value: JSONValue, _ place: String) throws(OpenAiClientError) -> ChatMessage {
        guard let document = value.object, document[OpenAI.Key.role]?.string != nil else {
            throw OpenAiClientError(
                .invalidRequest, "\(place) is \(value.kind) without a role; expected an object with one")
        }
        return ChatMessage(document: document)
    }

    /// The author of the message; nil for any other role.
    public var role: Role? { document[OpenAI.Key.role]?.string.flatMap { Role(rawValue: $0) } }

    /// The text: `content`, or its text parts joined.
    public var content: String {
        OpenAI.ContentPart.text(of: document[OpenAI.Key.content]) ?? ""
    }

    /// Instructions.
    public static func system(_ content: String) -> ChatMessage { ChatMessage(role: .system, content: content) }
    /// A user message.
    public static func user(_ content: String) -> ChatMessage { ChatMessage(role: .user, content: content) }
    /// A message of the model.
    public static func assistant(_ content: String) -> ChatMessage { ChatMessage(role: .assistant, content: content) }

    /// Instructions.
    public static func system(content: String) -> ChatMessage { system(content) }
    /// A user message.
    public static func user(content: String) -> ChatMessage { user(content) }
    /// A message of the model.
    public static func assistant(content: String) -> ChatMessage { assistant(content) }

    /// The result of a call.
    public static func tool(content: String, toolCallId: String) -> ChatMessage {
        ChatMessage(document: document(.tool, content, toolCallID: toolCallId))
    }

    private static func document(_ role: OpenAI.Role, _ content: String, toolCallID: String? = nil) -> JSONObject {
        var message = OpenAI.Message()
        message.role = role
        message.content = .string(content)
        message.toolCallID = toolCallID
        return message.object
    }
}

extension ChatMessage.Role {
    /// The role in OpenAI's format.
    fileprivate var openAI: OpenAI.Role {
        switch self {
        case .system: .system
        case .user: .user
        case .assistant: .assistant
        case .tool: .tool
        }
    }
}

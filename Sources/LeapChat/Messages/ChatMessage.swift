/// One message of a chat, in the format of OpenAI's chat completions.
///
/// ```swift
/// let question = ChatMessage(role: .user, textContent: "What is the capital of France?")
/// ```
public struct ChatMessage: Sendable {
    /// The author of a message.
    public typealias Role = ChatMessageRole

    /// The author of the message.
    public var role: ChatMessageRole
    /// The parts of the content, in order.
    public var content: [ChatMessageContent] { didSet { origin = nil } }
    /// The model's reasoning before its answer; nil if there was none.
    public var reasoningContent: String? { didSet { origin = nil } }
    /// The functions that an assistant message calls; nil if it calls none.
    public var functionCalls: [LeapFunctionCall]? { didSet { origin = nil } }
    /// The ``LeapFunctionCall/id`` of the call that a `tool` message answers.
    ///
    /// Without it, results answer the preceding calls in order.
    public var toolCallId: String?
    /// The speaker's name, or the function's for a `tool` message; most chat templates ignore it.
    public var name: String?

    /// The reply as a model wrote it; nil if none did, or if the message was changed since.
    package var origin: ReplyOrigin?

    /// Creates a message from parts.
    public init(
        role: ChatMessageRole,
        content: [ChatMessageContent],
        reasoningContent: String? = nil,
        functionCalls: [LeapFunctionCall]? = nil,
        toolCallId: String? = nil,
        name: String? = nil
    ) {
        self.role = role
        self.content = content
        self.reasoningContent = reasoningContent
        self.functionCalls = functionCalls
        self.toolCallId = toolCallId
        self.name = name
    }

    /// Creates a message with one part.
    public init(role: ChatMessageRole, content: ChatMessageContent) {
        self.init(role: role, content: [content])
    }

    /// Creates a text message.
    public init(role: ChatMessageRole, textContent: String) {
        self.init(role: role, content: [.text(textContent)])
    }

    /// The text parts, joined without a separator.
    public var text: String {
        content.lazy.compactMap(\.text).joined()
    }
}

extension ChatMessage {
    /// True if a call has text in place of its arguments.
    var hasTextArguments: Bool { functionCalls?.contains { $0.argumentText != nil } ?? false }

    /// The message with an object in place of each call's arguments that are text.
    var withArgumentObjects: ChatMessage {
        guard hasTextArguments else { return self }
        var message = self
        message.functionCalls = functionCalls?.map(\.withArgumentObject)
        return message
    }
}

extension ChatMessage: Hashable {
    /// Compares the messages' content; ignores the notation in which a model wrote it.
    public static func == (a: ChatMessage, b: ChatMessage) -> Bool {
        a.role == b.role && a.content == b.content && a.reasoningContent == b.reasoningContent
            && a.functionCalls == b.functionCalls && a.toolCallId == b.toolCallId && a.name == b.name
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(role)
        hasher.combine(content)
        hasher.combine(reasoningContent)
        hasher.combine(functionCalls)
        hasher.combine(toolCallId)
        hasher.combine(name)
    }
}

/// A reply as a model wrote it.
///
/// A prompt that repeats the reply must repeat these very characters, or the model's kept state no longer matches; the
/// parsed message has lost some of them (blank lines around reasoning, the spacing inside calls).
package struct ReplyOrigin: Sendable {
    /// Everything the model wrote, reasoning marks and call marks included.
    package let rawText: String
    /// The functions the model was told about; a conversation made from a history that ends here goes on with them.
    package let functions: [LeapFunction]

    package init(rawText: String, functions: [LeapFunction]) {
        self.rawText = rawText
        self.functions = functions
    }
}

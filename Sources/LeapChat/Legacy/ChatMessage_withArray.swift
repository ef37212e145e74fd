/// Creates a message from parts.
///
/// It is the name that ``ChatMessage/init(role:content:reasoningContent:functionCalls:toolCallId:name:)`` has in
/// version 0.10 of the LEAP SDK.
public func ChatMessage_withArray(role: ChatMessage.Role, content: [ChatMessageContent]) -> ChatMessage {
    ChatMessage(role: role, content: content)
}

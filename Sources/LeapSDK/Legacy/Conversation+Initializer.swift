@_exported import LeapCore

/// Creates a conversation like the class initializer of version 0.7 of the LEAP SDK.
///
/// It is the same as ``ModelRunner/createConversationFromHistory(history:)``.
public func Conversation(modelRunner: any ModelRunner, history: [ChatMessage]) -> any Conversation {
    modelRunner.createConversationFromHistory(history: history)
}

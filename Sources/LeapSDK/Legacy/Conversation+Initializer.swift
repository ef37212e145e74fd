@_exported import LeapCore

/// Makes a conversation, in the way of version 0.7 of the LEAP SDK, where it was a class.
///
/// The same as ``ModelRunner/createConversationFromHistory(history:)``.
public func Conversation(modelRunner: any ModelRunner, history: [ChatMessage]) -> any Conversation {
    modelRunner.createConversationFromHistory(history: history)
}

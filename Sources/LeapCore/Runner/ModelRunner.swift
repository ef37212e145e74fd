/// A model in memory.
///
/// Hold on to it for as long as the model is needed; its conversations do too. ``unload()`` gives the memory back at once, and so
/// does releasing the last reference to the runner and its conversations.
public protocol ModelRunner: AnyObject, Sendable {
    /// The model's name: what it was loaded by, or its file's name without the extension.
    var modelId: String { get }

    /// Begins a conversation.
    ///
    /// - Parameter systemPrompt: instructions for the model; nil or empty for none.
    func createConversation(systemPrompt: String?) -> any Conversation

    /// Goes on with a conversation.
    func createConversationFromHistory(history: [ChatMessage]) -> any Conversation

    /// Generates the reply to a conversation's history as it is, with callbacks on the main queue.
    ///
    /// ``Conversation/generateResponse(message:generationOptions:)`` is the usual way. This one adds no message before it begins. Without
    /// an error callback, errors arrive as a completion with ``GenerationFinishReason/error``.
    func generateResponse(
        conversation: any Conversation,
        generationOptions: GenerationOptions?,
        onResponseCallback: @escaping (MessageResponse) -> Void,
        onErrorCallback: ((LeapError) -> Void)?
    ) -> any GenerationHandler

    /// Gives the model's memory back.
    ///
    /// What is being generated is interrupted. The conversations keep their history; generating in them fails from now on.
    func unload() async

    /// The tokens that a generation after these messages would begin with.
    ///
    /// - Parameters:
    ///   - messages: the whole history, the message to answer last.
    ///   - addBosToken: whether the token that begins every text is counted, if the model has one.
    /// - Returns: exactly what would be computed, had nothing been kept; 0 if the messages cannot be made into a prompt or the model
    ///   is unloaded (the log says why).
    func getPromptTokensSize(messages: [ChatMessage], addBosToken: Bool) async -> Int
}

extension ModelRunner {
    /// Begins a conversation without a system prompt.
    public func createConversation() -> any Conversation { createConversation(systemPrompt: nil) }

    /// The tokens that a generation after these messages would begin with.
    public func getPromptTokensSize(messages: [ChatMessage]) async -> Int {
        await getPromptTokensSize(messages: messages, addBosToken: true)
    }

    /// Generates the reply to a conversation's history as it is, with a callback on the main queue.
    public func generateResponse(
        conversation: any Conversation,
        generationOptions: GenerationOptions? = nil,
        onResponseCallback: @escaping (MessageResponse) -> Void
    ) -> any GenerationHandler {
        generateResponse(
            conversation: conversation, generationOptions: generationOptions, onResponseCallback: onResponseCallback,
            onErrorCallback: nil)
    }
}

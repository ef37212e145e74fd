import LeapSDK

/// An app's own runner and conversation for its tests, with the members that the documents list and no others.
final class MockRunner: ModelRunner {
    let modelId = "harbour-mock"

    func createConversation(systemPrompt: String?) -> Conversation { MockConversation(self) }
    func createConversationFromHistory(history: [ChatMessage]) -> Conversation { MockConversation(self, history) }
    func unload() async {}
    func getPromptTokensSize(messages: [ChatMessage], addBosToken: Bool) async -> Int { messages.count }
}

final class MockConversation: Conversation, @unchecked Sendable {
    let modelRunner: ModelRunner
    private(set) var history: [ChatMessage]
    private(set) var functions: [LeapFunction] = []
    let isGenerating = false

    init(_ runner: ModelRunner, _ history: [ChatMessage] = []) {
        modelRunner = runner
        self.history = history
    }

    func registerFunction(function: LeapFunction) { functions.append(function) }
    func registerFunctions(functions: [LeapFunction]) { self.functions += functions }
    func appendToHistory(message: ChatMessage) { history.append(message) }
    func removeLastMessage() { _ = history.popLast() }
    func exportToJSON() -> String { "[]" }

    func generateResponse(
        userTextMessage: String, generationOptions: GenerationOptions?
    ) -> SkieSwiftFlow<MessageResponse> {
        generateResponse(
            message: ChatMessage(role: .user, textContent: userTextMessage), generationOptions: generationOptions)
    }

    func generateResponse(
        message: ChatMessage, generationOptions: GenerationOptions?
    ) -> SkieSwiftFlow<MessageResponse> {
        SkieSwiftFlow { continuation in
            let reply = ChatMessage(role: .assistant, textContent: "Berth two.")
            history += [message, reply]
            continuation.yield(.chunk("Berth two."))
            continuation.yield(.complete(MessageCompletion(message: reply, finishReason: .stop)))
            continuation.finish()
        }
    }
}

/// A conversation that registers by the other spelling.
final class OlderMockConversation: Conversation, @unchecked Sendable {
    let modelRunner: any ModelRunner = MockRunner()
    let history: [ChatMessage] = []
    private(set) var functions: [LeapFunction] = []
    let isGenerating = false

    func registerFunction(_ function: LeapFunction) { functions.append(function) }
    func registerFunctions(_ functions: [LeapFunction]) { self.functions += functions }
    func appendToHistory(message: ChatMessage) {}
    func removeLastMessage() {}
    func generateResponse(
        message: ChatMessage, generationOptions: GenerationOptions?
    ) -> AsyncThrowingStream<MessageResponse, any Error> {
        AsyncThrowingStream { $0.finish(throwing: LeapError.generationFailure("fog", nil)) }
    }
}

/// A conversation that registers by no spelling.
final class DeafMockConversation: Conversation {
    let modelRunner: any ModelRunner = MockRunner()
    let history: [ChatMessage] = []
    let functions: [LeapFunction] = []
    let isGenerating = false

    func appendToHistory(message: ChatMessage) {}
    func removeLastMessage() {}
    func generateResponse(
        message: ChatMessage, generationOptions: GenerationOptions?
    ) -> AsyncThrowingStream<MessageResponse, any Error> { AsyncThrowingStream { $0.finish() } }
}

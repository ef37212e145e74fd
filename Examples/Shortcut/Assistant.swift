import LeapDemoModel
import LeapSDK

/// One model for all questions, loaded with the first.
actor Assistant {
    static let shared = Assistant()

    private var loading: Task<any ModelRunner, any Error>?

    /// Answers a question in a conversation of its own.
    func answer(_ question: String) async throws -> String {
        let loading = loading ?? Task { try await Leap.load(url: LeapDemoModel.url) }
        self.loading = loading
        let runner: any ModelRunner
        do {
            runner = try await loading.value
        } catch {
            // The next question tries again.
            self.loading = nil
            throw error
        }
        // A shortcut runs in the background, where the system's patience is short.
        let options = GenerationOptions(maxTokens: 200)
        let chat = runner.createConversation(systemPrompt: "You are a helpful assistant.")
        var answer = ""
        for try await response in chat.generateResponse(userTextMessage: question, generationOptions: options) {
            if case .chunk(let text) = response { answer += text }
        }
        return answer
    }
}

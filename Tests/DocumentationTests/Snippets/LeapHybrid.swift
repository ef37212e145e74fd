import LeapCore
import LeapHybrid

/// The code of LeapHybrid's page.
enum LeapHybridSnippets {
    static func overview(key: String, device: any ModelRunner) async throws {
        let cloud = CloudModelRunner(
            model: "gpt-4o-mini", config: OpenAiClientConfig(apiKey: key, maxRetries: 0, responseTimeout: 20))
        let router = HybridRouter(device: device, cloud: cloud, rules: [.contextSize, .functions(to: .cloud)])
        let conversation = router.createConversation(systemPrompt: "Answer briefly.")
        for try await response in conversation.generateResponse(userTextMessage: "What is the capital of Japan?") {
            if case .chunk(let text) = response { print(text, terminator: "") }
        }
        print(conversation.lastRoute?.side ?? .device, conversation.lastRoute?.reason ?? "")
        let hard = RoutingRule("hard") { request in
            request.messages.last?.text.hasPrefix("Prove") == true ? .cloud : nil
        }
        _ = hard
    }
}

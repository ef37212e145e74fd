import LeapOpenAIClient
import LeapTestTraits
import Testing

/// Call sites of the LEAP SDK, as its versions spell them.
@Suite(.inServerTurns)
struct CallSiteTests {
    @available(*, deprecated)
    private func older() -> OpenAiClient { OpenAiClientKt.OpenAiClient(config: OpenAiClientConfig(apiKey: "k")) }

    @Test("Clients, requests and messages are made as in the LEAP SDK")
    func made() throws {
        let client = OpenAiClient(
            config: OpenAiClientConfig(
                apiKey: "k", baseUrl: "https://openrouter.ai/api/v1", chatCompletionsPath: "/chat/completions",
                extraHeaders: ["HTTP-Referer": "https://example.org"]))
        #expect(client.config.extraHeaders.count == 1)
        let plain = OpenAiClientConfig(apiKey: "k")
        #expect(plain.baseUrl == "https://api.openai.com/v1" && plain.chatCompletionsPath == "/chat/completions")
        let messages: [ChatMessage] = [
            .system("s"), .user("u"), .assistant("a"), ChatMessage.system(content: "s"), ChatMessage.user(content: "u"),
            ChatMessage.assistant(content: "a"), ChatMessage.System(content: "s"), ChatMessage.User(content: "u"),
            ChatMessage.Assistant(content: "a"), ChatMessageSystem(content: "s"), ChatMessageUser(content: "u"),
            ChatMessageAssistant(content: "a"),
        ]
        #expect(messages.map(\.role) == (0..<4).flatMap { _ in [.system, .user, .assistant] as [ChatMessage.Role?] })
        #expect(messages.map(\.content) == (0..<4).flatMap { _ in ["s", "u", "a"] })
        let request = ChatCompletionRequest(
            model: "m", messages: messages, temperature: 0.7, topP: 0.9, maxCompletionTokens: 10, maxTokens: 11,
            frequencyPenalty: 0.1, presencePenalty: 0.2, stop: ["x"], stream: false, topK: 40, repetitionPenalty: 1.1,
            minP: 0.05, topA: 0.2, transforms: ["middle-out"], models: ["m", "n"], route: "fallback",
            provider: ProviderPreferences(order: ["a"], allowFallbacks: false))
        #expect(request.stream == false)
    }

    @Test("Events are switched over directly, or as version 0.10 does")
    func events() {
        var seen = ""
        for event in [
            ChatCompletionEvent.delta("a"), .done(Usage(promptTokens: 1, completionTokens: 2, totalTokens: 3)),
            .error("e"),
        ] {
            switch event {
            case .delta(let content): seen += content
            case .done(let usage): seen += "\(usage?.totalTokens ?? 0)"
            case .error(let message): seen += message
            }
            switch onEnum(of: event) {
            case .delta(let delta): seen += delta.content
            case .done(let done): seen += "\(done.usage?.promptTokens ?? 0)"
            case .error(let error): seen += error.message
            }
        }
        #expect(seen == "aa31ee")
    }
}

import LeapOpenAIClient

/// The code of LeapOpenAIClient's page.
enum LeapOpenAIClientSnippets {
    /// A conversation of LeapSDK, as far as the page needs it.
    protocol Exporting {
        func exportToJSON() -> String
    }

    static func overview(key: String, conversation: any Exporting) async throws {
        let client = OpenAiClient(config: OpenAiClientConfig(apiKey: key, baseUrl: "https://api.openai.com/v1"))
        let request = ChatCompletionRequest(
            model: "gpt-4o-mini",
            messages: [.system("Answer briefly."), .user("What is the capital of Japan?")],
            temperature: 0.7)
        for try await event in client.streamChatCompletion(request: request) {
            switch event {
            case .delta(let content): print(content, terminator: "")
            case .done(let usage): print("\n\(usage?.totalTokens ?? 0) tokens")
            case .error(let message): print("\n\(message)")
            }
        }
        do {
            for try await chunk in client.streamChunks(request: request) {
                if let reasoning = chunk.reasoning { print("(\(reasoning))", terminator: "") }
                if let content = chunk.content { print(content, terminator: "") }
                for call in chunk.toolCalls { print(call.name ?? "", call.arguments ?? "") }
            }
        } catch let error as OpenAiClientError where error.code == .rateLimited {
            print("try again in \(error.retryAfter ?? 60) seconds")
        }
        let moved = ChatCompletionRequest(
            model: "gpt-4o-mini", messages: try ChatMessage.messages(fromJSON: conversation.exportToJSON()))
        _ = moved
    }
}

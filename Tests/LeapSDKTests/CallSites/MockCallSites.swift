import LeapSDK
import Testing

/// Conversations and runners of the app's own.
@MainActor
struct MockCallSites {
    func registerBothWays(_ conversation: Conversation) -> Int {
        conversation.registerFunction(tideTable)
        conversation.registerFunction(function: tideTable)
        conversation.registerFunctions([tideTable])
        conversation.registerFunctions(functions: [tideTable])
        return conversation.functions.count
    }

    func callBack(_ conversation: Conversation) async -> [String] {
        let (pieces, continuation) = AsyncStream<String>.makeStream()
        conversation.generateResponse(message: ChatMessage(role: .user, textContent: "Any berth?")) { response in
            switch response {
            case .chunk(let text): continuation.yield(text)
            case .complete(let completion):
                continuation.yield("\(completion.finishReason)")
                continuation.finish()
            default: break
            }
        }
        var all: [String] = []
        for await piece in pieces { all.append(piece) }
        return all
    }

    func callBackThroughRunner(_ conversation: Conversation) async -> [String] {
        let (pieces, continuation) = AsyncStream<String>.makeStream()
        let handler = conversation.modelRunner.generateResponse(
            conversation: conversation, generationOptions: nil,
            onResponseCallback: { response in
                if case .chunk(let text) = response { continuation.yield(text) }
                if case .complete = response { continuation.finish() }
            },
            onErrorCallback: { error in
                continuation.yield(error.message)
                continuation.finish()
            })
        var all: [String] = []
        for await piece in pieces { all.append(piece) }
        handler.stop()
        return all
    }

    @Test("A mock with the documented members is a runner and a conversation like any other")
    func run() async throws {
        let runner: ModelRunner = MockRunner()
        let conversation = runner.createConversation(systemPrompt: nil)
        #expect(registerBothWays(conversation) == 4)
        #expect(registerBothWays(OlderMockConversation()) == 4)
        #expect(registerBothWays(DeafMockConversation()) == 0)
        #expect(await callBack(conversation) == ["Berth two.", "stop"])
        #expect(conversation.history.map(\.role) == [.user, .assistant])

        // The runner's form answers the history as it is: the question stays once.
        let asked = runner.createConversationFromHistory(
            history: [ChatMessage(role: .user, textContent: "Any berth?")])
        #expect(await callBackThroughRunner(asked) == ["Berth two."])
        #expect(asked.history.map(\.role) == [.user, .assistant])
        #expect(await callBackThroughRunner(OlderMockConversation()) == ["fog"])

        let again = try await asked.regenerateResponse().collect()
        #expect(again.text == "Berth two." && asked.history.map(\.role) == [.user, .assistant])
        #expect(await runner.getPromptTokensSize(messages: asked.history) == 2)
        #expect(runner.contextSize == 0 && runner.adapters.isEmpty)
    }
}

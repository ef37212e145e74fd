import LeapSDK
import Testing

/// Conversations in the forms that came before version 0.7.
@MainActor
struct OlderCallSites {
    let desk = Desk()

    func makeConversation(runner: ModelRunner) -> [Conversation] {
        let opening = ChatMessage(role: .system, content: [.text("You run the desk of a harbour.")])
        let plain = Conversation(modelRunner: runner, history: [])
        let conversation = Conversation(modelRunner: runner, history: [opening])
        return [plain, conversation]
    }

    func streamOlder(conversation: Conversation) async -> GenerationFinishReason? {
        let question = ChatMessage(role: .user, content: [.text("Hello!")])
        let settings = GenerationOptions(temperature: 0.2, topP: 0.9, repetitionPenalty: 1.02).with(maxTokens: 24)
        for await response in conversation.generateResponse(message: question, options: settings) {
            if Task.isCancelled { break }
            switch response {
            case .chunk(let text):
                desk.show(text)
            case .reasoningChunk(let text):
                print("the desk thinks: \(text)")
            case .complete(let usage, let info):
                print(usage)
                if let stats = info.stats { print(stats.totalTokens, stats.tokenPerSecond) }
                return info.finishReason
            }
        }
        return nil
    }

    func olderReasons(_ reason: GenerationFinishReason) -> String {
        switch reason {
        case .stop: "done"
        case .exceed_context: "the context is full"
        default: "ended early"
        }
    }

    func throwOlderErrors() -> [String] {
        let throwing: [() throws -> Void] = [
            { throw LeapError.loadModelFailure },
            { throw LeapError.modelLoadingFailure("no such harbour", nil) },
            { throw LeapError.generationFailure("fog", nil) },
            { throw LeapError.serializationFailure("not a log book", CancellationError()) },
        ]
        return throwing.map { body in
            do {
                try body()
                return "nothing"
            } catch LeapError.loadModelFailure {
                return "loading"
            } catch LeapError.generationFailure {
                return "generation"
            } catch LeapError.serializationFailure {
                return "serialization"
            } catch {
                return "other"
            }
        }
    }

    @Test("Call sites from before version 0.7 run")
    func run() async throws {
        let conversations = makeConversation(runner: try await DemoModel.runner.value)
        #expect(conversations.map(\.history.count) == [0, 1])
        let reason = try #require(await streamOlder(conversation: conversations[1]))
        #expect(reason == .stop || reason == .exceedContext)
        #expect(!desk.lines.isEmpty && olderReasons(.exceed_context) == "the context is full")
        #expect(throwOlderErrors() == ["loading", "loading", "generation", "serialization"])
    }

    @Test("The older stream cannot throw: an error ends it")
    func failure() async throws {
        let runner = try await Leap.load(url: DemoModel.file)
        let conversation = Conversation(modelRunner: runner, history: [])
        await runner.unload()
        #expect(await streamOlder(conversation: conversation) == .error)
    }
}

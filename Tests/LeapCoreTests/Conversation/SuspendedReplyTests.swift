import Foundation
import LeapBase
import LeapDemoModel
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapChat
@testable import LeapCore
@testable import LeapEngine

/// Replies that are suspended and go on from the same token: the text is that of a reply that was not interrupted.
@Suite(.inTurns)
struct SuspendedReplyTests {
    private static let question = "Tell me a story about a fox."

    private func load() async throws -> any ModelRunner {
        try await Leap.load(
            url: LeapDemoModel.url, options: LiquidInferenceEngineOptions(bundlePath: "", cpuThreads: 1))
    }

    private func chat(_ runner: any ModelRunner) throws -> SourcedConversation {
        try #require(runner.createConversation(systemPrompt: "You are a helpful assistant.") as? SourcedConversation)
    }

    /// Suspends a reply from the thread that delivers its pieces, so that the place does not depend on the time.
    private final class SuspendingSink: ResponseSink {
        private let conversation: SourcedConversation
        private let pieceCount: Int
        private let pieces = Locked(0)
        let text = Locked("")
        let completion = Locked<MessageCompletion?>(nil)

        init(_ conversation: SourcedConversation, afterPieces count: Int) {
            self.conversation = conversation
            pieceCount = count
        }

        func take(_ item: ReplyItem) {
            switch item {
            case .response(.complete(let completion)): self.completion.withLock { $0 = completion }
            case .response(let piece):
                if case .chunk(let chunk) = piece { text.withLock { $0 += chunk } }
                let count = pieces.withLock { count in
                    count += 1
                    return count
                }
                if count == pieceCount { conversation.suspend() }
            case .end, .failure: break
            }
        }

        func takeBusy() {}
    }

    /// Generates a reply, and suspends it after some pieces.
    private func suspended(
        _ conversation: SourcedConversation, _ request: TurnRequest, _ options: GenerationOptions, after count: Int
    ) async throws -> MessageCompletion {
        let sink = SuspendingSink(conversation, afterPieces: count)
        _ = conversation.start(request, options: options, sink: sink)
        await conversation.whenIdle()
        return try #require(sink.completion.withLock { $0 })
    }

    private func message(_ text: String) -> TurnRequest { .message(ChatMessage(role: .user, textContent: text)) }

    @Test(
        "The text is the same after interruptions, greedy and by seed, and no token is computed twice",
        arguments: [
            GenerationOptions(temperature: 0.8, repetitionPenalty: 1.1, rngSeed: 5, maxTokens: 24),
            GenerationOptions(temperature: 0, maxTokens: 24),
        ])
    func sameText(options: GenerationOptions) async throws {
        let runner = try await load()
        let whole = try await chat(runner).generateResponse(
            userTextMessage: Self.question, generationOptions: options
        ).collect()
        let conversation = try chat(runner)
        let first = try await suspended(conversation, message(Self.question), options, after: 3)
        #expect(first.finishReason == .interrupted && !first.message.text.isEmpty)
        #expect(whole.text.hasPrefix(first.message.text) && first.message.text != whole.text)
        #expect(conversation.history.last?.role == .user)
        let second = try await suspended(conversation, .resumption, options, after: 9)
        #expect(second.finishReason == .interrupted && second.message.text.hasPrefix(first.message.text))
        // One pass computes the latest token; the state has the others.
        #expect(second.stats?.computedPromptTokens == 1)
        let rest = try await conversation.resumeResponse(generationOptions: options).collect()
        #expect(rest.text == whole.text && rest.completion?.message.text == whole.completion?.message.text)
        #expect(rest.completion?.finishReason == whole.completion?.finishReason)
        #expect(conversation.history.map(\.role) == [.system, .user, .assistant])
    }

    @Test("A reply in a form goes on in the form, and a kept beginning gives way to the whole reply")
    func constrained() async throws {
        let schema = """
            {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
             "required": ["name", "age"]}
            """
        let options = GenerationOptions(
            temperature: 0.8, rngSeed: 11, jsonSchemaConstraint: schema, maxTokens: 40
        ).with(keepsInterruptedReply: true)
        let runner = try await load()
        let whole = try await chat(runner).generateResponse(
            userTextMessage: Self.question, generationOptions: options
        ).collect()
        let conversation = try chat(runner)
        let first = try await suspended(conversation, message(Self.question), options, after: 2)
        #expect(first.finishReason == .interrupted && conversation.history.last?.role == .assistant)
        let rest = try await conversation.resumeResponse(generationOptions: options).collect()
        #expect(rest.text == whole.text && rest.completion?.finishReason == whole.completion?.finishReason)
        #expect(conversation.history.map(\.role) == [.system, .user, .assistant])
    }

    @Test("Another process goes on from a saved conversation, at the same token")
    func saved() async throws {
        let options = GenerationOptions(temperature: 0.8, rngSeed: 7, maxTokens: 20)
        let runner = try await load()
        let whole = try await chat(runner).generateResponse(
            userTextMessage: Self.question, generationOptions: options
        ).collect()
        let conversation = try chat(runner)
        _ = try await suspended(conversation, message(Self.question), options, after: 4)
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("chat.leap")
        let tokens = try await conversation.save(to: file)
        let restored = try await load().restoreConversation(from: file)
        #expect(restored.stateTokens == tokens && tokens > 20)
        let rest = try await restored.conversation.resumeResponse(generationOptions: options).collect()
        #expect(rest.text == whole.text && rest.completion?.stats?.computedPromptTokens == 1)
    }

    @Test(
        "A reply goes on although its model was released meanwhile, with its state from disk or computed again",
        arguments: [true, false])
    func released(keepsState: Bool) async throws {
        let options = GenerationOptions(temperature: 0.8, rngSeed: 7, maxTokens: 12)
        let runner = try await load()
        let uninterrupted = try chat(runner)
        let whole = try await uninterrupted.generateResponse(
            userTextMessage: Self.question, generationOptions: options
        ).collect()
        await uninterrupted.whenIdle()
        let conversation = try chat(runner)
        _ = try await suspended(conversation, message(Self.question), options, after: 3)
        let folder = try TemporaryFolder()
        let given = await runner.giveBackMemory(stateFolder: keepsState ? folder.url : nil)
        #expect(given.isModelReleased && (given.savedConversations > 0) == keepsState)
        let rest = try await conversation.resumeResponse(generationOptions: options).collect()
        #expect(rest.text == whole.text && rest.completion?.finishReason == whole.completion?.finishReason)
        #expect((rest.completion?.stats?.computedPromptTokens == 1) == keepsState)
    }

    @Test("Once another message is sent, a suspended reply is over, also where the next one has no prompt yet")
    func overtaken() async throws {
        let options = GenerationOptions(temperature: 0, maxTokens: 8)
        let runner = try await load()
        let conversation = try chat(runner)
        _ = try await suspended(conversation, message(Self.question), options, after: 2)
        let sink = SuspendingSink(conversation, afterPieces: .max)
        _ = conversation.start(message("What is the capital of Portugal?"), options: options, sink: sink)
        await conversation.suspendResponse()
        let history = conversation.history
        #expect(history.map(\.role) == [.system, .user, .user])
        let rest = try await conversation.resumeResponse(generationOptions: options).collect()
        let other = try #require(runner.createConversationFromHistory(history: history) as? SourcedConversation)
        let expected = try await other.stream(.history, options: options).collect()
        #expect(rest.text == expected.text && !rest.text.isEmpty)
    }

    @Test("A reply that fails while it goes on leaves its beginning, or none, and can be resumed again")
    func failed() {
        let question = ChatMessage(role: .user, textContent: Self.question)
        for beginning in [ChatMessage(role: .assistant, textContent: "Once"), nil] {
            var record = ConversationRecord(history: [question])
            record.begin(.history)
            record.finish(.reply(beginning, isInterrupted: true))
            let history = record.history
            record.begin(.resumption)
            #expect(record.history == [question] && !record.canResume)
            record.finish(.reply(nil, isInterrupted: false))
            #expect(record.history == history && record.canResume)
        }
    }

    @Test("Nothing is resumed that was not interrupted, or has changed since; refusals say what to do")
    func refusals() async throws {
        let options = GenerationOptions(temperature: 0, maxTokens: 6)
        let runner = try await load()
        let conversation = try chat(runner)
        func refusal(_ options: GenerationOptions) async -> String {
            do {
                _ = try await conversation.resumeResponse(generationOptions: options).collect()
                return ""
            } catch { return "\(error)" }
        }
        await conversation.suspendResponse()
        let empty = await refusal(options)
        #expect(empty.contains("no interrupted reply"))
        _ = try await suspended(conversation, message(Self.question), options, after: 2)
        let short = await refusal(GenerationOptions(temperature: 0, maxTokens: 1))
        #expect(short.contains("maxTokens is 1"))
        let rest = try await conversation.resumeResponse(generationOptions: options).collect()
        #expect(rest.completion?.finishReason == .exceedContext && conversation.history.last?.role == .assistant)
        _ = try await suspended(conversation, message("And a bear?"), options, after: 2)
        conversation.appendToHistory(message: ChatMessage(role: .user, textContent: "Stop."))
        let changed = await refusal(options)
        #expect(changed.contains("no interrupted reply"))
    }

    @Test(
        "A point of interruption fits its tokens, or is refused",
        arguments: [(0, 0), (4, 0), (9, 0), (2, 3), (2, -1), (-1, 0), (Int.max, Int.max), (Int.min, 0)])
    func impossible(tokens: Int, draws: Int) {
        #expect(!OutputResumption(tokenCount: tokens, drawCount: draws).isPossible(in: [1, 2, 3, 4]))
        #expect(OutputResumption(tokenCount: 2, drawCount: 2).isPossible(in: [-1, 2, 3, 4]))
        #expect(!OutputResumption(tokenCount: 3, drawCount: 2).isPossible(in: [1, -2, 3, 4]))
        #expect(!OutputResumption(tokenCount: 1, drawCount: 0).isPossible(in: []))
    }
}

import Foundation
import LeapCore
import LeapDemoModel
import LeapTestSupport
import LeapTestTraits
import Testing

/// Limits of thoughts beside what is proposed, and beside what is kept of earlier replies.
@Suite(.inTurns)
struct ThinkingBudgetStateTests {
    private static let apples = "Tom has 3 apples and gets 4 more. How many apples does Tom have?"
    private static let books = "Anna has 7 books and buys 5 more. How many books does Anna have?"
    private static let limit = 3

    /// The parts of a reply that proposals and kept state must not change.
    private struct Outcome: Equatable {
        var reasoning: String
        var text: String
        var thinkingTokens: Int64
        var wasCut: Bool
    }

    private func load(_ extras: String? = nil, cache: LiquidCacheOptions? = nil) async throws -> any ModelRunner {
        var options = LiquidInferenceEngineOptions(bundlePath: "", cpuThreads: 1, extras: extras)
        if let cache { options = options.with(cacheOptions: cache) }
        return try await Leap.load(url: LeapDemoModel.url, options: options)
    }

    private func ask(
        _ conversation: any Conversation, _ question: String = apples, temperature: Float = 0, extras: String? = nil
    ) async throws -> (outcome: Outcome, stats: GenerationStats) {
        let options = GenerationOptions(
            temperature: temperature, rngSeed: 7, maxTokens: 30, enableThinking: true, extras: extras)
        options.thinkingBudget = Self.limit
        let reply = try await conversation.generateResponse(userTextMessage: question, generationOptions: options)
            .collect()
        let stats = try #require(reply.completion?.stats)
        let outcome = Outcome(
            reasoning: reply.reasoning, text: reply.text, thinkingTokens: stats.thinkingTokens,
            wasCut: stats.wasThinkingCut)
        return (outcome, stats)
    }

    @Test("Proposals of every kind leave the limit and the reply as they are", arguments: [0, 0.8] as [Float])
    func proposals(temperature: Float) async throws {
        let folder = try TemporaryFolder()
        let runner = try await load()
        let plain = try await ask(runner.createConversation(systemPrompt: nil), temperature: temperature).outcome
        #expect(plain.wasCut && plain.thinkingTokens == Int64(Self.limit) && !plain.text.contains("think>"))
        let lookup = try await ask(
            runner.createConversation(systemPrompt: nil), temperature: temperature,
            extras: #"{"speculation": "lookup"}"#)
        #expect(lookup.outcome == plain)
        for path in [try DraftModelFile.write(in: folder), try DrafterFile.write(in: folder)] {
            let other = try await load(#"{"speculation": {"mode": "draft", "draftModel": "\#(path)"}}"#)
            let drafted = try await ask(other.createConversation(systemPrompt: nil), temperature: temperature)
            #expect(drafted.outcome == plain, "\(path)")
            #expect(other.statistics.draftedTokens > 0)
        }
    }

    @Test("A conversation that was saved goes on as if it had not been, with a limit of its own for each reply")
    func saved() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("chat.leap")
        let conversation = try await load().createConversation(systemPrompt: nil)
        #expect(try await ask(conversation).outcome.wasCut)
        let tokens = try await conversation.save(to: file)
        let expected = try await ask(conversation, Self.books)
        #expect(expected.outcome.wasCut && expected.outcome.thinkingTokens == Int64(Self.limit))
        let restored = try await load().restoreConversation(from: file)
        #expect(restored.stateTokens == tokens && tokens > 0)
        let next = try await ask(restored.conversation, Self.books)
        #expect(next.outcome == expected.outcome)
    }

    @Test("A prefix that is kept holds what was forced: another conversation goes on from it with the same reply")
    func keptPrefix() async throws {
        let system = String(repeating: "You are a helpful assistant. ", count: 12)
        let keeping = try await load(cache: LiquidCacheOptions(path: "", enabled: true, diskDisabled: true))
        let first = keeping.createConversation(systemPrompt: system)
        #expect(try await ask(first).outcome.wasCut)
        let history = first.history
        let fresh = try await ask(
            load().createConversationFromHistory(history: history), Self.books)
        let kept = try await ask(keeping.createConversationFromHistory(history: history), Self.books)
        #expect(kept.outcome == fresh.outcome && kept.outcome.wasCut)
        #expect(kept.stats.reusedPromptTokens >= 64 && fresh.stats.reusedPromptTokens == 0)
    }
}

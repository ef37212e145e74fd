import LeapCore
import LeapDemoModel
import LeapTestTraits
import Testing

/// Scores of texts, on the embedded model.
@Suite(.inTurns)
struct ScoreTests {
    @Test("What a model would say is likelier than what it would not")
    func likelier() async throws {
        let runner = try await Leap.load(url: LeapDemoModel.url)
        let question = [ChatMessage(role: .user, textContent: "What is the capital of Portugal?")]
        let right = try await runner.score("The capital of Portugal is Lisbon.", after: question)
        let wrong = try await runner.score("The capital of Portugal is Paris.", after: question)
        #expect(right.logprob > wrong.logprob + 1)
        #expect(right.perplexity < 2 && right.perplexity >= 1)
        #expect(abs(right.meanLogprob * Double(right.tokens.count) - right.logprob) < 1e-9)
    }

    @Test("A text is scored from its start, or behind another one")
    func contexts() async throws {
        let runner = try await Leap.load(url: LeapDemoModel.url)
        let text = "Once upon a time there was a fox."
        let whole = try await runner.score(text, topLogprobs: 2)
        #expect(String(decoding: whole.tokens.flatMap(\.bytes), as: UTF8.self) == text && whole.contextTokens == 1)
        #expect(whole.tokens.allSatisfy { $0.alternatives.count == 2 })
        // The end, after the beginning, is the end of the whole.
        let end = try await runner.score(" there was a fox.", after: "Once upon a time", topLogprobs: 2)
        #expect(end.tokens == Array(whole.tokens.suffix(end.tokens.count)))
        #expect(end.contextTokens + end.tokens.count == whole.contextTokens + whole.tokens.count)
        // A token that would lie across the place where they meet does not.
        let split = try await runner.score("pon a time", after: "Once u")
        #expect(String(decoding: split.tokens.flatMap(\.bytes), as: UTF8.self) == "pon a time")
    }

    @Test("What cannot be scored is an error with its reason")
    func refused() async throws {
        let runner = try await Leap.load(
            url: LeapDemoModel.url, options: LiquidInferenceEngineOptions(bundlePath: "", contextSize: 32))
        await #expect(throws: LeapGenerationException.self) { try await runner.score("") }
        let long = await #expect(throws: LeapGenerationPromptExceedContextLengthException.self) {
            try await runner.score(String(repeating: "fox and ", count: 50))
        }
        #expect(long?.availableTokens == 32 && (long?.neededTokens ?? 0) > 32)
        let many = await #expect(throws: LeapGenerationException.self) {
            try await runner.score("fox", topLogprobs: 21)
        }
        #expect(many?.message.contains("topLogprobs") == true)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await runner.score("A fox.")
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        await runner.unload()
        let gone = await #expect(throws: LeapGenerationException.self) { try await runner.score("A fox.") }
        #expect(gone?.message.contains("unloaded") == true)
    }
}

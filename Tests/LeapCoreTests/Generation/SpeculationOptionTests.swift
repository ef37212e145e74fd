import LeapCore
import LeapDemoModel
import Testing

/// What `speculation` in the extras does, and the statistics that show it.
struct SpeculationOptionTests {
    private static let question = """
        Anna has 3 apples. Anna has 3 apples. Anna has 3 apples. Anna has 3 apples. Tell me a story about a fox.
        """

    private func run(
        loading: String?, generation: String?
    ) async throws -> (text: String, statistics: ModelStatistics) {
        let runner = try await Leap.load(
            url: LeapDemoModel.url, options: LiquidInferenceEngineOptions(bundlePath: "", extras: loading))
        var text = ""
        let conversation = runner.createConversation()
        for _ in 0..<2 {
            let options = GenerationOptions(temperature: 0, extras: generation)
            for try await response in conversation.generateResponse(
                userTextMessage: Self.question, generationOptions: options)
            {
                if case .chunk(let chunk) = response { text += chunk }
            }
        }
        return (text, runner.statistics)
    }

    @Test("The reply is the same, and statistics tell what was proposed; a generation's extras win over the model's")
    func effect() async throws {
        let plain = try await run(loading: nil, generation: nil)
        #expect(plain.statistics.draftedTokens == 0 && plain.statistics.acceptedTokens == 0)
        for (loading, generation, isOn) in [
            (nil, #"{"speculation":"lookup"}"#, true), (#"{"speculation":"lookup"}"#, nil, true),
            (#"{"speculation":{"mode":"lookup"}}"#, #"{"speculation":"off"}"#, false),
        ] as [(String?, String?, Bool)] {
            let other = try await run(loading: loading, generation: generation)
            #expect(other.text == plain.text && !other.text.isEmpty)
            #expect((other.statistics.acceptedTokens > 0) == isOn)
            #expect(other.statistics.draftedTokens >= other.statistics.acceptedTokens)
            #expect(other.statistics.generatedTokens == plain.statistics.generatedTokens)
            #expect(other.statistics.computedPromptTokens == plain.statistics.computedPromptTokens)
        }
        #expect(plain.statistics.generations == 2 && plain.statistics.activeGenerations == 0)
        #expect(plain.statistics.cachedPromptTokens > 20 && plain.statistics.memoryBytes > 0)
        #expect(plain.statistics.metrics["leap_tokens_generated_total"] == plain.statistics.generatedTokens)
    }

    @Test("A value that is none of the expected ones is named when the model is loaded")
    func wrong() async throws {
        let error = await #expect(throws: LeapModelLoadingException.self) {
            try await run(loading: #"{"speculation":"fast"}"#, generation: nil)
        }
        #expect(error?.message.contains("'speculation' in the extras is 'fast'; expected 'off', 'lookup'") == true)
    }
}

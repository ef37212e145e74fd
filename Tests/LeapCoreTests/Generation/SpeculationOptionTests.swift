import Foundation
import LeapCore
import LeapDemoModel
import LeapTestSupport
import LeapTestTraits
import Testing

/// The effects of `speculation` in the extras, and the statistics that show them.
@Suite(.inTurns)
struct SpeculationOptionTests {
    private static let question = """
        Anna has 3 apples. Anna has 3 apples. Anna has 3 apples. Anna has 3 apples. Tell me a story about a fox.
        """
    private static let story = "Tell me a story about a fox."

    private func run(
        loading: String?, generation: String?, temperature: Float = 0, question: String = story,
        tokens: Int32 = TestLevel.isAll ? 120 : 20
    ) async throws -> (text: String, statistics: ModelStatistics) {
        let runner = try await Leap.load(
            url: LeapDemoModel.url, options: LiquidInferenceEngineOptions(bundlePath: "", extras: loading))
        var text = ""
        let conversation = runner.createConversation()
        for _ in 0..<2 {
            let options = GenerationOptions(
                temperature: temperature, rngSeed: 7, maxTokens: tokens, extras: generation)
            for try await response in conversation.generateResponse(
                userTextMessage: question, generationOptions: options)
            {
                if case .chunk(let chunk) = response { text += chunk }
            }
        }
        return (text, runner.statistics)
    }

    @Test("The reply is the same, and statistics tell what was proposed; a generation's extras win over the model's")
    func effect() async throws {
        // Enough tokens for repetitions.
        let tokens: Int32 = TestLevel.isAll ? 120 : 60
        let plain = try await run(loading: nil, generation: nil, question: Self.question, tokens: tokens)
        #expect(plain.statistics.draftedTokens == 0 && plain.statistics.acceptedTokens == 0)
        for (loading, generation, isOn) in [
            (nil, #"{"speculation":"lookup"}"#, true), (#"{"speculation":"lookup"}"#, nil, true),
            (#"{"speculation":{"mode":"lookup"}}"#, #"{"speculation":"off"}"#, false),
        ] as [(String?, String?, Bool)] {
            let other = try await run(
                loading: loading, generation: generation, question: Self.question, tokens: tokens)
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

    @Test(
        "A draft model's proposals leave the reply as it is, at any temperature, and a generation may do without them")
    func draftModel() async throws {
        let folder = try TemporaryFolder()
        let path = try DraftModelFile.write(in: folder)
        let loading = #"{"speculation":{"mode":"draft","draftModel":"\#(path)"}}"#
        let waiting = #"{"speculation":{"mode":"off","draftModel":"\#(path)"}}"#
        let greedy = try await run(loading: nil, generation: nil)
        let sampled = try await run(loading: nil, generation: nil, temperature: 1)
        for (extras, mode, isSampled, isOn) in [
            (loading, "off", false, false), (waiting, "draft", false, true), (loading, "draft", true, true),
        ] as [(String, String, Bool, Bool)] {
            let plain = isSampled ? sampled : greedy
            let other = try await run(
                loading: extras, generation: #"{"speculation":"\#(mode)"}"#, temperature: isSampled ? 1 : 0)
            #expect(other.text == plain.text && !other.text.isEmpty)
            #expect((other.statistics.draftedTokens > 0) == isOn)
            #expect(other.statistics.draftedTokens >= other.statistics.acceptedTokens)
            #expect(other.statistics.computedPromptTokens == plain.statistics.computedPromptTokens)
        }
        #expect(try await run(loading: loading, generation: nil).statistics.draftedTokens > 0)
        #expect(try await run(loading: waiting, generation: nil).statistics.draftedTokens == 0)
    }

    @Test("A drafter of blocks under the same key proposes too, and leaves the reply as it is")
    func drafter() async throws {
        let folder = try TemporaryFolder()
        let fitting = try DrafterFile.write(in: folder)
        let extras = #"{"speculation":{"draftModel":"\#(fitting)"}}"#
        for temperature in [0, 1] as [Float] {
            let plain = try await run(loading: nil, generation: nil, temperature: temperature)
            let other = try await run(loading: extras, generation: nil, temperature: temperature)
            #expect(other.text == plain.text && !other.text.isEmpty)
            #expect(other.statistics.draftedTokens > 0)
            #expect(other.statistics.computedPromptTokens == plain.statistics.computedPromptTokens)
        }
        let path = try DrafterFile.write(in: folder, layer: 9)
        let error = await #expect(throws: LeapModelLoadingException.self) {
            try await run(loading: #"{"speculation":{"draftModel":"\#(path)"}}"#, generation: nil)
        }
        #expect(error?.message.contains(path) == true && error?.message.contains("reads the output of layer 9") == true)
    }

    @Test("A draft model that cannot be used is an error that names its file and what is wrong")
    func wrongDraftModel() async throws {
        let folder = try TemporaryFolder()
        let changed = try DraftModelFile.write(in: folder, changingVocabulary: true)
        let damaged = try folder.write("damaged.gguf", Data("GGUF, or not".utf8))
        for (path, part) in [
            (changed, "token 300 is"), (damaged, "draft model"), (folder.url.path + "/missing.gguf", "draft model"),
        ] {
            let error = await #expect(throws: LeapModelLoadingException.self) {
                try await run(
                    loading: #"{"speculation":{"mode":"draft","draftModel":"\#(path)"}}"#, generation: nil)
            }
            let message = error?.message ?? ""
            #expect(message.contains(path) && message.contains(part), "\(message)")
        }
        for value in [
            #""draft""#, #"{"mode":"draft"}"#, #"{"mode":"draft","draftModel":7}"#, #"{}"#, #"{"file":"x"}"#,
        ] {
            let error = await #expect(throws: LeapModelLoadingException.self) {
                try await run(loading: #"{"speculation":\#(value)}"#, generation: nil)
            }
            #expect(error?.message.contains("'speculation") == true, "\(error?.message ?? "")")
        }
        let error = await #expect(throws: LeapGenerationException.self) {
            try await run(loading: nil, generation: #"{"speculation":"draft"}"#)
        }
        #expect(error?.message.contains("loaded without a draft model") == true)
    }

    @Test("A value that is none of the expected ones is named when the model is loaded")
    func wrong() async throws {
        let error = await #expect(throws: LeapModelLoadingException.self) {
            try await run(loading: #"{"speculation":"fast"}"#, generation: nil)
        }
        #expect(error?.message.contains("'speculation' in the extras is 'fast'; expected 'off', 'lookup'") == true)
    }
}

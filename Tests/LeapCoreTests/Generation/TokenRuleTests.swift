import FoundationEssentials
import LeapDemoModel
import LeapEngine
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore

/// The rules of options about single tokens, and about the end that the model itself finds.
@Suite(.inTurns)
struct TokenRuleTests {
    private static func reply(_ extras: String, maxTokens: Int32 = 40) async throws -> [MessageResponse] {
        let runner = try await ModelLoader.load(
            files: ModelFiles(modelPath: try LeapDemoModel.url.path), options: LiquidInferenceEngineOptions().options,
            generationTimeParameters: nil,
            autoDetectCompanionFiles: false)
        let options = GenerationOptions(temperature: 0, maxTokens: maxTokens, extras: extras)
        let reply = try await runner.createConversation().generateResponse(
            userTextMessage: "What is the capital of Portugal?", generationOptions: options
        ).collect()
        await runner.unload()
        return reply
    }

    @Test("A bias changes which tokens come, by number and by text, and no rule lets a token come that is shut out")
    func logitBias() async throws {
        let plain = try await Self.reply("{}")
        #expect(plain.text.contains("Lisbon"))
        let without = try await Self.reply(#"{"logitBias": [["Lisbon", false], [" Lisbon", false]]}"#)
        #expect(!without.text.contains("Lisbon"))
        let tokenizer = DemoVocabulary.tokenizer
        let token = try #require(tokenizer.encode(" the", addSpecial: false).last)
        let forced = try await Self.reply("{\"logitBias\": {\"\(token)\": 100}}", maxTokens: 5)
        #expect(forced.text == String(repeating: tokenizer.decode([token]), count: 5))
        for extras in [
            #"{"logitBias": 1}"#, #"{"logitBias": {"a": 1}}"#, #"{"logitBias": {"1": "x"}}"#,
            #"{"logitBias": {"1": 101}}"#,
            #"{"logitBias": [[1]]}"#, #"{"logitBias": {"-1": 1}}"#, #"{"logitBias": {"100000000": 1}}"#,
        ] {
            await #expect(throws: LeapGenerationException.self, "\(extras)") { try await Self.reply(extras) }
        }
    }

    @Test("A reply does not end before so many tokens")
    func minTokens() async throws {
        let plain = try #require(try await Self.reply("{}").completion?.stats?.completionTokens)
        let longer = try #require(
            try await Self.reply("{\"minTokens\": \(plain + 3)}").completion?.stats?.completionTokens)
        #expect(longer >= plain + 3)
        #expect(try await Self.reply(#"{"minTokens": 1}"#).completion?.stats?.completionTokens == plain)
        await #expect(throws: LeapGenerationException.self) { try await Self.reply(#"{"minTokens": -1}"#) }
    }

    @Test("A reply that may not end goes on to the limit, but a form of it ends where it ends")
    func ignoreEos() async throws {
        let endless = try await Self.reply(#"{"ignoreEos": true}"#)
        #expect(endless.completion?.stats?.completionTokens == 40)
        #expect(endless.completion?.finishReason == .exceedContext)
        #expect(try await Self.reply(#"{"ignoreEos": true, "regex": "Lisbon|Porto"}"#).text == "Lisbon")
    }
}

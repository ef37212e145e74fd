import Foundation
import LeapDemoModel
import LeapGGUF
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapChat
@testable import LeapCore

/// The effects of `adapters` in the extras, of loading and of a generation.
@Suite(.inTurns)
struct AdapterOptionTests {
    private static let question = "Tell me a story about a fox."

    private func load(_ adapters: String?) async throws -> any ModelRunner {
        let extras = adapters.map { "{\"adapters\":\($0)}" }
        return try await Leap.load(
            url: LeapDemoModel.url, options: LiquidInferenceEngineOptions(bundlePath: "", extras: extras))
    }

    private struct Reply {
        var text: String
        var cached: Int64
    }

    private func reply(
        _ conversation: any Conversation, _ question: String = question, adapters: String? = nil
    ) async throws -> Reply {
        let extras = adapters.map { "{\"adapters\":\($0)}" }
        let responses = try await conversation.generateResponse(
            userTextMessage: question,
            generationOptions: GenerationOptions(temperature: 0, maxTokens: 16, extras: extras)
        ).collect()
        let completion = try #require(responses.completion)
        return Reply(
            text: completion.message.text, cached: try #require(completion.stats).reusedPromptTokens)
    }

    private func message(_ body: () async throws -> some Any) async -> String {
        do {
            _ = try await body()
            return ""
        } catch { return (error as? LeapException)?.message ?? "\(error)" }
    }

    @Test("Adapters change replies, all those loaded unless a generation chooses; none of them, none of the change")
    func effect() async throws {
        let folder = try TemporaryFolder()
        let fox = try folder.write("fox.gguf", DemoAdapter.data(seed: 1))
        let rain = try folder.write("rain.v2.gguf", DemoAdapter.data(seed: 2, suffix: "attn_q.weight"))
        let plain = try await self.reply(try await load(nil).createConversation()).text
        let runner = try await load(
            #"[{"path":"\#(fox)","scale":0.5},{"path":"\#(rain)","name":"rain"}]"#)
        #expect(
            runner.adapters == [
                ModelAdapter(name: "fox", scale: 0.5, path: fox, rank: 2),
                ModelAdapter(name: "rain", scale: 1, path: rain, rank: 2),
            ])
        func reply(_ adapters: String?) async throws -> String {
            try await self.reply(runner.createConversation(), adapters: adapters).text
        }
        let all = try await reply(nil)
        #expect(all != plain && !all.isEmpty)
        #expect(try await reply("[]") == plain)
        #expect(try await reply(#"[{"name":"fox","scale":0},{"name":"rain","scale":0}]"#) == plain)
        #expect(try await reply(#"["fox","rain"]"#) == all)
        #expect(try await reply(#"["rain",{"name":"fox","scale":0.5}]"#) == all)
        let one = try await reply(#"["fox"]"#)
        #expect(one != plain && one != all)
        #expect(try await reply(#"[{"name":"fox","scale":1}]"#) != one)
        // What one of several does is what it does as the only one.
        let alone = try await load(#"[{"path":"\#(fox)","scale":0.5}]"#)
        #expect(try await self.reply(alone.createConversation()).text == one)
        await runner.unload()
        #expect(runner.adapters.count == 2)
    }

    @Test("A conversation that changes its adapters computes what it holds again, and replies as a new one does")
    func turns() async throws {
        let folder = try TemporaryFolder()
        let fox = try folder.write("fox.gguf", DemoAdapter.data(seed: 1))
        let runner = try await load(#"["\#(fox)"]"#)
        let conversation = runner.createConversation()
        #expect(try await reply(conversation).cached == 0)
        #expect(try await reply(conversation, "And then?").cached > 0)
        for adapters in TestLevel.cases(["[]", #"["fox"]"#, #"[{"name":"fox","scale":0.5}]"#], standard: 2) {
            let history = conversation.history
            let turn = try await reply(conversation, "And then?", adapters: adapters)
            #expect(turn.cached == 0)
            let fresh = runner.createConversationFromHistory(history: history)
            #expect(try await reply(fresh, "And then?", adapters: adapters).text == turn.text)
            #expect(try await reply(conversation, "And then?", adapters: adapters).cached > 0)
        }
    }

    @Test("What cannot be loaded is named: the file, what it is, and what to do")
    func refusedFiles() async throws {
        let folder = try TemporaryFolder()
        let fox = try folder.write("fox.gguf", DemoAdapter.data(seed: 1))
        let other = try folder.write(
            "other.gguf", DemoAdapter.data(seed: 1) { $0.set("general.architecture", "mamba") })
        let text = try folder.write("text.gguf", Data("hello".utf8))
        let model = try LeapDemoModel.url.path
        let cases: [(path: String, words: [String])] = [
            (folder.url.path + "/missing.gguf", ["missing.gguf"]),
            (text, [text, "text file"]),
            (model, [model, "is not an adapter"]),
            (other, [other, "\"mamba\""]),
        ]
        for (path, words) in cases {
            let message = await message { try await load(#"[{"path":"\#(path)"}]"#) }
            for word in words { #expect(message.contains(word), "\(message)") }
        }
        let error = await #expect(throws: LeapModelLoadingException.self) { try await load(#"["\#(text)"]"#) }
        #expect(error?.path == text)
        let asModel = await message {
            try await Leap.load(url: URL(fileURLWithPath: fox), options: LiquidInferenceEngineOptions())
        }
        #expect(asModel.contains("is an adapter") && asModel.contains("\"adapters\""), "\(asModel)")
    }

    @Test("Wrong values are named where they stand")
    func refusedValues() async throws {
        let folder = try TemporaryFolder()
        let fox = try folder.write("fox.gguf", DemoAdapter.data(seed: 1))
        let loading: [(String, String)] = [
            (#""fox.gguf""#, "'adapters' in the extras is 'fox.gguf'; expected an array"),
            ("[1]", "'adapters[0]' in the extras is a number"),
            (#"[{"scale":1}]"#, "'adapters[0].path' in the extras is missing"),
            (#"[{"path":"\#(fox)","scale":"much"}]"#, "'adapters[0].scale' in the extras is 'much'"),
            (#"[{"path":"\#(fox)","scale":1e300}]"#, "'adapters[0].scale'"),
            (#"[{"path":"\#(fox)","name":""}]"#, "'adapters[0].name'"),
            (#"[{"path":"\#(fox)","strength":1}]"#, "'adapters[0].strength' in the extras is not known"),
            (#"["\#(fox)",{"path":"\#(fox)"}]"#, "two adapters in the extras are named 'fox'"),
        ]
        for (value, words) in loading {
            let message = await message { try await load(value) }
            #expect(message.contains(words), "\(message)")
        }
        let runner = try await load(#"["\#(fox)"]"#)
        let generation: [(String, String)] = [
            (#""fox""#, "'adapters' in the extras is 'fox'; expected an array of names"),
            ("[1]", "'adapters' in the extras is an array; expected an array of names"),
            (#"[{"name":"fox","scale":"much"}]"#, "expected an array of names"),
            (#"[{"name":"fox","strength":1}]"#, "expected an array of names"),
            (#"["rain"]"#, "names 'rain', which is not loaded: there are 'fox'"),
            (#"["fox",{"name":"fox"}]"#, "names 'fox' twice"),
        ]
        for (value, words) in generation {
            let message = await message { try await reply(runner.createConversation(), adapters: value) }
            #expect(message.contains(words), "\(message)")
        }
        let plain = try await load(nil)
        let none = await message { try await reply(plain.createConversation(), adapters: #"["fox"]"#) }
        #expect(none.contains("there are no adapters"), "\(none)")
    }
}

import Foundation
import LeapBase
import LeapDemoModel
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapChat
@testable import LeapCore

/// Conversations that are written to a file and read again.
@Suite(.inTurns)
struct SavedConversationTests {
    private static let options = GenerationOptions(temperature: 0.8, rngSeed: 5, maxTokens: 40)

    private func load(path: String? = nil, extras: String? = nil, contextSize: UInt32? = nil) async throws
        -> any ModelRunner
    {
        try await Leap.load(
            url: path.map { URL(fileURLWithPath: $0) } ?? LeapDemoModel.url,
            options: LiquidInferenceEngineOptions(
                bundlePath: "", cpuThreads: 1, contextSize: contextSize, extras: extras))
    }

    /// A conversation of two turns.
    private func conversation(_ runner: any ModelRunner) async throws -> any Conversation {
        let conversation = runner.createConversation(systemPrompt: "You are a helpful assistant.")
        for text in ["What is the capital of Portugal?", "Tell me a story about a fox."] {
            _ = try await conversation.generateResponse(userTextMessage: text, generationOptions: Self.options)
                .collect()
        }
        return conversation
    }

    private func next(_ conversation: any Conversation) async throws -> [MessageResponse] {
        try await conversation.generateResponse(userTextMessage: "And then?", generationOptions: Self.options).collect()
    }

    @Test(
        "Another process goes on where the conversation was saved: the same text, and only the new message is computed")
    func anotherProcess() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("chat.leap")
        let runner = try await load()
        let saved = try await conversation(runner)
        let tokens = try await saved.save(to: file)
        #expect(tokens > 60)
        let expected = try await next(saved)

        let other = try await load()
        let restored = try await other.restoreConversation(from: file)
        #expect(restored.stateTokens == tokens && restored.recomputationReason == nil)
        #expect(restored.conversation.history == Array(saved.history.dropLast(2)))
        let reply = try await next(restored.conversation)
        #expect(reply.text == expected.text && !reply.text.isEmpty)
        let stats = try #require(reply.completion?.stats)
        let expectedStats = try #require(expected.completion?.stats)
        #expect(stats.computedPromptTokens == expectedStats.computedPromptTokens && stats.computedPromptTokens < 20)
        #expect(stats.reusedPromptTokens == expectedStats.reusedPromptTokens)
        #expect(other.statistics.computedPromptTokens == Int(stats.computedPromptTokens))

        // A second conversation goes on from the same file; what the first one did is not in it.
        let again = try await other.restoreConversation(from: file)
        #expect(try await next(again.conversation).text == expected.text)
    }

    @Test("Where the state does not fit, it is computed anew, and the result says why")
    func recomputed() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("chat.leap")
        let runner = try await load()
        let saved = try await conversation(runner)
        let tokens = try await saved.save(to: file)
        let expected = try await next(saved).text
        let draft = try DraftModelFile.write(in: folder)
        for (runner, part) in [
            (try await load(extras: #"{"kv_cache_type":"f32"}"#), "kv_cache_type f16"),
            (try await load(path: draft), "another model"),
            (try await load(contextSize: UInt32(tokens - 1)), "tokens, but the context holds"),
            (try await load(extras: #"{"ropeScaling":{"type":"linear","factor":2}}"#), "other options"),
        ] {
            let restored = try await runner.restoreConversation(from: file)
            #expect(restored.stateTokens == 0)
            #expect(restored.recomputationReason?.contains(part) == true, "\(restored.recomputationReason ?? "")")
            #expect(restored.conversation.history.count == 5)
        }
        // A copy of the model's file, with a date of its own, is the same model.
        let copy = try folder.write("copy.gguf", try Data(contentsOf: LeapDemoModel.url))
        let restored = try await (try await load(path: copy)).restoreConversation(from: file)
        #expect(restored.stateTokens == tokens)
        #expect(try await next(restored.conversation).text == expected)
    }

    @Test("After unloading, the history is saved without the state")
    func unloaded() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("chat.leap")
        let runner = try await load()
        let saved = try await conversation(runner)
        await runner.unload()
        #expect(try await saved.save(to: file) == 0)
        let restored = try await (try await load()).restoreConversation(from: file)
        #expect(restored.conversation.history == saved.history)
        #expect(restored.stateTokens == 0 && restored.recomputationReason == nil)
        #expect(try await next(restored.conversation).text.isEmpty == false)
    }

    @Test("Any bit that is wrong is noticed: the history is as it was, or there is an error; the state is not used")
    func flips() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("chat.leap")
        let runner = try await load()
        let saved = runner.createConversation()
        _ = try await saved.generateResponse(
            userTextMessage: "Hi", generationOptions: GenerationOptions(temperature: 0, maxTokens: 4)
        ).collect()
        try await saved.save(to: file)
        let size = try Data(contentsOf: file).count
        let format = (runner as? LiquidInferenceEngineRunner)?.backend.sequenceFormat
        let handle = try FileHandle(forUpdating: file)
        let seed = UInt64.random(in: 0..<UInt64.max)
        var generator = SeededGenerator(seed: seed)
        var refused = 0
        for round in 0..<TestLevel.rounds(1_000, all: 10_000) {
            // Half of them in the header, the history and the tokens, which are a small part of the file.
            let place = Int.random(in: 0..<(round % 2 == 0 ? min(size, 1024) : size), using: &generator)
            try handle.seek(toOffset: UInt64(place))
            let byte = try #require(try handle.read(upToCount: 1)?.first)
            func write(_ value: UInt8) throws {
                try handle.seek(toOffset: UInt64(place))
                try handle.write(contentsOf: Data([value]))
            }
            try write(byte ^ 1 << UInt8.random(in: 0..<8, using: &generator))
            // As restoreConversation does, without a line in the log for each.
            do {
                let damaged = try ConversationFile(file.path)
                let history = try SavedHistory(json: damaged.history)
                #expect(history.messages == saved.history, "byte \(place), seed \(seed)")
                let (snapshot, reason) = BackendSource.state(in: damaged, damaged.tokens(), format)
                #expect(snapshot == nil && reason != nil, "byte \(place), seed \(seed)")
            } catch let error as LeapSerializationException {
                refused += 1
                #expect(error.message.contains(file.path))
            }
            try write(byte)
        }
        #expect(refused > TestLevel.rounds(100, all: 1_000))
        #expect(try await runner.restoreConversation(from: file).stateTokens > 0)
    }

    @Test("Files that are cut off, too long, lie about their lengths or are something else are no trouble")
    func lyingFiles() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("chat.leap")
        let runner = try await load()
        let saved = try await conversation(runner)
        try await saved.save(to: file)
        let data = try Data(contentsOf: file)
        let historyEnd =
            ConversationFile.headerByteCount
            + Int(data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self) })
        for length in [0, 7, 159, 160, historyEnd - 1, historyEnd, historyEnd + 50, data.count - 1] {
            try data.prefix(length).write(to: file)
            do {
                let restored = try await runner.restoreConversation(from: file)
                #expect(length >= historyEnd && restored.conversation.history == saved.history)
                #expect(restored.stateTokens == 0 && restored.recomputationReason != nil)
            } catch is LeapSerializationException {
                #expect(length < historyEnd)
            }
        }
        try (data + Data([0])).write(to: file)
        #expect(try await runner.restoreConversation(from: file).stateTokens == 0)
        // Headers that are right by their checksum.
        for (word, value) in [
            (0, 0x5643_4C4F | 9 << 32), (1, 1 << 40), (1, UInt64.max), (2, 1 << 23), (3, 1 << 23), (3, 1 << 60),
            (4, 0), (4, UInt64.max),
        ] as [(Int, UInt64)] {
            var words = data.prefix(ConversationFile.headerByteCount).withUnsafeBytes {
                Array($0.bindMemory(to: UInt64.self))
            }
            words[word] = value
            let hash = ConversationFile.hash(of: words.dropLast(2).withUnsafeBytes { Array($0) })
            words[words.count - 2] = hash.low
            words[words.count - 1] = hash.high
            let header = words.withUnsafeBytes { Data($0) }
            try (header + data.dropFirst(header.count)).write(to: file)
            do {
                #expect(try await runner.restoreConversation(from: file).stateTokens == 0)
            } catch is LeapSerializationException {}
        }
        for (path, part) in [
            (folder.url.path, "is not a file"), (folder.url.path + "/none", "cannot be read"),
            (try LeapDemoModel.url.path, "is not a saved conversation"),
        ] {
            let error = await #expect(throws: LeapSerializationException.self) {
                try await runner.restoreConversation(from: URL(fileURLWithPath: path))
            }
            #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
        }
        await #expect(throws: LeapSerializationException.self) {
            try await runner.restoreConversation(from: #require(URL(string: "https://example.com/a")))
        }
    }

    @Test("Messages of every kind, calls, reasoning and functions come back as they were")
    func contents() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("chat.leap")
        let (runner, _) = DemoVocabulary.runner([
            .init(text: #"<think>hm</think>Look.<|tool_call_start|>[get_weather(town = "Paris")]<|tool_call_end|>"#),
            "Sun.",
        ])
        let conversation = runner.createConversationFromHistory(history: [
            ChatMessage(role: .system, content: []), ChatMessage(role: .user, textContent: ""),
            ChatMessage(role: .assistant, textContent: "Hello \u{0} \"you\" \u{1F600}"),
        ])
        conversation.registerFunction(LeapFunctionTests.weather)
        _ = try await conversation.generateResponse(userTextMessage: "Weather?").collect()
        conversation.appendToHistory(message: ChatMessage(role: .tool, textContent: "{}"))
        try await conversation.save(to: file)
        let restored = try await runner.restoreConversation(from: file).conversation
        #expect(restored.history == conversation.history && restored.functions == conversation.functions)
        #expect(restored.history.map(\.origin?.rawText) == conversation.history.map(\.origin?.rawText))
        #expect(restored.history.last { $0.origin != nil }?.origin?.functions == [LeapFunctionTests.weather])
        let issues = restored.history.flatMap { $0.functionCalls ?? [] }.map(\.issue)
        #expect(issues == conversation.history.flatMap { $0.functionCalls ?? [] }.map(\.issue) && issues.first != nil)

        let parts: [ChatMessageContent] = [
            .text("a"), .text(""), .image(Data([0xFF, 0xD8, 0xFF, 1])), .image(url: "https://example.com/a.png"),
            .fromFloatSamples([0, 0.5], sampleRate: 16000), .audio(data: Data([1, 2, 3]), format: "mp3"),
        ]
        let messages = [
            ChatMessage(role: .user, content: parts, name: "Anna"),
            ChatMessage(
                role: .assistant, content: [], reasoningContent: "",
                functionCalls: [
                    try LeapFunctionCall(name: "f", argumentsJSON: #"{"b":1.50,"a":[null,{}]}"#),
                    LeapFunctionCall(name: "g", arguments: [:], id: "x"),
                ]),
            ChatMessage(role: .tool, content: [.text("1")], toolCallId: "x"),
        ]
        let other = runner.createConversationFromHistory(history: messages)
        try await other.save(to: file)
        let copy = try await runner.restoreConversation(from: file).conversation.history
        #expect(copy == messages)
        #expect(copy[1].functionCalls?.map(\.argumentsJSON) == messages[1].functionCalls?.map(\.argumentsJSON))
    }

    @Test("A conversation is not saved while a reply is generated, nor where nothing can be written")
    func refused() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("chat.leap")
        let (runner, _) = DemoVocabulary.runner([.init(ending: .endless)])
        let conversation = runner.createConversation()
        let stream = conversation.generateResponse(userTextMessage: "Hi")
        await #expect(throws: LeapGenerationException.self) { try await conversation.save(to: file) }
        #expect(!FileManager.default.fileExists(atPath: file.path))
        let reading = Task { for try await _ in stream {} }
        reading.cancel()
        try? await reading.value
        try await conversation.save(to: file)
        let before = try Data(contentsOf: file)
        await #expect(throws: LeapSerializationException.self) {
            try await conversation.save(to: folder.url.appendingPathComponent("none/chat.leap"))
        }
        #expect(try Data(contentsOf: file) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["chat.leap"])
        await #expect(throws: LeapSerializationException.self) {
            try await conversation.save(to: #require(URL(string: "https://example.com/a")))
        }
    }

    @Test("A saved state belongs to its adapters: with others, or none, it is computed anew")
    func adapters() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("chat.leap")
        let adapter = try folder.write("fox.gguf", DemoAdapter.data(seed: 1))
        let extras = #"{"adapters": [{"path": "\#(adapter)", "scale": 0.5}]}"#
        let adapted = try await conversation(try await load(extras: extras))
        let tokens = try await adapted.save(to: file)
        let expected = try await next(adapted)

        let same = try await load(extras: extras).restoreConversation(from: file)
        let reply = try await next(same.conversation)
        #expect(same.stateTokens == tokens && reply.text == expected.text)
        #expect(reply.completion?.stats?.reusedPromptTokens == expected.completion?.stats?.reusedPromptTokens)

        let plain = try await load()
        let other = try await next(try await plain.restoreConversation(from: file).conversation)
        #expect(other.completion?.stats?.reusedPromptTokens == 0 && !other.text.isEmpty)
    }
}

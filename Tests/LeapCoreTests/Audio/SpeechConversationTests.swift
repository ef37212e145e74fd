import Foundation
import LeapAudio
import LeapBase
import LeapEngine
import LeapGGUF
import LeapModel
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore

/// Conversations with a model that speaks: a decoder of random weights behind the language model of the pictures.
@Suite(.inTurns)
struct SpeechConversationTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")

    /// The decoder's file, which is made once.
    private static let madeVocoder = Result<Data, any Error> {
        let url = FileManager.default.temporaryDirectory.appending(path: "vocoder-\(UUID().uuidString).gguf")
        defer { try? FileManager.default.removeItem(at: url) }
        try MadeVocoder().write(to: url.path)
        return try Data(contentsOf: url)
    }

    /// A folder with the model and its decoder, whose name tells what it is.
    private final class Folder {
        let url: URL
        private let name: String

        init(decoder: Bool = true, name: String = "model") throws {
            self.name = name
            url = FileManager.default.temporaryDirectory.appending(path: "speech-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: fixtures.appending(path: "vision/vision.gguf"), to: model)
            if decoder { try madeVocoder.get().write(to: vocoder) }
        }

        deinit { try? FileManager.default.removeItem(at: url) }

        var model: URL { url.appending(path: "\(name).gguf") }
        var vocoder: URL { url.appending(path: "vocoder-\(name).gguf") }

        func runner(_ options: LiquidInferenceEngineOptions? = nil) async throws -> LiquidInferenceEngineRunner {
            let runner = try await Leap.load(
                url: model,
                options: options
                    ?? LiquidInferenceEngineOptions(
                        bundlePath: model.path,
                        cacheOptions: LiquidCacheOptions(path: "", enabled: true, diskDisabled: true), cpuThreads: 2))
            return try #require(runner as? LiquidInferenceEngineRunner)
        }
    }

    private struct Reply {
        var text = ""
        var samples: [Float] = []
        var rates: Set<Int> = []
        var completion: MessageCompletion?
    }

    private static func reply(
        _ conversation: any Conversation, _ text: String, tokens: Int32 = 24, extras: String? = nil,
        change: (GenerationOptions) -> Void = { _ in }
    ) async throws -> Reply {
        let options = GenerationOptions()
        options.maxTokens = tokens
        options.temperature = 0
        options.rngSeed = 5
        options.extras = extras
        change(options)
        var reply = Reply()
        for try await response in conversation.generateResponse(
            message: ChatMessage(role: .user, textContent: text), generationOptions: options)
        {
            switch response {
            case .chunk(let text): reply.text += text
            case .audioSample(let samples, let rate):
                reply.samples += samples
                reply.rates.insert(rate)
            case .complete(let completion): reply.completion = completion
            case .reasoningChunk, .functionCall: break
            }
        }
        return reply
    }

    private static let interleaved = "Respond with interleaved text and audio."

    @Test(
        "A GPU that is named runs the audio decoder, or the CPU does; the log and the statistics say which, and the speech is the same"
    )
    func gpu() async throws {
        let folder = try Folder(name: "speech-on-a-gpu")
        func speak(
            _ usesGpu: Bool, device: String = TestLevel.softwareGPU
        ) async throws -> (reply: Reply, lines: [String], gpu: GPUStatistics?) {
            var (spoken, gpu): (Reply, GPUStatistics?) = (Reply(), nil)
            let lines = try await CapturedLog.lines {
                let runner = try await folder.runner(
                    LiquidInferenceEngineOptions(
                        bundlePath: folder.model.path, cpuThreads: 1, audioDecoderUseGpu: usesGpu,
                        extras: "{\"gpuDevice\": \"\(device)\"}"))
                spoken = try await Self.reply(runner.createConversation(systemPrompt: Self.interleaved), "Say it.")
                gpu = runner.statistics.audioDecoderGPU
                #expect(runner.statistics.gpu == nil)
                await runner.unload()
            }
            return (spoken, lines.filter { $0.contains("speech-on-a-gpu") && $0.contains("audioDecoderUseGpu") }, gpu)
        }
        let plain = try await speak(false)
        #expect(plain.lines.isEmpty && plain.gpu == nil && !plain.reply.samples.isEmpty)
        let other = try await speak(true, device: "no such device"), note = try #require(other.gpu?.note)
        #expect(other.reply.text == plain.reply.text && other.reply.samples == plain.reply.samples)
        #expect(other.lines.count == 1 && other.lines[0].contains(note), "\(other.lines)")
        #expect(other.gpu?.device == nil && other.gpu?.layers == 0 && other.gpu?.modelLayers == 8)
        let named = try await speak(true), gpu = try #require(named.gpu), isThere = gpu.device != nil
        #expect(named.reply.text == plain.reply.text && named.reply.samples.count == plain.reply.samples.count)
        let differences = zip(named.reply.samples, plain.reply.samples).map { abs($0 - $1) }
        #expect(differences.max() ?? 1 < 1e-3)
        #expect(named.lines.count == 1 && isThere == named.lines[0].contains("runs 8 of the audio decoder's 8 layers"))
        #expect(gpu.layers == (isThere ? 8 : 0) && (gpu.passes > 0) == isThere && gpu.processorPasses == 0)
        #expect(gpu.failure == nil && (gpu.note == nil) == isThere)
    }

    @Test("A reply has text and speech; both are in the history, and the next turn goes on from them")
    func turns() async throws {
        let runner = try await Folder().runner()
        let conversation = runner.createConversation(systemPrompt: Self.interleaved)
        let first = try await Self.reply(conversation, "Say it.")
        #expect(first.rates == [24_000])
        let message = try #require(first.completion?.message)
        #expect(message.text == first.text)
        guard case .audio(let file)? = message.content.last else {
            Issue.record("the message has no audio")
            return
        }
        let sound = try WAVFile(file)
        #expect(sound.sampleRate == 24_000)
        #expect(sound.sampleCount == first.samples.count)
        #expect(zip(sound.samples, first.samples).allSatisfy { abs($0 - min(max($1, -1), 1)) < 1e-4 })
        #expect(conversation.history.last == message)

        let second = try await Self.reply(conversation, "And again.")
        let stats = try #require(second.completion?.stats)
        // All of the first turn but its last tokens is found in the state.
        #expect(stats.reusedPromptTokens >= 40)
        #expect(stats.computedPromptTokens < 40)

        // The same from a history that was written to JSON and read again, in a model that was loaded anew.
        let history = try conversation.history.dropLast(2).map { try ChatMessage(from: $0.toJSONObject()) }
        let other = try await Folder().runner()
        let fresh = try await Self.reply(
            other.createConversationFromHistory(history: Array(history)), "And again.")
        #expect(fresh.text == second.text)
        #expect(fresh.samples == second.samples)
    }

    @Test("What a message says now counts: one whose text was changed, or of another decoder, goes on from its text")
    func changedText() async throws {
        let runner = try await Folder().runner()
        let conversation = runner.createConversation(systemPrompt: Self.interleaved)
        _ = try await Self.reply(conversation, "Say it.")
        let builder = try runner.promptSource().builder
        func frames(_ messages: [ChatMessage], _ builder: PromptBuilder) throws -> Int {
            try builder.build(
                PromptRequest(chat: messages, functions: [], parser: nil, enableThinking: false, parts: .all)
            ).tokens.count { $0 < 0 }
        }
        var history = conversation.history
        #expect(try frames(history, builder) > 0)
        history[2].content[0] = .text("something else")
        #expect(try frames(history, builder) == 0)
        var silent = builder
        silent.speech = nil
        #expect(try frames(conversation.history, silent) == 0)
        // Speech without codes is left out too.
        let spoken = ChatMessage(
            role: .assistant, content: [.text("Yes."), .fromFloatSamples([0, 0.1, 0], sampleRate: 24_000)])
        #expect(try frames(Array(history.prefix(2)) + [spoken], builder) == 0)
    }

    @Test("Text comes first in a sequential reply, and audioOrder says otherwise or turns speech off")
    func orders() async throws {
        let runner = try await Folder().runner()
        func samples(_ system: String, _ extras: String?) async throws -> Int {
            try await Self.reply(runner.createConversation(systemPrompt: system), "Say it.", extras: extras).samples
                .count
        }
        // The model has no token that begins speech.
        #expect(try await samples("Answer.", nil) == 0)
        #expect(try await samples("Answer.", #"{"audioOrder": "interleaved"}"#) > 0)
        #expect(try await samples(Self.interleaved, #"{"audioOrder": "sequential"}"#) == 0)
        #expect(try await samples(Self.interleaved, #"{"audioOrder": "off"}"#) == 0)
        await #expect(throws: LeapGenerationException.self) {
            try await samples(Self.interleaved, #"{"audioOrder": "backwards"}"#)
        }
    }

    @Test("audioTemperature and audioTopK draw other codes, and leave the text before them as it is")
    func sampling() async throws {
        let runner = try await Folder().runner()
        func reply(_ extras: String) async throws -> Reply {
            try await Self.reply(
                runner.createConversation(systemPrompt: Self.interleaved), "Say it.", tokens: 12, extras: extras)
        }
        let greedy = try await reply(#"{"audioTemperature": 0}"#)
        let one = try await reply(#"{"audioTopK": 1}"#)
        let hot = try await reply(#"{"audioTemperature": 2, "audioTopK": 500}"#)
        #expect(greedy.samples == one.samples)
        #expect(greedy.samples != hot.samples)
        #expect(greedy.text == hot.text)
        #expect(try await reply(#"{"audioTemperature": 2, "audioTopK": 500}"#).samples == hot.samples)
        for extras in [#"{"audioTemperature": -1}"#, #"{"audioTopK": 5000}"#, #"{"audioTopK": "all"}"#] {
            await #expect(throws: LeapGenerationException.self) { try await reply(extras) }
        }
    }

    @Test("An answer that follows a schema is text")
    func schema() async throws {
        let runner = try await Folder().runner()
        let reply = try await Self.reply(
            runner.createConversation(systemPrompt: Self.interleaved), "Say it.", tokens: 60
        ) { $0.jsonSchemaConstraint = #"{"enum": ["yes", "no"]}"# }
        #expect(reply.samples.isEmpty)
        #expect(["\"yes\"", "\"no\""].contains(reply.text))
    }

    @Test("The decoder is found beside the model, or named; one that cannot be used is an error where it was named")
    func companions() async throws {
        let folder = try Folder()
        let runner = try await folder.runner()
        #expect(runner.files.audioDecoderPath == folder.vocoder.path)
        #expect(try runner.abilities().capabilities.contains(.speech))

        let silent = try Folder(decoder: false)
        #expect(try await !silent.runner().abilities().capabilities.contains(.speech))
        let named = LiquidInferenceEngineOptions(bundlePath: silent.model.path, audioDecoderPath: folder.vocoder.path)
        #expect(try await silent.runner(named).abilities().capabilities.contains(.speech))

        let wrong = LiquidInferenceEngineOptions(bundlePath: silent.model.path, audioDecoderPath: folder.model.path)
        let error = await #expect(throws: LeapModelLoadingException.self) { try await silent.runner(wrong) }
        #expect(error?.localizedDescription.contains("audio decoder") == true)
    }

    @Test("Speech that is stopped in the middle is kept as far as it went")
    func stopped() async throws {
        let runner = try await Folder().runner()
        let conversation = runner.createConversation(systemPrompt: Self.interleaved)
        var heard = 0
        let options = GenerationOptions()
        options.maxTokens = 200
        options.keepsInterruptedReply = true
        for try await response in conversation.generateResponse(
            message: ChatMessage(role: .user, textContent: "Say it."), generationOptions: options)
        {
            guard case .audioSample(let samples, _) = response else { continue }
            heard += samples.count
            if heard > 3000 { break }
        }
        while conversation.isGenerating { await Task.yield() }
        let last = try #require(conversation.history.last)
        #expect(last.role == .assistant)
        #expect(last.content.contains { $0.medium == .audio })
        // What was said so far is a message that the next turn can repeat.
        let next = try await Self.reply(conversation, "Go on.", tokens: 3)
        #expect(next.completion?.finishReason == .exceedContext)
    }
}

@Suite(.inTurns)
struct SpeechRecordTests {
    private static var record: SpeechRecord {
        SpeechRecord(
            decoder: StableHash(low: 0x0123_4567_89AB_CDEF, high: 42), text: "ça va",
            items: [
                .token(5), .token(70_000),
                .frame(SpeechFrame(codes: [0, 1, 2, 3, 4, 5, 6, 2047]) ?? SpeechForm.lfm2Audio.end),
                .frame(SpeechForm.lfm2Audio.end), .frame(SpeechForm.lfm3Audio.end),
            ])
    }

    @Test("A record is what its bytes say; damaged ones are none")
    func bytes() throws {
        let bytes = Self.record.bytes
        #expect(SpeechRecord(Data(bytes)) == Self.record)
        for end in 0..<bytes.count where SpeechRecord(Data(bytes.prefix(end))) != nil {
            // A record may end behind any item.
            #expect([49, 54, 59, 76, 93].contains(end))
        }
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<20_000 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                damaged[Int.random(in: damaged.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            if let read = SpeechRecord(Data(damaged)) { #expect(read.bytes == damaged) }
        }
    }
}

import Foundation
import LeapAudio
import LeapBase
import LeapEngine
import LeapModel
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore

/// Conversations with a model whose projector hears and speaks (LFM3-Audio): random weights behind the language model of
/// the pictures, with the marks of speech in its vocabulary.
@Suite(.inTurns)
struct GeneratorConversationTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")
    private static let speech = "Perform TTS in American English using a female voice."
    private static let interleaved = "Respond with interleaved text and audio."

    /// A folder with the model and its projector.
    private final class Folder: Sendable {
        let url: URL

        init(kind: String = "lfm3a_gen") throws {
            url = FileManager.default.temporaryDirectory.appending(path: "generator-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            var generator = MadeGenerator()
            (generator.kind, generator.endScale) = (kind, 1)
            try generator.writeModel(to: url, fixtures: fixtures)
        }

        deinit { try? FileManager.default.removeItem(at: url) }

        var model: URL { url.appending(path: "model.gguf") }

        func runner(usesGPU: Bool = false) async throws -> LiquidInferenceEngineRunner {
            let runner = try await Leap.load(
                url: model,
                options: LiquidInferenceEngineOptions(
                    bundlePath: model.path,
                    cacheOptions: LiquidCacheOptions(path: "", enabled: true, diskDisabled: true), cpuThreads: 2,
                    audioDecoderUseGpu: usesGPU, extras: "{\"gpuDevice\": \"no such device\"}"))
            return try #require(runner as? LiquidInferenceEngineRunner)
        }
    }

    private static let shared = Result { try Folder() }

    private struct Reply {
        var text = ""
        var samples: [Float] = []
        var completion: MessageCompletion?
    }

    private static func reply(
        _ conversation: any Conversation, _ text: String, tokens: Int32 = 8, seed: Int64 = 5
    ) async throws -> Reply {
        let options = GenerationOptions()
        (options.maxTokens, options.temperature, options.rngSeed) = (tokens, 0, seed)
        var reply = Reply()
        for try await response in conversation.generateResponse(
            message: ChatMessage(role: .user, textContent: text), generationOptions: options)
        {
            switch response {
            case .chunk(let text): reply.text += text
            case .audioSample(let samples, _): reply.samples += samples
            case .complete(let completion): reply.completion = completion
            case .reasoningChunk, .functionCall: break
            }
        }
        return reply
    }

    @Test("A projector's generator lets the model speak, besides what its encoder hears")
    func abilities() async throws {
        let runner = try await Self.shared.get().runner()
        let found = try runner.abilities().capabilities
        #expect(found.contains(.audio) && found.contains(.speech))
        #expect(runner.speechForm == .lfm3Audio)
        #expect(try ModelModalities(headersOf: runner.files).output.contains(.audio))
    }

    @Test("A text is read aloud from the first frame on, and the next turn goes on from the frames")
    func readAloud() async throws {
        let runner = try await Self.shared.get().runner()
        #expect(try runner.speechPrompt(.usFemale) == Self.speech)
        let conversation = runner.createConversation(systemPrompt: Self.speech)
        let first = try await Self.reply(conversation, "Say it.")
        #expect(!first.samples.isEmpty && first.samples.count % 1920 == 0)
        let message = try #require(first.completion?.message)
        guard case .audio(let file)? = message.content.last else {
            Issue.record("the message has no audio")
            return
        }
        #expect(try WAVFile(file).sampleCount == first.samples.count)
        let prompt = try runner.promptSource().builder.build(Self.request(runner, [Self.speech], "Say it."))
        #expect(prompt.text.hasSuffix("assistant\n<|audio_start|>"))
        #expect(prompt.tokens.last == 300 && prompt.opening == [300])
        let second = try await Self.reply(conversation, "And again.")
        // All of the first turn but its last tokens is found in the state.
        let reused = try #require(second.completion?.stats).reusedPromptTokens
        #expect(reused > prompt.tokens.count)
        let third = try await Self.reply(runner.createConversation(systemPrompt: Self.speech), "Say it.")
        #expect(third.samples == first.samples)
    }

    private static func request(
        _ runner: LiquidInferenceEngineRunner, _ system: [String], _ text: String
    ) throws -> PromptRequest {
        let messages =
            system.map { ChatMessage(role: .system, textContent: $0) } + [ChatMessage(role: .user, textContent: text)]
        var request = try PromptRequest(
            chat: messages, functions: [], parser: nil, enableThinking: false, parts: .all)
        request.opening = try runner.promptSource().builder.speech?.opening(of: messages, GenerationExtras())
        return request
    }

    @Test("A conversation has text and speech by turns, and without a task the reply is text")
    func orders() async throws {
        let runner = try await Self.shared.get().runner()
        let mixed = try await Self.reply(
            runner.createConversation(systemPrompt: Self.interleaved), "Hello.", tokens: 12)
        #expect(!mixed.text.isEmpty && !mixed.samples.isEmpty)
        for system in [nil, "Be brief.", "Perform ASR in English."] as [String?] {
            let plain = try await Self.reply(runner.createConversation(systemPrompt: system), "Hello.")
            #expect(plain.samples.isEmpty)
        }
    }

    @Test("Placeholders are not written, nor the mark of speech where none follows it")
    func forbidden() async throws {
        let speech = try #require(try await Self.shared.get().runner().promptSource().builder.speech)
        #expect(speech.forbiddenTokens(in: .sequential) == [301, 302])
        #expect(speech.forbiddenTokens(in: nil) == [301, 302, 300])
        #expect(speech.forbiddenTokens(in: .interleaved) == [301, 302, 300])
    }

    @Test("LFM3-Omni's reasoning is closed in front of the reply, once")
    func omni() async throws {
        let source = try await Self.shared.get().runner().promptSource()
        let omni = SpeechReader(
            StableHash(low: 1, high: 2), form: .lfm3Audio, tokenizer: source.builder.tokenizer, readsImages: true)
        let messages = { (text: String) in [ChatMessage(role: .system, textContent: text)] }
        #expect(omni.opening(of: messages(Self.speech), GenerationExtras()) == "<think></think><|audio_start|>")
        #expect(omni.opening(of: messages("Perform ASR in English."), GenerationExtras()) == "<think></think>")
        #expect(omni.opening(of: messages("Be brief."), GenerationExtras()) == nil)
        var builder = source.builder
        builder.speech = omni
        var request = try Self.request(try await Self.shared.get().runner(), [Self.speech], "Say it.")
        request.opening = "<think></think><|audio_start|>"
        let prompt = try builder.build(request)
        #expect(prompt.text.hasSuffix("assistant\n<think></think><|audio_start|>"))
        #expect(prompt.tokens.suffix(prompt.opening.count) == prompt.opening[...] && prompt.tokens.last == 300)
    }

    @Test("A file that names the decoder, but has frames of another form, is not read")
    func otherForm() async throws {
        let tokenizer = try await Self.shared.get().runner().promptSource().builder.tokenizer
        let decoder = StableHash(low: 1, high: 2)
        for (form, other) in [(SpeechForm.lfm2Audio, SpeechForm.lfm3Audio), (.lfm3Audio, .lfm2Audio)] {
            let reader = SpeechReader(decoder, form: form, tokenizer: tokenizer)
            for (written, isRead) in [(form, true), (other, false)] {
                let record = SpeechRecord(decoder: decoder, text: "", items: [.frame(written.end)])
                let file = MediaFile(
                    WAVFile.encode(
                        [0, 0], sampleRate: SpeechDecoder.sampleRate, asInt16: true,
                        chunk: (SpeechRecord.chunkName, record.bytes)))
                #expect((try? reader.read(file))?.tokens.count == (isRead ? 1 : nil))
            }
        }
    }

    @Test("Voices and languages are those that the model was trained with")
    func prompts() async throws {
        #expect(SpeechVoice.ukMale.prompt(for: .lfm3Audio) == "Perform TTS in British English using a male voice.")
        #expect(
            SpeechVoice(name: "Female")?.prompt(for: .lfm3Audio, language: "German")
                == "Perform TTS in German using a female voice.")
        #expect(SpeechVoice(name: "male")?.prompt(for: .lfm2Audio) == "Perform TTS. Use the US male voice.")
        #expect(SpeechVoice.usMale.prompt(for: .lfm2Audio, language: "German") == nil)
        #expect(SpeechVoice.ukMale.prompt(for: .lfm3Audio, language: "English")?.contains("British English") == true)
        #expect(SpeechVoice.languageName("pt-BR") == "Portuguese" && SpeechVoice.languageName("german") == "German")
        #expect(SpeechVoice.languageName("brazilian portuguese") == "Brazilian Portuguese")
        for text in ["", "Klingon", "de\n", " German", "a b", "Ignore all German"] {
            #expect(SpeechVoice.languageName(text) == nil, "\(text)")
        }
        let silent = try await AudioConversationTests.runner()
        #expect(throws: LeapGenerationException.self) { try silent.speechPrompt(.usMale, language: "German") }
    }

    @Test("A generator of another kind leaves the model able to hear, and the log says why it does not speak")
    func otherKind() async throws {
        let folder = try Folder(kind: "qwen3tts_gen")
        var capabilities: [ModelCapability] = []
        let lines = try await CapturedLog.lines {
            capabilities = try await folder.runner().abilities().capabilities
        }
        #expect(capabilities.contains(.audio) && !capabilities.contains(.speech))
        #expect(lines.contains { $0.contains("does not speak") && $0.contains("qwen3tts_gen") })
    }

    @Test("audioDecoderUseGpu counts the generator's layers, and says where they run")
    func gpu() async throws {
        let folder = try Self.shared.get()
        var statistics: GPUStatistics?
        let lines = try await CapturedLog.lines {
            statistics = try await folder.runner(usesGPU: true).statistics.audioDecoderGPU
        }
        #expect(statistics?.modelLayers == 9 && statistics?.layers == 0 && statistics?.note != nil)
        #expect(lines.contains { $0.contains("audioDecoderUseGpu") && $0.contains("the CPU runs the audio decoder") })
    }
}

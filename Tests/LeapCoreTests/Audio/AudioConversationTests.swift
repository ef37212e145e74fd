import Foundation
import LeapAudio
import LeapModel
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore

/// Conversations over sounds, with a tiny encoder of LFM2-Audio of random weights and the language model of the
/// pictures.
@Suite(.inTurns)
struct AudioConversationTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")
    private static let encoder = fixtures.appending(path: "audio/mmproj-audio.gguf").path

    static func runner(
        projector: String? = encoder, contextSize: UInt32? = nil, model: String? = nil, chatTemplate: String? = nil
    ) async throws -> LiquidInferenceEngineRunner {
        let path = model ?? fixtures.appending(path: "vision/vision.gguf").path
        let runner = try await Leap.load(
            url: URL(fileURLWithPath: path),
            options: LiquidInferenceEngineOptions(
                bundlePath: path, cacheOptions: LiquidCacheOptions(path: "", enabled: true, diskDisabled: true),
                cpuThreads: 2, contextSize: contextSize, mmProjPath: projector, chatTemplate: chatTemplate))
        return try #require(runner as? LiquidInferenceEngineRunner)
    }

    static func sound(_ count: Int = 16_123, rate: Int = 16_000) -> ChatMessageContent {
        .fromFloatSamples(PatternAudio.samples(count), sampleRate: rate)
    }

    private static func completion(
        _ conversation: any Conversation, _ content: [ChatMessageContent]
    ) async throws -> MessageCompletion {
        let options = GenerationOptions()
        options.maxTokens = 6
        options.temperature = 0
        for try await response in conversation.generateResponse(
            message: ChatMessage(role: .user, content: content), generationOptions: options)
        {
            if case .complete(let completion) = response { return completion }
        }
        throw LeapGenerationException("no completion")
    }

    private static func prompt(
        _ runner: LiquidInferenceEngineRunner, _ messages: [ChatMessage]
    ) throws -> PromptBuilder.Prompt {
        try runner.promptSource().builder.build(
            PromptRequest(chat: messages, functions: [], parser: nil, enableThinking: false, parts: .all))
    }

    @Test("A sound's vectors stand in its place, without markers, as many as its length asks for")
    func tokens() async throws {
        let runner = try await Self.runner()
        for (count, rate, vectors) in [
            (1600, 16_000, 2), (16_123, 16_000, 13), (48_000, 16_000, 38), (48_000, 48_000, 13), (8000, 8000, 13),
        ] {
            let prompt = try Self.prompt(
                runner,
                [
                    ChatMessage(role: .system, textContent: "Perform ASR."),
                    ChatMessage(role: .user, content: [Self.sound(count, rate: rate)]),
                ])
            let places = prompt.tokens.indices.filter { prompt.tokens[$0] < 0 }
            #expect(places.count == vectors, "\(count) at \(rate)")
            #expect(Set(places.map { prompt.tokens[$0] }).count == vectors)
            #expect(prompt.text.contains("<|im_start|>system\nPerform ASR.<|im_end|>"))
            #expect(prompt.text.contains("<|im_start|>user\n<audio><|im_end|>"))
            #expect(prompt.tokens[places[0] - 1] == 10)
            #expect(prompt.tokens[places[vectors - 1] + 1] == 259)
        }
    }

    @Test("Sounds in earlier turns stay, are encoded once, and are other for other samples")
    func turns() async throws {
        let runner = try await Self.runner()
        let conversation = runner.createConversation(systemPrompt: "Perform ASR.")
        let first = try await Self.completion(conversation, [.text("Say:"), Self.sound(96_000)])
        let second = try await Self.completion(conversation, [.text("And"), Self.sound(20_000), .text("?")])
        let asked = try #require(first.stats).computedPromptTokens
        #expect(asked > 76)
        #expect(try #require(second.stats).reusedPromptTokens > asked - 64)
        let again = try await Self.completion(
            runner.createConversation(systemPrompt: "Perform ASR."), [.text("Say:"), Self.sound(96_000)])
        #expect(try #require(again.stats).reusedPromptTokens >= 64)
        let other = try await Self.completion(
            runner.createConversation(systemPrompt: "Perform ASR."), [.text("Say:"), Self.sound(96_100)])
        #expect(try #require(other.stats).reusedPromptTokens < 64)
        #expect(again.message.content == first.message.content)
    }

    @Test("The encoder is found beside the model by its name, and the model tells that it reads sound")
    func companion() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sound-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let model = folder.appending(path: "LFM2-Audio.gguf")
        try FileManager.default.copyItem(at: Self.fixtures.appending(path: "vision/vision.gguf"), to: model)
        let alone = try await Self.runner(projector: nil, model: model.path)
        #expect(alone.media.isEmpty)
        try FileManager.default.copyItem(
            at: URL(fileURLWithPath: Self.encoder), to: folder.appending(path: "mmproj-LFM2-Audio.gguf"))
        let runner = try await Self.runner(projector: nil, model: model.path)
        #expect(runner.media == [.audio])
        #expect(try runner.abilities().capabilities.contains(.audio))
        #expect(try runner.abilities().capabilities.contains(.vision) == false)
        _ = try await Self.completion(runner.createConversation(systemPrompt: nil), [Self.sound(3000)])
    }

    @Test("A sound that cannot be read, or that nothing reads, is refused by what is wrong and not kept")
    func refused() async throws {
        let runner = try await Self.runner()
        let conversation = runner.createConversation(systemPrompt: nil)
        for (part, words) in [
            (ChatMessageContent.audio(Data("ID3 and more".utf8)), "MP3"),
            (.audio(data: Data([1, 2, 3]), format: "flac"), "flac"),
            (.audio(MadeWAV.file(tag: 2, bits: 4, samples: [0, 0, 0, 0])), "format 2 with 4 bits"),
            (.audio(MadeWAV.file(samples: [])), "no samples"),
            (.image(Data(PNGFile.pattern(width: 8, height: 8))), "use a model that reads images"),
        ] {
            let error = await #expect(throws: LeapGenerationException.self) {
                try await Self.completion(conversation, [part])
            }
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
            #expect(conversation.history.isEmpty)
        }
        let pictures = try await Self.runner(projector: Self.fixtures.appending(path: "vision/mmproj-vision.gguf").path)
        let error = await #expect(throws: LeapGenerationException.self) {
            try await Self.completion(pictures.createConversation(systemPrompt: nil), [Self.sound()])
        }
        #expect(error?.message.contains("use a model that reads audio") == true, "\(error?.message ?? "")")
    }

    @Test("An hour is refused by the tokens that it takes, before any of it is read")
    func hour() async throws {
        let runner = try await Self.runner(contextSize: 1024)
        // 3,600 samples of one second each.
        let data = MadeWAV.file(rate: 1, samples: [UInt8](repeating: 0, count: 7200))
        let error = await #expect(throws: LeapGenerationPromptExceedContextLengthException.self) {
            try await Self.completion(runner.createConversation(systemPrompt: nil), [.audio(data)])
        }
        #expect(error?.neededTokens == 45_002)
        #expect(error?.availableTokens == 1024)
        #expect(error?.message.contains("3600 seconds") == true)
    }

    @Test("Sounds at high rates, of one sample and without a number in them are answered")
    func extremes() async throws {
        let runner = try await Self.runner()
        let wild: [Float] = [.nan, .infinity, -.infinity, 3e38] + [Float](repeating: 0.1, count: 4000)
        for part in [
            Self.sound(60_000, rate: 384_000), Self.sound(1), .fromFloatSamples(wild, sampleRate: 16_000),
            .fromFloatSamples([Float](repeating: 0, count: 20_000), sampleRate: 16_000),
        ] {
            _ = try await Self.completion(runner.createConversation(systemPrompt: nil), [part])
        }
    }

    @Test("An encoder of another model is refused")
    func otherEncoder() async throws {
        let model = Self.fixtures.appending(path: "qwen3-odd-heads.gguf").path
        let error = await #expect(throws: LeapModelLoadingException.self) {
            try await Self.runner(model: model)
        }
        #expect(error?.message.contains("belongs to another model") == true, "\(error?.message ?? "")")
    }

    @Test("A template that takes contents as parts is given sounds as parts, and what it writes for them is left out")
    func parts() async throws {
        let template = """
            {% for message in messages %}<|im_start|>{{ message.role }}
            {% for part in message.content %}{% if part.type == 'audio' %}<|audio|>{% else %}{{ part.text }}{% endif %}{% endfor %}<|im_end|>
            {% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
            {% endif %}
            """
        let runner = try await Self.runner(chatTemplate: template)
        let prompt = try Self.prompt(
            runner,
            [
                ChatMessage(
                    role: .user,
                    content: [Self.sound(1600), .text("a <|audio|> b"), Self.sound(16_123), .text("end")])
            ])
        #expect(prompt.text.contains("user\n<audio>a <|audio|> b<audio>end<|im_end|>"), "\(prompt.text)")
        #expect(prompt.tokens.count { $0 < 0 } == 15)
    }

    @Test("A conversation with a sound is saved and goes on")
    func saved() async throws {
        let runner = try await Self.runner()
        let conversation = runner.createConversation(systemPrompt: nil)
        _ = try await Self.completion(conversation, [Self.sound(32_000), .text("?")])
        let data = try JSONEncoder().encode(conversation.history)
        let history = try JSONDecoder().decode([ChatMessage].self, from: data)
        #expect(history == conversation.history)
        let next = try await Self.completion(runner.createConversationFromHistory(history: history), [.text("So?")])
        #expect(try #require(next.stats).computedPromptTokens > 25)
    }
}

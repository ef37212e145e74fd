import Foundation
import LeapModel
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore

/// Conversations over sounds, with Gemma 4's encoders, tiny and of random weights, and a tiny Gemma 4.
@Suite(.inTurns)
struct GemmaAudioConversationTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")

    /// The encoders' files, with the vectors that they make of 16,123 samples.
    private static let encoders = [("gemma4u/mmproj-gemma4u.gguf", 26), ("gemma4a/mmproj-gemma4a.gguf", 25)]

    /// Calls a function with the runner of a Gemma 4 whose vocabulary has the tokens around sounds.
    private static func withRunner(
        _ encoder: String, _ body: (LiquidInferenceEngineRunner) async throws -> Void
    ) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).gguf").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try GemmaSoundModel.write(to: path, fixtures: fixtures)
        try await body(
            try await AudioConversationTests.runner(
                projector: fixtures.appending(path: encoder).path, model: path))
    }

    private static func prompt(
        _ runner: LiquidInferenceEngineRunner, _ content: [ChatMessageContent]
    ) throws -> PromptBuilder.Prompt {
        let messages = [
            ChatMessage(role: .system, textContent: runner.transcriptionPrompt()),
            ChatMessage(role: .user, content: content),
        ]
        return try runner.promptSource().builder.build(
            PromptRequest(chat: messages, functions: [], parser: nil, enableThinking: false, parts: .all))
    }

    private static func completion(
        _ runner: LiquidInferenceEngineRunner, _ content: [ChatMessageContent]
    ) async throws -> MessageCompletion {
        let options = GenerationOptions()
        (options.maxTokens, options.temperature) = (5, 0)
        let conversation = runner.createConversation(systemPrompt: runner.transcriptionPrompt())
        for try await response in conversation.generateResponse(
            message: ChatMessage(role: .user, content: content), generationOptions: options)
        {
            if case .complete(let completion) = response { return completion }
        }
        throw LeapGenerationException("no completion")
    }

    @Test("A sound's vectors stand between the model's tokens, as many as its samples ask for", arguments: encoders)
    func tokens(encoder: String, count: Int) async throws {
        try await Self.withRunner(encoder) { runner in
            #expect(runner.media.contains(.audio) && !runner.transcribesLive)
            let prompt = try Self.prompt(runner, [AudioConversationTests.sound(16_123)])
            let places = prompt.tokens.indices.filter { prompt.tokens[$0] < 0 }
            #expect(places.count == count && places.last.map { $0 - places[0] + 1 } == count)
            #expect(
                prompt.tokens[places[0] - 1] == GemmaSoundModel.ids.before
                    && prompt.tokens[places[count - 1] + 1] == GemmaSoundModel.ids.behind)
            #expect(!prompt.tokens.contains(GemmaSoundModel.ids.placeholder))
            // No place sees a later one, in a model where those of a picture do.
            #expect(places.allSatisfy { PlaceToken.step(of: prompt.tokens[$0]) == .grid })
            #expect(prompt.text.contains("Transcribe the speech in English."))
            // Live recognition is for encoders that go on from a state.
            let reader = try #require(
                try runner.promptSource().builder.mediaReader(.audio) as? AudioReader)
            #expect(!reader.readsPieces)
            // The same sound at another rate.
            let other = try Self.prompt(runner, [AudioConversationTests.sound(48_369, rate: 48_000)])
            #expect(other.tokens.count { $0 < 0 } == count)
        }
    }

    @Test("A sound of more than 30 seconds has a span for each 30, with the frames of it")
    func spans() async throws {
        try await Self.withRunner(Self.encoders[0].0) { runner in
            let sound = ChatMessageContent.fromFloatSamples(
                [Float](repeating: 0.25, count: 480_000) + PatternAudio.samples(1281), sampleRate: 16_000)
            let prompt = try Self.prompt(runner, [sound, .text("?")])
            #expect(prompt.parts.map(\.tokenCount) == [750, 3])
            #expect(prompt.tokens.count { $0 == GemmaSoundModel.ids.before } == 2)
            let frames = try prompt.parts.map { part in
                guard case .audio(let spectrum) = try part.content() else {
                    return AudioSpectrum(frameCount: 0, values: [])
                }
                return spectrum
            }
            #expect(frames.map(\.frameCount) == [750, 3])
            #expect(frames[0].values.allSatisfy { $0 == 0.25 } && frames[1].values[1281...].allSatisfy { $0 == 0 })
            // 752 vectors do not fit a context of 700.
            let source = try runner.promptSource().builder
            let reader = try #require(source.mediaReader(.audio) as? AudioReader)
            let small = AudioReader(encoder: reader.encoder, form: reader.form, contextSize: 700)
            let error = #expect(throws: LeapGenerationPromptExceedContextLengthException.self) {
                try small.checkedVectorCount(samples: 481_281, sampleRate: 16_000)
            }
            #expect(error?.message.contains("a second takes 25 tokens") == true)
        }
    }

    @Test("A reply to a sound is written, and one that was recorded piece by piece gives the same", arguments: encoders)
    func reply(encoder: String, count: Int) async throws {
        try await Self.withRunner(encoder) { runner in
            let stream = try AudioInputStream(runner: runner, sampleRate: 16_000)
            let samples = PatternAudio.samples(16_123)
            for start in stride(from: 0, to: samples.count, by: 1000) {
                try stream.append(Array(samples[start..<min(samples.count, start + 1000)]))
            }
            let recorded = try await Self.completion(runner, [try stream.finish()])
            let whole = try await Self.completion(runner, [AudioConversationTests.sound(16_123)])
            #expect(recorded.message.content == whole.message.content)
            #expect(try #require(whole.stats).wholePromptTokens > count + 2)
        }
    }

    @Test("Pictures and sounds of 12B's file are read in one message, and both count")
    func both() async throws {
        try await Self.withRunner(Self.encoders[0].0) { runner in
            #expect(runner.media == [.image, .audio])
            let picture = ChatMessageContent.image(Data(PNGFile.pattern(width: 40, height: 40)))
            let sound = AudioConversationTests.sound(6400)
            let prompt = try Self.prompt(runner, [.text("See"), picture, .text("and hear"), sound])
            // 16 × 16 squares and 10 frames.
            #expect(prompt.parts.map(\.tokenCount) == [256, 10])
            let both = try await Self.completion(runner, [picture, sound])
            #expect(try #require(both.stats).wholePromptTokens > 266)
        }
    }
}

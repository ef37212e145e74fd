import Foundation
import LeapBase
import LeapModel
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore
@testable import LeapEngine

/// Transcripts that are written while the sound comes, with a tiny encoder of LFM3-Audio of random weights.
@Suite(.inTurns, .timeLimit(.minutes(30)))
struct LiveTranscriptionTests {
    private static func options(_ chunkMilliseconds: Int = 400) -> LiveTranscriptionOptions {
        LiveTranscriptionOptions(chunkMilliseconds: chunkMilliseconds)
    }

    /// The text of a sound whose samples come in pieces of a length.
    private static func text(
        _ runner: any ModelRunner, samples: Int = 8123, rate: Int = 16_000, piece: Int = 1600,
        chunk: Int = 400
    ) async throws -> String {
        let live = try runner.transcribeLive(sampleRate: rate, options: options(chunk))
        let samples = PatternAudio.samples(samples)
        for start in stride(from: 0, to: samples.count, by: piece) {
            try await live.feed(Array(samples[start..<min(samples.count, start + piece)]))
        }
        live.finish()
        #expect(live.duration == Double(samples.count) / Double(rate))
        return try await collect(live)
    }

    private static func collect(_ live: LiveTranscription) async throws -> String {
        var text = ""
        for try await piece in live.text { text += piece }
        return text
    }

    @Test("The text does not depend on how many samples come at a time, nor on what was transcribed before")
    func pieces() async throws {
        let runner = try await CausalAudioConversationTests.runner()
        #expect(runner.transcribesLive)
        var texts: Set<String> = []
        for chunk in [80, 160, 400] {
            let first = try await Self.text(runner, chunk: chunk)
            #expect(!first.isEmpty)
            texts.insert(first)
            for piece in [160, 20_000] {
                #expect(try await Self.text(runner, piece: piece, chunk: chunk) == first, "\(piece) of \(chunk)")
            }
        }
        #expect(texts.count > 1)
        // At another rate, too, and two at a time.
        async let one = Self.text(runner, samples: 24_000, rate: 48_000, piece: 777)
        async let other = Self.text(runner)
        let (wide, plain) = try await (one, other)
        #expect(try await Self.text(runner, samples: 24_000, rate: 48_000, piece: 24_000) == wide)
        #expect(try await Self.text(runner) == plain)
    }

    @Test("The text behind the first chunk is that which the model writes behind the same sound, read at once")
    func first() async throws {
        let runner = try await CausalAudioConversationTests.runner()
        // 34 frames in 5 vectors, all of which are in the first chunk.
        let count = 400 + 33 * 160
        let prompt = try LivePrompt(runner, systemPrompt: nil)
        #expect(
            prompt.tokenizer.decode(prompt.tokens).hasSuffix(
                "<|im_start|>system\nPerform live ASR.<|im_end|>\n<|im_start|>assistant\n"))
        let sound = try prompt.reader.read(
            MediaFile(try #require(Self.file(PatternAudio.samples(count)))))
        #expect(sound.tokens.count == 5)
        var request = GenerationRequest(
            prompt: prompt.tokens + sound.tokens, sampling: .greedy,
            maxTokens: LiveWriter.maxTokens + LiveWriter.maxLastTokens, stopTokens: prompt.stopTokens)
        request.media = MediaInput.inputs(sound.parts, in: request.prompt)
        request.logitBias = prompt.forbidden
        var expected: [TokenID] = []
        let engine = try #require((runner.backend as? SuspendableBackend)?.engine)
        for await event in engine.makeSession().events(request) {
            if case .token(let token) = event { expected.append(token) }
        }
        #expect(!expected.isEmpty)
        #expect(try await Self.text(runner, samples: count) == prompt.tokenizer.decode(expected, skipSpecial: true))
    }

    private static func file(_ samples: [Float]) -> Data? {
        guard case .audio(let data) = ChatMessageContent.fromFloatSamples(samples, sampleRate: 16_000) else {
            return nil
        }
        return data
    }

    @Test("Tokens of media and of speech cannot come, and those that end a turn can")
    func forbidden() async throws {
        let runner = try await CausalAudioConversationTests.runner()
        let prompt = try LivePrompt(runner, systemPrompt: "Write what is said.")
        #expect(prompt.tokenizer.decode(prompt.tokens).contains("system\nWrite what is said.<|im_end|>"))
        for name in ["<|image_pad|>", "<|video_pad|>", "<|vision_start|>", "<|vision_end|>"] {
            let token = try #require(prompt.tokenizer.token(for: name), "\(name)")
            #expect(prompt.forbidden[token] == -.infinity)
        }
        let end = try #require(prompt.tokenizer.token(for: "<|im_end|>"))
        #expect(prompt.stopTokens.contains(end) && prompt.forbidden[end] == nil)
        #expect(prompt.forbidden.count < prompt.tokenizer.vocabularySize / 2)
    }

    @Test("A recording is transcribed while it is recorded, with the same text, and remains a message")
    func recording() async throws {
        let runner = try await CausalAudioConversationTests.runner()
        let stream = try AudioInputStream(runner: runner, sampleRate: 16_000)
        let live = try stream.transcribeLive(options: Self.options())
        #expect(throws: LeapGenerationException.self) { try stream.transcribeLive() }
        let samples = PatternAudio.samples(8123)
        for start in stride(from: 0, to: samples.count, by: 1000) {
            try stream.append(Array(samples[start..<min(samples.count, start + 1000)]))
        }
        #expect(try stream.finish() == AudioConversationTests.sound(8123))
        #expect(try await Self.collect(live) == Self.text(runner))

        let late = try AudioInputStream(runner: runner, sampleRate: 16_000)
        try late.append([0])
        #expect(throws: LeapGenerationException.self) { try late.transcribeLive() }
        // A recording that nobody finishes.
        var dropped: AudioInputStream? = try AudioInputStream(runner: runner, sampleRate: 16_000)
        let ended = try #require(try dropped?.transcribeLive())
        dropped = nil
        #expect(try await Self.collect(ended).isEmpty)
    }

    // MARK: The end

    @Test("A sound without samples has no text, and nothing can be appended behind the end")
    func end() async throws {
        let runner = try await CausalAudioConversationTests.runner()
        let live = try runner.transcribeLive(sampleRate: 16_000)
        live.finish()
        live.finish()
        #expect(try await Self.collect(live).isEmpty)
        let error = #expect(throws: LeapGenerationException.self) { try live.append([0]) }
        #expect(error?.message.contains("has ended") == true)
        await #expect(throws: LeapGenerationException.self) { try await live.feed([0]) }
    }

    @Test("Cancelling ends the text, and so does cancelling its reader; what waits is dropped")
    func cancel() async throws {
        let runner = try await CausalAudioConversationTests.runner()
        let live = try runner.transcribeLive(sampleRate: 16_000)
        try live.append(PatternAudio.samples(48_000))
        live.cancel()
        _ = try await Self.collect(live)
        #expect(throws: LeapGenerationException.self) { try live.append([0]) }

        let left = try runner.transcribeLive(sampleRate: 16_000, options: Self.options(80))
        try left.append(PatternAudio.samples(48_000))
        let reader = Task { try await Self.collect(left) }
        reader.cancel()
        _ = try await reader.value
        await #expect(throws: LeapGenerationException.self) { try await left.feed([0]) }
        // The model is free for others.
        #expect(try await Self.text(runner) == Self.text(runner))
    }

    @Test("More than 30 seconds do not wait, unless whoever feeds waits for the model")
    func waiting() async throws {
        let runner = try await CausalAudioConversationTests.runner()
        let live = try runner.transcribeLive(sampleRate: 16_000)
        let error = #expect(throws: LeapGenerationException.self) {
            try live.append([Float](repeating: 0, count: 16_000 * 31))
        }
        #expect(error?.message.contains("30 seconds") == true)
        #expect(live.duration == 0)
        live.cancel()

        // Of a recording that goes on, the text ends with the reason.
        let slow = try runner.transcribeLive(sampleRate: 16_000)
        slow.offer([Float](repeating: 0, count: 16_000 * 31))
        await #expect(throws: LeapGenerationException.self) { try await Self.collect(slow) }
        let stream = try AudioInputStream(runner: runner, sampleRate: 16_000)
        let ended = try stream.transcribeLive()
        ended.cancel()
        try stream.append([0, 0])
        #expect(stream.duration == 2.0 / 16_000)
        #expect(try await Self.collect(ended).isEmpty)

        // Whoever feeds waits while there is no room, and no longer than the transcription lasts.
        let sound = LiveSound(
            sampleRate: 16_000, form: .scaled(bands: 16), chunkLength: 40, maxWaitingSeconds: 2)
        let feeding = Task { try await sound.feed([Float](repeating: 0, count: 16_000 * 40)) }
        while sound.duration < 2 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(throws: LeapGenerationException.self) { try sound.append([Float](repeating: 0, count: 16_000)) }
        for _ in 0..<5 { #expect(await sound.next()?.frameCount == 40) }
        while sound.duration < 3 { try await Task.sleep(for: .milliseconds(1)) }
        sound.end()
        await #expect(throws: LeapGenerationException.self) { try await feeding.value }
        let rest = await sound.next()
        #expect(rest == nil)
    }

    @Test("Where the context is small or the sound long, the oldest chunks are left out, and the text goes on")
    func window() async throws {
        let runner = try await CausalAudioConversationTests.runner(contextSize: 384)
        let text = try await Self.text(runner, samples: 16_000 * 4)
        #expect(!text.isEmpty)
        #expect(try await Self.text(runner, samples: 16_000 * 4, piece: 333) == text)
        let live = try LiveTranscription(
            runner, sampleRate: 16_000, options: Self.options(), maxVectors: 20)
        try live.append(PatternAudio.samples(16_000 * 3))
        live.finish()
        let short = try await Self.collect(live)
        #expect(!short.isEmpty)
        let tiny = try await CausalAudioConversationTests.runner(contextSize: 64)
        #expect(tiny.transcribesLive)
        let error = #expect(throws: LeapGenerationPromptExceedContextLengthException.self) {
            try tiny.transcribeLive(sampleRate: 16_000)
        }
        #expect(error?.availableTokens == 64 && (error?.neededTokens ?? 0) > 64)
    }

    @Test("The window holds the latest chunks with their text, half of its room after it was full")
    func chunks() {
        func part(_ count: Int) -> MediaPart {
            MediaPart(tokenCount: count, medium: .audio) {
                .audio(AudioSpectrum(frameCount: 0, bandCount: 1, values: []))
            }
        }
        var window = LiveWindow(start: [1, 2], maxTokens: 1000, maxVectors: 20)
        window.append(9)
        #expect(window.prompt == [1, 2])
        for chunk in 0..<4 {
            window.append([TokenID](repeating: TokenID(-1 - chunk), count: 5), part(5))
            window.append(TokenID(10 + chunk))
        }
        #expect(window.parts.count == 4 && window.prompt.count == 2 + 4 * 6)
        window.append([-5, -5, -5, -5, -5], part(5))
        #expect(window.prompt == [1, 2, -3, -3, -3, -3, -3, 12, -4, -4, -4, -4, -4, 13, -5, -5, -5, -5, -5])
        #expect(window.parts.map(\.tokenCount) == [5, 5, 5])
        // Tokens of text fill it as well.
        var small = LiveWindow(start: [1, 2], maxTokens: 20)
        small.append([-1, -1], part(2))
        for token in 0..<15 { small.append(TokenID(token)) }
        small.append([-2, -2], part(2))
        #expect(small.prompt == [1, 2, -2, -2])
    }

    // MARK: What cannot be

    @Test("Models that read whole sounds, or none, and options out of range are refused with the reason")
    func refused() async throws {
        let runner = try await CausalAudioConversationTests.runner()
        let whole = try await AudioConversationTests.runner()
        let deaf = try await AudioConversationTests.runner(projector: nil)
        #expect(!whole.transcribesLive && !deaf.transcribesLive)
        for (runner, rate, chunk, words) in [
            (whole, 16_000, 400, "reads whole recordings only"),
            (deaf, 16_000, 400, "live transcription is not possible"),
            (runner, 0, 400, "sampleRate is 0"), (runner, 16_000, 100, "multiple of 80, 80 to 400"),
            (runner, 16_000, 480, "chunkMilliseconds is 480"), (runner, 16_000, 0, "chunkMilliseconds is 0"),
        ] {
            let error = #expect(throws: LeapGenerationException.self) {
                try runner.transcribeLive(sampleRate: rate, options: Self.options(chunk))
            }
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
        let live = try runner.transcribeLive(sampleRate: 16_000)
        await runner.unload()
        // It may have noticed before the sound comes.
        try? live.append(PatternAudio.samples(16_000))
        let error = await #expect(throws: LeapGenerationException.self) { try await Self.collect(live) }
        #expect(error?.message.contains("unloaded") == true, "\(error?.message ?? "")")
        #expect(!runner.transcribesLive)
    }
}

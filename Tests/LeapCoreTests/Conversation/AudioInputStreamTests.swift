import Foundation
import LeapAudio
import LeapEngine
import LeapModel
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapChat
@testable import LeapCore

@Suite(.inTurns)
struct AudioInputStreamTests {
    private static func reply(
        _ runner: LiquidInferenceEngineRunner, _ content: ChatMessageContent
    ) async throws -> ChatMessage? {
        let options = GenerationOptions()
        options.maxTokens = 6
        options.temperature = 0
        for try await response in runner.createConversation(systemPrompt: nil).generateResponse(
            message: ChatMessage(role: .user, content: [content]), generationOptions: options)
        {
            if case .complete(let completion) = response { return completion.message }
        }
        return nil
    }

    @Test(
        "What comes in pieces is the sound that it is at once, with its spectrum made already",
        arguments: [16_000, 44_100])
    func pieces(rate: Int) async throws {
        let runner = try await AudioConversationTests.runner()
        var samples = PatternAudio.samples(20_000)
        samples[7] = .nan
        let stream = try AudioInputStream(runner: runner, sampleRate: rate)
        for start in stride(from: 0, to: samples.count, by: 1600) {
            try stream.append(Array(samples[start..<min(samples.count, start + 1600)]))
        }
        #expect(stream.duration == 20_000 / Double(rate))
        let content = try stream.finish()
        samples[7] = 0
        #expect(content == .fromFloatSamples(samples, sampleRate: rate))
        guard case .audio(let data) = content else { return }
        let reader = try #require(try runner.promptSource().builder.mediaReader(.audio) as? AudioReader)
        let digest = MediaFile(data).digest
        #expect(reader.hasSpectrum(digest: digest))
        let other = try await AudioConversationTests.runner()
        let otherReader = try #require(try other.promptSource().builder.mediaReader(.audio) as? AudioReader)
        #expect(!otherReader.hasSpectrum(digest: digest))
        #expect(try await Self.reply(runner, content) == (try await Self.reply(other, content)))
        // The spectrum of the file is that of the pieces.
        func spectrum(_ reader: AudioReader) throws -> [Float] {
            guard case .audio(let spectrum) = try reader.read(MediaFile(data)).parts[0].content() else { return [] }
            return spectrum.values
        }
        #expect(try spectrum(reader) == spectrum(otherReader))
    }

    @Test("It takes nothing without an encoder of sound, at no rate, beyond the context, and after its end")
    func refused() async throws {
        let textOnly = try await AudioConversationTests.runner(projector: nil)
        let runner = try await AudioConversationTests.runner(contextSize: 64)
        for (runner, rate, words) in [
            (textOnly, 16_000, "audio"), (runner, 0, "sampleRate is 0"), (runner, 800_000, "768000"),
        ] {
            let error = #expect(throws: LeapGenerationException.self) {
                try AudioInputStream(runner: runner, sampleRate: rate)
            }
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
        let stream = try AudioInputStream(runner: runner, sampleRate: 16_000)
        #expect(throws: LeapGenerationException.self) { try stream.finish() }
        try stream.append(PatternAudio.samples(64_000))
        #expect(throws: LeapGenerationPromptExceedContextLengthException.self) {
            try stream.append(PatternAudio.samples(32_000))
        }
        #expect(stream.duration == 4)
        _ = try stream.finish()
        #expect(throws: LeapGenerationException.self) { try stream.append([0]) }
        #expect(throws: LeapGenerationException.self) { try stream.finish() }
        await runner.unload()
        #expect(throws: LeapGenerationException.self) { try AudioInputStream(runner: runner, sampleRate: 16_000) }
    }
}

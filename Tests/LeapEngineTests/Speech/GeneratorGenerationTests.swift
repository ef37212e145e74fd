import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Replies that are spoken with codes written in passes (LFM3-Audio).
@Suite(.inTurns)
struct GeneratorGenerationTests {
    private static let start: TokenID = 300

    /// A request for a text to be read aloud, whose prompt begins the speech.
    private static func spoken(_ sampling: SamplingValues, tokens: Int = 12) -> GenerationRequest {
        var request = GenerationRequest(
            prompt: [257, 258] + Array(97...110) + [start], sampling: .greedy, maxTokens: tokens)
        request.speech = SpeechRequest(order: .sequential, sampling: sampling, start: start, textEnd: nil)
        return request
    }

    private static func drawn(_ seed: UInt64) -> SamplingValues {
        var values: SamplingValues = [:]
        values.seed = seed
        return values
    }

    private static func frames(_ output: SpeechFixture.Output) -> [SpeechFrame] {
        output.items.compactMap { if case .frame(let codes) = $0 { SpeechFrame(codes: codes) } else { nil } }
    }

    @Test("A prompt that ends with the mark of speech is answered with frames, 1,920 samples each, up to an end")
    func opened() async throws {
        for seed in 0..<4 {
            let output = try await SpeechFixture.generate(
                Self.spoken(Self.drawn(UInt64(seed))), by: try GeneratorFixture.engine())
            guard case .frame? = output.items.first else {
                Issue.record("the reply begins with text")
                return
            }
            let spoken = output.items.prefix { if case .frame = $0 { true } else { false } }
            let frames = Self.frames(output)
            // Behind an end comes text: speech does not begin again by itself.
            #expect(frames.dropLast(frames.last?.isEnd == true ? 1 : 0).allSatisfy { !$0.isEnd })
            #expect(frames.count == spoken.count)
            let sounding = frames.count { !$0.isEnd }
            #expect(output.samples.count == sounding * SpeechForm.lfm3Audio.samplesPerFrame)
            #expect(output.longestPiece <= SpeechForm.lfm3Audio.samplesPerFrame)
            #expect(output.samples.allSatisfy { $0.isFinite })
        }
    }

    @Test("A seed gives the same speech bit for bit, and another one other speech")
    func seeds() async throws {
        func run(_ seed: UInt64) async throws -> SpeechFixture.Output {
            try await SpeechFixture.generate(Self.spoken(Self.drawn(seed)), by: try GeneratorFixture.engine())
        }
        let (first, again, other) = (try await run(7), try await run(7), try await run(8))
        #expect(first.items == again.items && first.samples == again.samples)
        #expect(first.items != other.items)
    }

    @Test("Generations that speak beside others, and beside text, give what each gives alone")
    func together() async throws {
        let engine = try GeneratorFixture.engine()
        var mixed = Self.spoken(Self.drawn(3), tokens: 24)
        mixed.prompt.removeLast()
        mixed.speech?.order = .interleaved
        var text = mixed
        text.speech = nil
        let requests = [Self.spoken(Self.drawn(1)), Self.spoken(.greedy), mixed, text]
        async let a = SpeechFixture.generate(requests[0], by: engine)
        async let b = SpeechFixture.generate(requests[1], by: engine)
        async let c = SpeechFixture.generate(requests[2], by: engine)
        async let d = SpeechFixture.generate(requests[3], by: engine)
        for (output, request) in zip(try await [a, b, c, d], requests) {
            let alone = try await SpeechFixture.generate(request, by: try GeneratorFixture.engine())
            #expect(output.items == alone.items && output.samples == alone.samples)
        }
    }

    @Test("A conversation has six tokens and twelve frames by turns")
    func interleaved() async throws {
        for seed in 0..<8 {
            var request = Self.spoken(Self.drawn(UInt64(seed)), tokens: 20)
            request.prompt.removeLast()
            request.speech?.order = .interleaved
            let output = try await SpeechFixture.generate(request, by: try GeneratorFixture.engine())
            let isFrame = output.items.map { if case .frame = $0 { true } else { false } }
            #expect(!isFrame.prefix(6).contains(true))
            let frames = Self.frames(output)
            if let end = frames.firstIndex(where: \.isEnd) {
                // An end of speech returns to text.
                #expect(isFrame[6..<6 + end + 1].allSatisfy { $0 } && isFrame.dropFirst(7 + end).first != true)
            } else {
                #expect(isFrame[6..<18].allSatisfy { $0 } && !isFrame[18...].contains(true))
            }
        }
    }

    @Test("Frames in the next prompt are found in the state, an end among them, and give the same as computing them")
    func nextTurn() async throws {
        let engine = try GeneratorFixture.engine()
        defer { withExtendedLifetime(engine) {} }
        let session = engine.makeSession()
        let request = Self.spoken(Self.drawn(2))
        let first = try await SpeechFixture.generate(request, in: session)
        let frames = Self.frames(first)
        var next = request
        next.prompt = request.prompt + first.places + [259, 10, Self.start]
        let begin = request.prompt.count
        next.media = [
            MediaInput(positions: begin..<begin + frames.count, medium: .speech) { .speech(frames) }
        ]
        let second = try await SpeechFixture.generate(next, in: session)
        #expect((second.result?.cachedPromptTokens ?? 0) >= begin + first.places.count - 2)
        let fresh = try await SpeechFixture.generate(next, by: try GeneratorFixture.engine())
        #expect(fresh.result?.cachedPromptTokens == 0)
        #expect(fresh.items == second.items && fresh.samples == second.samples)
    }

    @Test("Frames with the codes of another form of speech are refused, not looked up")
    func otherForm() async throws {
        let (mine, other) = (try GeneratorFixture.engine(), try SpeechFixture.engine())
        for (engine, form) in [(mine, SpeechForm.lfm2Audio), (other, .lfm3Audio)] {
            let codes = [UInt16](repeating: UInt16(form.audioCodeCount - 1), count: form.codebookCount)
            let frame = try #require(SpeechFrame(codes: codes))
            var request = Self.spoken(Self.drawn(2))
            let begin = request.prompt.count
            request.prompt += [frame.place(decoder: try GeneratorFixture.decoder().identity), 259, 10, Self.start]
            request.media = [MediaInput(positions: begin..<begin + 1, medium: .speech) { .speech([frame]) }]
            let error = await #expect(throws: EngineError.self) {
                try await SpeechFixture.generate(request, by: engine)
            }
            #expect(error?.code == .invalidOption && error?.message.contains("another model's") == true)
        }
    }
}

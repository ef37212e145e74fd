import LeapBase
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

@Suite(.inTurns)
struct SpeechGenerationTests {
    private static func reply(_ index: Int) throws -> SpeechFixture.Reply { try SpeechFixture.load().replies[index] }

    /// A prompt that repeats what a generation wrote, with its frames as media.
    private static func prompt(_ prompt: [TokenID], then output: SpeechFixture.Output, _ ending: [TokenID])
        -> (tokens: [TokenID], media: [MediaInput])
    {
        var media: [MediaInput] = []
        var frames: [SpeechFrame] = []
        func close(at end: Int) {
            guard !frames.isEmpty else { return }
            let run = frames
            media.append(MediaInput(positions: end - run.count..<end, medium: .speech) { .speech(run) })
            frames = []
        }
        for (index, item) in output.items.enumerated() {
            if case .frame(let codes) = item, let frame = SpeechFrame(codes: codes) {
                frames.append(frame)
            } else {
                close(at: prompt.count + index)
            }
        }
        close(at: prompt.count + output.items.count)
        return (prompt + output.places + ending, media)
    }

    @Test("A seed gives the same speech bit for bit, and another seed another one; text is drawn apart")
    func seeds() async throws {
        var request = try Self.reply(1).request
        func run(_ seed: UInt64) async throws -> SpeechFixture.Output {
            request.speech?.sampling = [.temperature: 1, .topK: 64]
            request.speech?.sampling.seed = seed
            return try await SpeechFixture.generate(request, by: try SpeechFixture.engine())
        }
        let (first, again, other) = (try await run(7), try await run(7), try await run(8))
        #expect(first.items == again.items)
        #expect(first.samples == again.samples)
        #expect(first.items != other.items)
        #expect(first.items.prefix(6) == other.items.prefix(6))
    }

    @Test("A reply's frames in the next prompt are found in the state, and give the same as computing them again")
    func nextTurn() async throws {
        let reply = try Self.reply(0)
        let engine = try SpeechFixture.engine()
        defer { withExtendedLifetime(engine) {} }
        let session = engine.makeSession()
        let first = try await SpeechFixture.generate(reply.request, in: session)
        let (tokens, media) = Self.prompt(reply.prompt, then: first, [259, 10, 258, 117])
        var next = GenerationRequest(prompt: tokens, sampling: .greedy, maxTokens: 12)
        next.media = media
        next.speech = reply.request.speech
        let second = try await SpeechFixture.generate(next, in: session)
        #expect((second.result?.cachedPromptTokens ?? 0) >= tokens.count - 5)
        let fresh = try await SpeechFixture.generate(next, by: try SpeechFixture.engine())
        #expect(fresh.result?.cachedPromptTokens == 0)
        #expect(fresh.items == second.items)
        #expect(fresh.samples == second.samples)
    }

    @Test("Generations that speak beside others, and beside text, give what each gives alone")
    func together() async throws {
        let replies = try SpeechFixture.load().replies
        let engine = try SpeechFixture.engine()
        var text = replies[0].request
        text.speech = nil
        let plain = text
        async let a = SpeechFixture.generate(replies[0].request, by: engine)
        async let b = SpeechFixture.generate(replies[1].request, by: engine)
        async let c = SpeechFixture.generate(replies[2].request, by: engine)
        async let d = SpeechFixture.generate(plain, by: engine)
        let outputs = try await [a, b, c]
        #expect(outputs.map(\.items) == replies.map(\.items))
        for (output, reply) in zip(outputs, replies) {
            let alone = try await SpeechFixture.generate(reply.request, by: try SpeechFixture.engine())
            #expect(output.samples == alone.samples)
        }
        let words = try await d
        #expect(words.items.prefix(4) == replies[0].items.prefix(4))
        #expect(words.samples.isEmpty)
    }

    @Test("Speech with proposals from the prompt is speech without")
    func proposals() async throws {
        for reply in try SpeechFixture.load().replies {
            var request = reply.request
            // What the reply begins with stands in the prompt, so that it is proposed.
            let beginning = reply.items.compactMap { if case .token(let token) = $0 { token } else { nil } }
            request.prompt = Array(beginning.prefix(8)) + request.prompt
            let plain = try await SpeechFixture.generate(request, by: try SpeechFixture.engine())
            request.speculation = .lookup
            let proposed = try await SpeechFixture.generate(request, by: try SpeechFixture.engine())
            #expect(proposed.items == plain.items)
            #expect(proposed.samples == plain.samples)
        }
    }

    @Test("Speech that is cut off has all samples of its frames")
    func cutOff() async throws {
        var request = try Self.reply(0).request
        for count in [5, 6, 9] {
            request.maxTokens = count
            let output = try await SpeechFixture.generate(request, by: try SpeechFixture.engine())
            #expect(output.items.count == count)
            #expect(output.samples.count == (count - 4) * SpeechForm.lfm2Audio.samplesPerFrame)
        }
    }

    @Test("Cancelling ends speech within a frame")
    func cancelled() async throws {
        var request = try Self.reply(1).request
        request.maxTokens = 400
        let engine = try SpeechFixture.engine()
        defer { withExtendedLifetime(engine) {} }
        let session = engine.makeSession()
        let running = Locked<GenerationTask?>(nil)
        let frames = Locked(0)
        let (ends, end) = AsyncStream<GenerationResult>.makeStream()
        // The engine's thread waits until the handle is there.
        running.withLock { task in
            task = session.generate(request) { event in
                if case .speech = event,
                    frames.withLock({
                        $0 += 1; return $0
                    }) == 3
                {
                    running.withLock { $0?.cancel() }
                }
                if case .finished(let result) = event { end.yield(result) }
            }
        }
        for await result in ends.prefix(1) {
            guard case .cancelled = result.reason else {
                Issue.record("ended by \(result.reason)")
                return
            }
            // Six tokens, three frames, and one more at most.
            #expect((9...10).contains(result.completionTokens))
        }
    }

    @Test("A sequence as long as the context ends there, in speech too")
    func contextFull() async throws {
        let request = try Self.reply(1).request
        let size = request.prompt.count + 20
        let output = try await SpeechFixture.generate(
            request, by: try SpeechFixture.engine { $0.contextSize = size })
        guard case .contextFull = output.result?.reason else {
            Issue.record("ended by \(String(describing: output.result?.reason))")
            return
        }
        let expected = try Self.reply(1).items.prefix(output.items.count)
        #expect(output.items == Array(expected))
        #expect(output.items.count == 21)
    }

    @Test("Speech is refused without a decoder, with a constraint, and with orders that stand still")
    func refused() async throws {
        let reply = try Self.reply(0)
        let silent = try Engine(model: try VisionFixture.model())
        await #expect(throws: EngineError.self) {
            try await SpeechFixture.generate(reply.request, by: silent)
        }
        var constrained = reply.request
        constrained.makeConstraint = { PermissiveConstraint() }
        var still = reply.request
        still.speech?.order = .interleaved(text: 0, frames: 1)
        let engine = try SpeechFixture.engine()
        for request in [constrained, still] {
            let error = await #expect(throws: EngineError.self) {
                try await SpeechFixture.generate(request, by: engine)
            }
            #expect(error?.field == "speech")
        }
    }
}

/// Allows everything.
private struct PermissiveConstraint: TokenConstraint {
    func computeMask(into mask: inout TokenMask) { mask.setAll(true) }
    func accept(_ token: TokenID) throws {}
    var isComplete: Bool { false }
}

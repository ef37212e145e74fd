import LeapBase
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

@Suite(.inTurns)
struct ImagePromptTests {
    /// A prompt with pictures, and how often each was read.
    private struct Prompt {
        var tokens: [TokenID]
        var inputs: [MediaInput]
        let reads: Locked<Int>
    }

    /// The script's chat over a picture, whose tokens are made from its content.
    private static func prompt(_ index: Int, ending: String = "") throws -> Prompt {
        let chat = try VisionFixture.load().chats[index]
        let parts = VisionFixture.parts(width: chat.width, height: chat.height)
        var tokens = chat.ids
        var inputs: [MediaInput] = []
        let reads = Locked(0)
        var place = 0
        for (number, part) in parts.enumerated() {
            let count = part.rows / 2 * (part.columns / 2)
            let start = try #require(tokens[place...].firstIndex { $0 < 0 && $0 >= -1 })
            for position in 0..<count {
                tokens[start + position] = TokenID(-1000 - 10_000 * number - 100_000 * index - position)
            }
            inputs.append(
                MediaInput(positions: start..<start + count, medium: .image) {
                    reads.withLock { $0 += 1 }
                    return .image(part)
                })
            place = start + count
        }
        return Prompt(tokens: tokens + ending.utf8.map { TokenID($0) }, inputs: inputs, reads: reads)
    }

    private static func generate(
        _ prompt: Prompt, _ engine: Engine, _ session: Session? = nil, count: Int = 8,
        change: (inout GenerationRequest) -> Void = { _ in }
    ) async throws -> (tokens: [TokenID], result: GenerationResult) {
        let session = session ?? engine.makeSession()
        var request = GenerationRequest(prompt: prompt.tokens, sampling: .greedy, maxTokens: count)
        request.media = prompt.inputs
        change(&request)
        var tokens: [TokenID] = []
        for await event in session.events(request) {
            switch event {
            case .token(let token): tokens.append(token)
            case .finished(let result): return (tokens, result)
            case .prefill, .speech: break
            }
        }
        throw EngineError(.cancelled, "no end")
    }

    private static func engine(_ change: (inout EngineOptions) -> Void = { _ in }) throws -> Engine {
        var options = EngineOptions()
        options.threads = 2
        change(&options)
        return try Engine(model: try VisionFixture.model(), encoder: try VisionFixture.encoder(), options: options)
    }

    @Test("What follows a picture does not depend on the pieces that its prompt is computed in")
    func pieces() async throws {
        let prompt = try Self.prompt(3)
        #expect(prompt.inputs.count == 3)
        let whole = try await Self.generate(prompt, try Self.engine { $0.prefillChunk = 4096 })
        for chunk in TestLevel.cases([17, 100], standard: 1) {
            let pieces = try await Self.generate(prompt, try Self.engine { $0.prefillChunk = chunk })
            #expect(pieces.tokens == whole.tokens)
        }
    }

    @Test("A second question about a picture does not read it again, in its session and in another one")
    func reuse() async throws {
        let engine = try Self.engine { $0.prefixCacheBytes = 64 << 20 }
        let prompt = try Self.prompt(3)
        let session = engine.makeSession()
        let first = try await Self.generate(prompt, engine, session)
        #expect(prompt.reads.withLock { $0 } == 3)
        #expect(first.result.cachedPromptTokens == 0)
        var second = prompt
        second.tokens += first.tokens + [10, 20, 30]
        let next = try await Self.generate(second, engine, session)
        #expect(next.result.promptTokens <= 4)
        // Another conversation asks something else about the same picture.
        var third = try Self.prompt(3)
        third.tokens.replaceSubrange(third.tokens.count - 8..<third.tokens.count, with: [5, 6, 7, 8, 9, 10, 11, 12])
        let other = try await Self.generate(third, engine)
        #expect(other.result.promptTokens < 64 + 8)
        #expect(third.reads.withLock { $0 } == 0)
        let cold = try await Self.generate(third, try Self.engine())
        #expect(other.tokens == cold.tokens)
    }

    @Test("Pictures of several conversations in one batch give what each gives alone")
    func together() async throws {
        let prompts = try (0..<3).map { try Self.prompt($0) }
        var alone: [[TokenID]] = []
        for prompt in prompts { alone.append(try await Self.generate(prompt, try Self.engine()).tokens) }
        let engine = try Self.engine()
        let together = try await withThrowingTaskGroup(of: (Int, [TokenID]).self) { group in
            for (index, prompt) in prompts.enumerated() {
                group.addTask { (index, try await Self.generate(prompt, engine).tokens) }
            }
            return try await group.reduce(into: [Int: [TokenID]]()) { $0[$1.0] = $1.1 }
        }
        for index in prompts.indices { #expect(together[index] == alone[index]) }
    }

    @Test(
        "While a picture is read, other generations go on; cancelled meanwhile, its own ends and the session can be used"
    )
    func readBeside() async throws {
        let good = try Self.prompt(0)
        let expected = try await Self.generate(good, try Self.engine()).tokens
        for isCancelled in [false, true] {
            // Another engine, which has not read the picture.
            let engine = try Self.engine()
            var prompt = good
            let content = prompt.inputs[0].content
            // The picture is there when the other generation has ended, which it never would if it had to wait for it.
            let gate = Monitor(false)
            prompt.inputs[0].content = {
                gate.wait(while: { !$0 }, then: { _ in })
                return try content()
            }
            let session = engine.makeSession()
            var request = GenerationRequest(prompt: prompt.tokens, sampling: .greedy, maxTokens: 8)
            request.media = prompt.inputs
            let (events, continuation) = AsyncStream<GenerationEvent>.makeStream()
            let task = session.generate(request) { event in
                continuation.yield(event)
                if case .finished = event { continuation.finish() }
            }
            let text = Prompt(tokens: [10, 20, 30], inputs: [], reads: Locked(0))
            #expect(try await Self.generate(text, engine, count: 40).tokens.count == 40)
            if isCancelled { task.cancel() }
            gate.withLock { $0 = true }
            var tokens: [TokenID] = []
            for await event in events {
                if case .token(let token) = event { tokens.append(token) }
                if case .finished(let result) = event, isCancelled {
                    guard case .cancelled = result.reason else {
                        Issue.record("the generation was cancelled")
                        continue
                    }
                }
            }
            #expect(tokens == (isCancelled ? [] : expected))
            #expect(try await Self.generate(good, engine, session).tokens == expected)
        }
    }

    @Test("A picture that cannot be read ends its generation, and the session goes on")
    func unreadable() async throws {
        struct Unreadable: Error {}
        let engine = try Self.engine()
        let session = engine.makeSession()
        var prompt = try Self.prompt(0)
        let good = prompt
        prompt.inputs[0].content = { throw Unreadable() }
        guard case .failed(let error) = try await Self.generate(prompt, engine, session).result.reason else {
            Issue.record("the generation has to fail")
            return
        }
        #expect(error is Unreadable)
        #expect(try await Self.generate(good, engine, session).tokens.count == 8)
    }

    @Test(
        "Negative tokens without a picture, pictures in wrong places and pictures for a model without a projector are refused"
    )
    func refused() async throws {
        func code(_ engine: Engine, _ prompt: Prompt) async throws -> EngineError.Code? {
            guard
                case .failed(let error as EngineError) = try await Self.generate(prompt, engine).result
                    .reason
            else { return nil }
            return error.code
        }
        let engine = try Self.engine()
        let prompt = try Self.prompt(0)
        var without = prompt
        without.inputs = []
        #expect(try await code(engine, without) == .tokenOutOfRange)
        var shifted = prompt
        shifted.inputs[0].positions = 0..<64
        #expect(try await code(engine, shifted) == .invalidOption)
        var short = prompt
        short.inputs[0].positions = prompt.inputs[0].positions.dropLast()
        #expect(try await code(engine, short) == .tokenOutOfRange)
        #expect(try await code(try Engine(model: try VisionFixture.model()), prompt) == .unsupportedTask)
    }

    @Test("Repetition penalties, lookup and log probabilities leave out what stands for pictures")
    func otherOptions() async throws {
        let prompt = try Self.prompt(0)
        let plain = try await Self.generate(prompt, try Self.engine(), count: 24)
        let lookup = try await Self.generate(prompt, try Self.engine(), count: 24) {
            $0.speculation = .lookup
        }
        #expect(lookup.tokens == plain.tokens)
        let penalised = try await Self.generate(prompt, try Self.engine(), count: 24) {
            $0.sampling[.repetitionPenalty] = 1.3
            $0.sampling[.repetitionWindow] = 4096
            $0.likelihoodAlternatives = 3
        }
        #expect(penalised.tokens.allSatisfy { $0 >= 0 })
    }
}

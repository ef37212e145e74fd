import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Generations beside one that gets no memory.
@Suite(.inTurns)
struct BoundedMemoryTests {
    private func prompt(_ count: Int, seed: UInt64) -> [TokenID] {
        var random = RandomGenerator(seed: seed)
        return (0..<count).map { _ in TokenID.random(in: 0..<500, using: &random) }
    }

    /// Draws from the whole vocabulary, so that a different bit in the logits shows soon.
    private func request(_ count: Int, seed: UInt64, maxTokens: Int) -> GenerationRequest {
        var sampling: SamplingValues = [.temperature: 3, .topK: 0, .topP: 1, .minP: 0]
        sampling.seed = seed
        return GenerationRequest(prompt: prompt(count, seed: seed), sampling: sampling, maxTokens: maxTokens)
    }

    private func alone(_ name: String, _ request: GenerationRequest) throws -> [TokenID] {
        let engine = try SteppedEngine(name)
        let running = engine.start(request)
        engine.runToEnd()
        return running.tokens
    }

    @Test("A sequence that gets no page ends, and the others go on with the same bits", arguments: ["lfm2", "llama"])
    func sequenceGetsNoPage(name: String) throws {
        let requests = [
            request(10, seed: 1, maxTokens: 50), request(40, seed: 2, maxTokens: 60),
            request(3, seed: 3, maxTokens: 50),
        ]
        let expected = try requests.map { try alone(name, $0) }
        let engine = try SteppedEngine(name)
        let running = requests.map { engine.start($0) }
        while running[1].session.tokenCount < StatePage.length - 1 { engine.core.step { false } }
        // What the prompts needed for scratch would do for a page.
        engine.core.runner.executor?.scratch.removeAll()
        engine.core.step { false }
        // Its next token needs a page, theirs do not.
        engine.core.memory.limit = engine.core.memory.used
        engine.core.step { false }
        #expect(running[1].error?.code == .outOfMemory && running[1].error?.field == "maxMemory")
        let made = running[1].tokens
        #expect(made == Array(expected[1].prefix(made.count)) && made.count == 25)
        #expect(running[1].result?.progress == GenerationProgress(promptTokens: 40, completionTokens: 25))
        engine.runToEnd()
        #expect(running[0].tokens == expected[0] && running[2].tokens == expected[2])

        // With memory again, the session goes on from what it holds.
        engine.core.memory.limit = .max
        var next = requests[1]
        next.prompt += made
        next.sampling = .greedy
        let second = engine.start(next, in: running[1].session)
        engine.runToEnd()
        #expect(second.result?.progress.cachedPromptTokens == StatePage.length)
        #expect(try second.tokens == alone(name, next))
    }

    @Test("A prompt that gets little scratch memory is computed in smaller pieces", arguments: ["lfm2", "llama"])
    func promptGetsLittleScratch(name: String) throws {
        let requests = [request(10, seed: 1, maxTokens: 50), request(20, seed: 4, maxTokens: 40)]
        let expected = try requests.map { try alone(name, $0) }
        let engine = try SteppedEngine(name)
        let running = requests.map { engine.start($0) }
        while running[0].tokens.count < 5 { engine.core.step { false } }
        // Enough for the state of the new sequence, and for the rows of the prompts before, but not for those of its
        // own.
        engine.core.memory.limit = try engine.core.memory.used + stateByteCount(name, pages: 1) + 1024
        let long = engine.start(request(60, seed: 5, maxTokens: 1))
        engine.runToEnd()
        #expect(try long.error == nil && long.tokens == alone(name, request(60, seed: 5, maxTokens: 1)))
        #expect(running.map(\.tokens) == expected)
    }

    /// The bytes of a sequence of so many pages.
    private func stateByteCount(_ name: String, pages: Int) throws -> Int {
        let layout = CacheLayout(model: try Fixture.model(name), keyValueType: .f32)
        return layout.makeSequence(limit: 1024).reserveByteCount(pages * StatePage.length)
    }

    @Test(
        "A prompt that would leave no scratch memory to the others is refused, and they go on with the same bits",
        arguments: ["lfm2", "llama"])
    func promptGetsNoScratch(name: String) throws {
        let requests = [request(10, seed: 1, maxTokens: 50), request(20, seed: 4, maxTokens: 40)]
        let expected = try requests.map { try alone(name, $0) }
        let engine = try SteppedEngine(name)
        let running = requests.map { engine.start($0) }
        while running[0].tokens.count < 5 { engine.core.step { false } }
        engine.core.runner.executor?.scratch.removeAll()
        engine.core.step { false }
        // Enough for the state of the new sequence, but not for one row more.
        engine.core.memory.limit = try engine.core.memory.used + stateByteCount(name, pages: 1) + 64
        let long = engine.start(request(60, seed: 5, maxTokens: 1))
        #expect(long.error?.code == .outOfMemory && long.error?.field == "maxMemory" && long.tokens.isEmpty)
        #expect(long.result?.progress == GenerationProgress() && long.session.tokenCount == 0)
        engine.core.memory.limit += 1 << 16  // the pages that those in progress go on to
        engine.runToEnd()
        #expect(running.map(\.tokens) == expected)
        engine.core.memory.limit = .max
        let again = engine.start(request(60, seed: 5, maxTokens: 1), in: long.session)
        engine.runToEnd()
        #expect(try again.tokens == alone(name, request(60, seed: 5, maxTokens: 1)))
    }

    @Test("Kept prefixes are given up before a generation is")
    func keptPrefixesGivenUp() throws {
        let engine = try SteppedEngine("lfm2") { $0.prefixCacheBytes = 1 << 30 }
        do {
            let first = engine.start(request(200, seed: 6, maxTokens: 1))
            engine.runToEnd()
            #expect(first.error == nil)
            engine.core.memory.limit = engine.core.memory.used
            engine.core.release(first.session.id)
        }
        let second = engine.start(request(200, seed: 7, maxTokens: 1))
        engine.runToEnd()
        #expect(try second.error == nil && second.tokens == alone("lfm2", request(200, seed: 7, maxTokens: 1)))
    }

    @Test("All memory is given back when the engine is unloaded")
    func allMemoryGivenBack() throws {
        let engine = try SteppedEngine("lfm2") { $0.prefixCacheBytes = 1 << 30 }
        _ = engine.start(request(100, seed: 8, maxTokens: 5))
        engine.core.step { false }
        engine.core.step { false }
        #expect(engine.core.memory.used > 0)
        engine.core.unload()
        #expect(engine.core.memory.used == 0)
    }

    @Test("An engine with a limit says so when it is reached")
    func engineLimitSaysSo() async throws {
        var options = EngineOptions()
        options.maxMemory = 1 << 12
        let engine = try Engine(model: try Fixture.model("llama"), options: options)
        var result: GenerationResult?
        for await event in engine.makeSession().events(request(10, seed: 1, maxTokens: 1)) {
            if case .finished(let end) = event { result = end }
        }
        guard case .failed(let error as EngineError)? = result?.reason else {
            Issue.record("ended with \(String(describing: result))")
            return
        }
        #expect(error.code == .outOfMemory && error.message.contains("4096"))
    }
}

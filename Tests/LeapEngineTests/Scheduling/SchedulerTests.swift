import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The scheduler over an executor that computes nothing: whatever is cancelled or fails, at whichever step, the others
/// get the text that they get alone, and all memory comes back.
@Suite(.inTurns)
struct SchedulerTests {
    /// Says how long contexts are and which tokens there are; nothing is computed with it.
    private static let model = Result { try Fixture.model("llama") }

    /// An engine whose executor follows a script.
    private struct Scripted {
        let engine: SteppedEngine
        let executor: ScriptedExecutor

        init(isRecurrent: Bool = false, _ change: (inout EngineOptions) -> Void = { _ in }) throws {
            let device = ScriptedDevice(isRecurrent: isRecurrent)
            engine = try SteppedEngine(try SchedulerTests.model.get(), device: device) { options in
                options.prefillChunk = 64
                change(&options)
            }
            executor = try #require(device.executor)
        }

        /// Steps until nothing is left, at most so many times: a schedule that stands still must not hang the tests.
        func runToEnd(_ limit: Int = 5000) {
            for _ in 0..<limit where engine.core.hasWork { engine.core.step { false } }
        }

        /// The memory that is taken when the engine is gone.
        func unload() -> Int {
            engine.core.unload()
            executor.scratch.removeAll()
            return engine.core.memory.used
        }
    }

    private func request(_ count: Int, seed: UInt64, maxTokens: Int = 12) -> GenerationRequest {
        var random = RandomGenerator(seed: seed)
        let prompt = (0..<count).map { _ in TokenID.random(in: 100..<500, using: &random) }
        return GenerationRequest(prompt: prompt, sampling: .greedy, maxTokens: maxTokens)
    }

    private func alone(_ request: GenerationRequest) throws -> [TokenID] {
        let scripted = try Scripted()
        let running = scripted.engine.start(request)
        scripted.runToEnd()
        return running.tokens
    }

    private func isCancelled(_ running: SteppedEngine.Running) -> Bool {
        if case .cancelled? = running.result?.reason { true } else { false }
    }

    /// Requests of several kinds: a short prompt, one of several steps, one over several pages.
    private var mixed: [GenerationRequest] {
        [request(5, seed: 1, maxTokens: 30), request(150, seed: 2), request(70, seed: 3, maxTokens: 20)]
    }

    /// The steps that all of them take together.
    private func stepCount() throws -> Int {
        let scripted = try Scripted()
        for request in mixed { _ = scripted.engine.start(request) }
        scripted.runToEnd()
        return scripted.executor.count
    }

    @Test("Every generation that decodes gets a token in every step, whatever prompts come, and every prompt goes on")
    func fairness() throws {
        let scripted = try Scripted { $0.schedule = .throughput }
        let engine = scripted.engine
        let decoding = (0..<3).map { request(4, seed: 10 + $0, maxTokens: 60) }
        let first = decoding.map { engine.start($0) }
        while first.contains(where: { $0.tokens.isEmpty }) { engine.core.step { false } }
        let prompts = (0..<3).map { request(400, seed: 20 + $0, maxTokens: 1) }
        let long = prompts.map { engine.start($0) }
        for _ in 0..<8 {
            let before = first.map(\.tokens.count)
            engine.core.step { false }
            #expect(zip(first, before).allSatisfy { $0.tokens.count == $1 + 1 })
        }
        let done = long.map(\.session.tokenCount)
        #expect(done.allSatisfy { $0 > 0 } && (done.max() ?? 0) - (done.min() ?? 0) <= 16, "\(done)")
        scripted.runToEnd()
        #expect(try (first + long).map(\.tokens) == (decoding + prompts).map(alone))
    }

    @Test("Generations begin in their order, as many as may run, and each gets its text")
    func admission() throws {
        let scripted = try Scripted { $0.maxActiveGenerations = 2 }
        let requests = (0..<7).map { request(10 + 9 * $0, seed: UInt64($0 + 1)) }
        let running = requests.map { scripted.engine.start($0) }
        var begun: [Int] = []
        while scripted.engine.core.hasWork {
            scripted.engine.core.step { false }
            #expect(scripted.engine.core.active.count <= 2)
            for index in running.indices where !running[index].tokens.isEmpty && !begun.contains(index) {
                begun.append(index)
            }
        }
        #expect(begun == Array(0..<7))
        #expect(try running.map(\.tokens) == requests.map(alone))
    }

    @Test(
        "Cancelled at any step, between two or in the middle of one, a generation ends there and costs the others nothing",
        arguments: [false, true])
    func cancellation(isRecurrent: Bool) throws {
        let expected = try mixed.map(alone)
        let steps = try stepCount()
        for victim in mixed.indices {
            for step in TestLevel.cases(0..<steps, standard: 6) {
                for isInside in [false, true] {
                    let scripted = try Scripted(isRecurrent: isRecurrent)
                    let running = mixed.map { scripted.engine.start($0) }
                    scripted.executor.middle = { number in
                        if isInside, number == step { running[victim].task.cancel() }
                        return true
                    }
                    for number in 0..<5000 where scripted.engine.core.hasWork {
                        if !isInside, number == step { running[victim].task.cancel() }
                        scripted.engine.core.step { false }
                    }
                    let place = "victim \(victim), step \(step), inside \(isInside)"
                    for index in mixed.indices where index != victim {
                        #expect(running[index].tokens == expected[index], "\(place)")
                    }
                    let written = running[victim].tokens
                    #expect(written == Array(expected[victim].prefix(written.count)), "\(place)")
                    #expect(isCancelled(running[victim]) || written == expected[victim], "\(place)")
                    // Its session goes on from what it holds.
                    let again = scripted.engine.start(mixed[victim], in: running[victim].session)
                    scripted.runToEnd()
                    #expect(again.tokens == expected[victim], "\(place)")
                    #expect(scripted.unload() == 0, "\(place)")
                }
            }
        }
    }

    @Test("A step that is stopped in its middle is computed again, and nobody sees it", arguments: [false, true])
    func stops(isRecurrent: Bool) throws {
        let expected = try mixed.map(alone)
        for step in 0..<(try stepCount()) {
            let scripted = try Scripted(isRecurrent: isRecurrent)
            let running = mixed.map { scripted.engine.start($0) }
            scripted.executor.middle = { $0 != step }
            scripted.runToEnd()
            #expect(running.map(\.tokens) == expected, "step \(step)")
            #expect(scripted.unload() == 0, "step \(step)")
        }
    }

    @Test("A step that fails once is computed again, one by one, and nobody sees it", arguments: ["device", "memory"])
    func passingFaults(kind: String) throws {
        let expected = try mixed.map(alone)
        let error =
            kind == "memory"
            ? EngineError(.outOfMemory, "no memory for once") : EngineError(.unsupportedTask, "failed for once")
        for step in 0..<(try stepCount()) {
            let scripted = try Scripted()
            let running = mixed.map { scripted.engine.start($0) }
            var failed = 0
            scripted.executor.fault = { number, segments in
                // Alone there is nobody to compute it apart from: that is the next test.
                guard number == step, segments.count > 1 else { return nil }
                failed += 1
                return error
            }
            scripted.runToEnd()
            #expect(running.map(\.tokens) == expected, "\(kind), step \(step)")
            #expect(failed <= 1 && scripted.unload() == 0, "\(kind), step \(step)")
        }
    }

    @Test(
        "A sequence that fails from any step on ends with its error, and costs the others nothing",
        arguments: [false, true])
    func lastingFaults(isRecurrent: Bool) throws {
        let expected = try mixed.map(alone)
        let steps = try stepCount()
        for victim in mixed.indices {
            for step in TestLevel.cases(0..<steps, standard: 6) {
                let scripted = try Scripted(isRecurrent: isRecurrent)
                let running = mixed.map { scripted.engine.start($0) }
                // By its identity: a reference would keep its memory.
                let sequence = ObjectIdentifier(scripted.engine.core.sessions.use(running[victim].session).state)
                scripted.executor.fault = { number, segments in
                    number >= step && segments.contains { ObjectIdentifier($0.sequence) == sequence }
                        ? EngineError(.unsupportedTask, "the sequence cannot be computed") : nil
                }
                scripted.runToEnd()
                let place = "victim \(victim), step \(step)"
                for index in mixed.indices where index != victim {
                    #expect(running[index].tokens == expected[index] && running[index].error == nil, "\(place)")
                }
                let written = running[victim].tokens
                #expect(written == Array(expected[victim].prefix(written.count)), "\(place)")
                #expect(running[victim].error?.code == .unsupportedTask || written == expected[victim], "\(place)")
                // What failed may pass: the session is as usable as before.
                scripted.executor.fault = { _, _ in nil }
                let again = scripted.engine.start(mixed[victim], in: running[victim].session)
                scripted.runToEnd()
                #expect(again.tokens == expected[victim], "\(place)")
                #expect(scripted.unload() == 0, "\(place)")
            }
        }
    }

    @Test(
        "With any limit of memory a generation gets its text or an error that says so, and never more memory than the limit",
        arguments: [false, true])
    func memory(isRecurrent: Bool) throws {
        let expected = try mixed.map(alone)
        var refused = 0
        for limit in stride(from: 512, through: 16_384, by: 512) {
            let scripted = try Scripted(isRecurrent: isRecurrent) { $0.maxMemory = limit }
            let running = mixed.map { scripted.engine.start($0) }
            for _ in 0..<5000 where scripted.engine.core.hasWork {
                scripted.engine.core.step { false }
                #expect(scripted.engine.core.memory.used <= limit)
            }
            for (index, running) in running.enumerated() {
                let written = running.tokens
                #expect(written == Array(expected[index].prefix(written.count)), "limit \(limit)")
                #expect((running.error?.code == .outOfMemory) != (written == expected[index]), "limit \(limit)")
                refused += running.error == nil ? 0 : 1
            }
            #expect(scripted.unload() == 0, "limit \(limit)")
        }
        #expect(refused > 3)
    }

    @Test(
        "Prefixes that are shared are those of the same tokens, also where generations that share one are cancelled",
        arguments: [false, true])
    func sharedPrefixes(isRecurrent: Bool) throws {
        let beginning = request(200, seed: 7).prompt
        var requests: [GenerationRequest] = []
        for index in 0..<4 {
            var request = request(20 + index, seed: UInt64(30 + index))
            request.prompt = beginning + request.prompt
            requests.append(request)
        }
        let expected = try requests.map(alone)
        for step in 0..<12 {
            let scripted = try Scripted(isRecurrent: isRecurrent) { $0.prefixCacheBytes = 1 << 20 }
            let running = requests.map { scripted.engine.start($0) }
            for number in 0..<5000 where scripted.engine.core.hasWork {
                if number == step { running[0].task.cancel() }
                scripted.engine.core.step { false }
            }
            for index in 1..<4 { #expect(running[index].tokens == expected[index], "step \(step)") }
            let again = requests.map { scripted.engine.start($0) }
            scripted.runToEnd()
            #expect(again.map(\.tokens) == expected, "step \(step)")
            #expect(again.allSatisfy { ($0.result?.progress.cachedPromptTokens ?? 0) >= 192 }, "step \(step)")
            #expect(scripted.unload() == 0, "step \(step)")
        }
    }
}

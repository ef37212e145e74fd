import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The generations that run, and those that wait.
@Suite(.inTurns)
struct AdmissionTests {
    private func request(_ count: Int, seed: UInt64, maxTokens: Int = 6) -> GenerationRequest {
        var random = RandomGenerator(seed: seed)
        let prompt = (0..<count).map { _ in TokenID.random(in: 0..<500, using: &random) }
        return GenerationRequest(prompt: prompt, sampling: .greedy, maxTokens: maxTokens)
    }

    private func alone(_ request: GenerationRequest) throws -> [TokenID] {
        let engine = try SteppedEngine("lfm2")
        let running = engine.start(request)
        engine.runToEnd()
        return running.tokens
    }

    private func isCancelled(_ running: SteppedEngine.Running) -> Bool {
        if case .cancelled? = running.result?.reason { true } else { false }
    }

    @Test("What is taken out of a list is asked for once, as the answer may change meanwhile")
    func extraction() {
        var list = Array(0..<10)
        var asked: [Int] = []
        let taken = list.extract { element in
            asked.append(element)
            return element % 3 == 0
        }
        #expect(taken == [0, 3, 6, 9] && list == [1, 2, 4, 5, 7, 8] && asked == Array(0..<10))
    }

    @Test("Generations begin in the order in which they came, as many as may run, with the texts they get alone")
    func order() throws {
        let engine = try SteppedEngine("lfm2") { $0.maxActiveGenerations = 2 }
        let requests = (0..<6).map { request(10 + $0, seed: UInt64($0 + 1)) }
        let running = requests.map { engine.start($0) }
        #expect(engine.core.counters.statistics.queuedGenerations == 4)
        #expect(engine.core.counters.statistics.activeGenerations == 2)
        var ended: [Int] = []
        while engine.core.hasWork {
            engine.core.step { false }
            let statistics = engine.core.counters.statistics
            #expect(statistics.activeGenerations <= 2)
            #expect(statistics.activeGenerations + statistics.queuedGenerations + ended.count >= 4)
            for index in running.indices where running[index].result != nil && !ended.contains(index) {
                ended.append(index)
            }
        }
        #expect(ended == [0, 1, 2, 3, 4, 5])
        #expect(try running.map(\.tokens) == requests.map(alone))
        #expect(engine.core.counters.statistics.queuedGenerations == 0)
    }

    @Test("A generation that finds no place is refused, says what to do, and its session stays usable")
    func full() throws {
        let engine = try SteppedEngine("lfm2") {
            $0.maxActiveGenerations = 1
            $0.maxQueuedGenerations = 2
        }
        let running = (0..<3).map { engine.start(request(10, seed: UInt64($0 + 1))) }
        let refused = engine.start(request(10, seed: 4))
        #expect(refused.error?.code == .queueFull && refused.error?.field == "maxQueuedGenerations")
        #expect(refused.error?.message.contains("1 generations run and 2 wait") == true)
        #expect(engine.core.counters.statistics.refusedGenerations == 1)
        #expect(engine.start(request(10, seed: 5), in: running[2].session).error?.code == .busy)
        // A place in the queue is free again as soon as one that waits is cancelled.
        running[1].task.cancel()
        let next = engine.start(request(10, seed: 4), in: refused.session)
        #expect(isCancelled(running[1]) && next.error == nil)
        engine.runToEnd()
        #expect(try next.tokens == alone(request(10, seed: 4)))
        #expect(try running[2].tokens == alone(request(10, seed: 3)))
    }

    @Test("Cancelled while it waits, a generation ends at the next step, and its session can be used")
    func cancelledWhileWaiting() throws {
        let engine = try SteppedEngine("lfm2") { $0.maxActiveGenerations = 1 }
        let first = engine.start(request(10, seed: 1, maxTokens: 30))
        let second = engine.start(request(10, seed: 2))
        engine.core.step { false }
        second.task.cancel()
        engine.core.step { false }
        #expect(isCancelled(second) && second.result?.progress == GenerationProgress() && first.result == nil)
        let again = engine.start(request(10, seed: 2), in: second.session)
        engine.runToEnd()
        #expect(try again.tokens == alone(request(10, seed: 2)))
    }

    @Test("Without a queue, a second generation is refused at once; unloading ends those that wait")
    func noQueue() throws {
        let engine = try SteppedEngine("lfm2") {
            $0.maxActiveGenerations = 1
            $0.maxQueuedGenerations = 0
        }
        let first = engine.start(request(10, seed: 1))
        #expect(engine.start(request(10, seed: 2)).error?.code == .queueFull)
        engine.runToEnd()
        #expect(first.tokens.count == 6 && engine.start(request(10, seed: 2)).error == nil)
        let other = try SteppedEngine("lfm2") { $0.maxActiveGenerations = 1 }
        let running = (0..<3).map { other.start(request(10, seed: UInt64($0 + 1))) }
        other.core.unload()
        #expect(running.allSatisfy(isCancelled))
        #expect(other.core.counters.statistics.queuedGenerations == 0)
    }

    @Test("For throughput, long prompts at once progress evenly, and a short one behind them does not wait for them")
    func fairPrompts() throws {
        let engine = try SteppedEngine("lfm2") {
            $0.prefillChunk = 64
            $0.schedule = .throughput
        }
        let long = (0..<3).map { engine.start(request(900, seed: UInt64($0 + 1), maxTokens: 1)) }
        for _ in 0..<5 {
            engine.core.step { false }
            let done = long.map(\.session.tokenCount)
            #expect((done.max() ?? 0) - (done.min() ?? 0) <= 6, "\(done)")
        }
        let short = engine.start(request(30, seed: 9, maxTokens: 1))
        for _ in 0..<2 { engine.core.step { false } }
        #expect(short.result != nil && long.allSatisfy { $0.session.tokenCount < 200 })
        engine.runToEnd()
        #expect(try short.tokens == alone(request(30, seed: 9, maxTokens: 1)))
        #expect(try long[1].tokens == alone(request(900, seed: 2, maxTokens: 1)))
    }

    @Test("Options of the queue out of range are refused by name")
    func options() throws {
        for (name, change) in [
            ("maxActiveGenerations", { $0.maxActiveGenerations = 0 }),
            ("maxQueuedGenerations", { $0.maxQueuedGenerations = -1 }), ("maxMemory", { $0.maxMemory = -1 }),
        ] as [(String, (inout EngineOptions) -> Void)] {
            var options = EngineOptions()
            change(&options)
            #expect(throws: EngineError.self) { try options.validated() }
            do { _ = try options.validated() } catch { #expect(error.field == name) }
        }
    }
}

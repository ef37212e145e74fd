import LeapBase
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The generations that run and those that are admitted, without a model.
@Suite(.inTurns)
struct AdmissionPartTests {
    private func admission(
        _ parts: PartsFixture, maxActive: Int = 2, maxQueued: Int = 8, _ memory: MemoryReclaimer? = nil
    ) -> Admission {
        let drafting = Drafting(nil, sessions: parts.sessions, memory: parts.pool)
        return Admission(
            AdmissionQueue(maxActive: maxActive, maxQueued: maxQueued),
            GenerationMaker(
                vocabulary: OutputVocabulary(size: PartsFixture.vocabularySize), embeddingLength: 1, additionCount: 0,
                keepsImagesWhole: false,
                contextSize: 1024, counters: parts.counters, drafting: drafting,
                speech: FrameWriter(nil, active: parts.active, pool: parts.pool)),
            sessions: parts.sessions, active: parts.active, prefixes: parts.prefixes,
            memory: memory ?? parts.reclaimer([parts.prefixes, parts.sessions]), counters: parts.counters,
            whenLoaded: { _, _, _ in })
    }

    private func accept(_ waiting: WaitingGeneration, _ admission: Admission, _ parts: PartsFixture) throws {
        try admission.accept(waiting, in: parts.sessions.use(waiting.session))
    }

    @Test("As many begin as may run; the others wait, are counted, and begin when one has ended")
    func turns() throws {
        let parts = PartsFixture()
        let admission = admission(parts, maxQueued: 1)
        let waiting = (1...4).map { parts.waiting(session: parts.session($0)) }
        for generation in waiting.prefix(3) { try accept(generation, admission, parts) }
        #expect(parts.active.all.map(\.session.id) == [1, 2] && parts.counters.statistics.queuedGenerations == 1)
        let error = #expect(throws: EngineError.self) { try accept(waiting[3], admission, parts) }
        #expect(error?.code == .queueFull && parts.counters.statistics.refusedGenerations == 1)
        #expect(parts.sessions[3]?.isBusy == true && parts.sessions[4]?.isBusy == false)
        waiting[0].task.cancel()
        parts.active.endCancelled()
        #expect(parts.active.removeFinished().map(\.session.id) == [1])
        admission.admitWaiting()
        #expect(parts.active.all.map(\.session.id) == [2, 3] && parts.counters.statistics.queuedGenerations == 0)
    }

    @Test("One that is cancelled while it waits ends, and its session is free")
    func cancelled() throws {
        let parts = PartsFixture()
        let admission = admission(parts, maxActive: 1)
        let ends = Locked(0)
        let second = parts.waiting(session: parts.session(2)) { event in
            if case .finished(let result) = event, case .cancelled = result.reason { ends.withLock { $0 += 1 } }
        }
        try accept(parts.waiting(), admission, parts)
        try accept(second, admission, parts)
        second.task.cancel()
        admission.endCancelled()
        #expect(ends.withLock { $0 } == 1 && parts.sessions[2]?.isBusy == false && second.task.isFinished)
    }

    @Test("A prompt that begins like one in progress waits for its pages, and begins with them")
    func followers() throws {
        let parts = PartsFixture(cacheBytes: 1 << 20)
        let admission = admission(parts, maxActive: 4)
        let prompt = PartsFixture.request(150).prompt
        for (id, end) in [(1, 1), (2, 2)] as [(UInt64, TokenID)] {
            let request = GenerationRequest(prompt: prompt + [end], sampling: .greedy, maxTokens: 4)
            try accept(parts.waiting(request, session: parts.session(id)), admission, parts)
        }
        #expect(parts.active.count == 1 && admission.followerCount == 1)
        admission.releaseFollowers()
        #expect(admission.followerCount == 1)
        let leader = parts.active.all[0]
        let segment = leader.nextSegment(budget: 128)
        _ = try parts.executor.run([segment]) { true }
        _ = leader.advance()
        admission.releaseFollowers()
        #expect(admission.followerCount == 0 && parts.active.count == 2)
        #expect(parts.active.all[1].state.count == 128 && parts.counters.statistics.cacheHits == 1)
    }

    @Test("A prompt that no memory is left for is refused, and its session is free")
    func memory() throws {
        let parts = PartsFixture(memory: 2048)
        let admission = admission(parts)
        let code = Locked<EngineError.Code?>(nil)
        let waiting = parts.waiting(PartsFixture.request(200)) { event in
            guard case .finished(let result) = event, case .failed(let error as EngineError) = result.reason else {
                return
            }
            code.withLock { $0 = error.code }
        }
        try accept(waiting, admission, parts)
        #expect(code.withLock { $0 } == .outOfMemory && parts.active.isEmpty && parts.pool.used == 0)
        #expect(parts.sessions[1]?.isBusy == false && parts.sessions[1]?.isActive == false)
    }

    @Test("Unloading ends all that wait, each once")
    func unloading() throws {
        let parts = PartsFixture()
        let admission = admission(parts, maxActive: 1)
        let ends = Locked(0)
        for id in 1...3 as ClosedRange<UInt64> {
            let waiting = parts.waiting(session: parts.session(id)) { event in
                if case .finished = event { ends.withLock { $0 += 1 } }
            }
            try accept(waiting, admission, parts)
        }
        admission.unload()
        #expect(ends.withLock { $0 } == 2 && parts.counters.statistics.queuedGenerations == 0)
        parts.active.endAll()
        #expect(ends.withLock { $0 } == 3 && parts.active.isEmpty)
    }

    @Test("Of generations that run, the one with most memory ends for another's sake, unless that is the other")
    func largest() throws {
        let parts = PartsFixture()
        for (id, count) in [(1, 200), (2, 10), (3, 70)] as [(UInt64, Int)] {
            let generation = parts.generation(
                parts.waiting(PartsFixture.request(count), session: parts.session(id)))
            try generation.state.reserve(count)
            parts.active.append(generation)
        }
        let all = parts.active.all
        let error = EngineError(.outOfMemory, "none left")
        #expect(!parts.active.endLargest(besides: all[0], error) && parts.pool.used == 7 * 1024)
        #expect(parts.active.endLargest(besides: all[1], error) && parts.pool.used == 3 * 1024)
        #expect(parts.active.removeFinished().map(\.session.id) == [1])
        #expect(parts.active.endLargest(besides: all[1], error) && !parts.active.endLargest(besides: all[1], error))
    }
}

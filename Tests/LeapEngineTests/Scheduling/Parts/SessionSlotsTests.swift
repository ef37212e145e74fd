import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The states of sessions, alone.
@Suite(.inTurns)
struct SessionSlotsTests {
    private let parts = PartsFixture()

    private func computed(_ count: Int, in session: Session) throws {
        let state = parts.sessions.use(session).state
        let prompt = PartsFixture.request(count).prompt[...]
        _ = try parts.executor.run([BatchSegment(sequence: state, tokens: prompt, wanted: .none)]) { true }
        session.update(tokenCount: state.count)
    }

    @Test("Of sessions that nothing is computed in, that which was not used for longest is given up first")
    func leastRecentlyUsed() throws {
        let sessions = (1...3).map { parts.session($0) }
        for session in sessions { try computed(70, in: session) }
        _ = parts.sessions.use(sessions[0])
        parts.sessions.use(sessions[1]).begin()
        #expect(parts.sessions.reclaim(rows: 1))
        #expect(sessions.map(\.tokenCount) == [70, 70, 0])
        #expect(parts.sessions.reclaim(rows: 1) && sessions.map(\.tokenCount) == [0, 70, 0])
        #expect(!parts.sessions.reclaim(rows: 1))
        parts.sessions[2]?.end()
        #expect(parts.sessions.reclaim(rows: 1) && parts.pool.used == ScriptedScratch.bytesPerRow * 70)
    }

    @Test("A session is cut, saved and restored, but not while a generation waits or runs in it")
    func states() throws {
        let (first, second) = (parts.session(1), parts.session(2))
        #expect(try parts.sessions.snapshot(first) == nil)
        try computed(100, in: first)
        let snapshot = try #require(try parts.sessions.snapshot(first))
        #expect(snapshot.tokens == PartsFixture.request(100).prompt)
        #expect(try parts.sessions.truncate(first, to: 30) == 30 && first.tokenCount == 30)
        try parts.sessions.restore(snapshot, in: second, parts.reclaimer(), rows: 1)
        #expect(second.tokenCount == 100 && parts.sessions[2]?.state.tokens == snapshot.tokens)
        #expect(parts.sessions[2]?.isActive == false)
        parts.sessions[2]?.accept()
        for attempt in [
            { _ = try parts.sessions.truncate(second, to: 0) },
            { _ = try parts.sessions.snapshot(second) },
            { try parts.sessions.restore(snapshot, in: second, parts.reclaimer(), rows: 1) },
        ] {
            #expect(throws: EngineError.busy) { try attempt() }
        }
        parts.sessions[2]?.end()
        #expect(try parts.sessions.truncate(second, to: 0) == 0)
    }

    @Test("A state that is longer than the context is refused")
    func tooLong() throws {
        let session = parts.session(1)
        try computed(100, in: session)
        let snapshot = try #require(try parts.sessions.snapshot(session))
        let small = SessionSlots(executor: parts.executor, contextSize: 99)
        let error = #expect(throws: EngineError.self) {
            try small.restore(snapshot, in: session, parts.reclaimer(), rows: 1)
        }
        #expect(error?.code == .contextExceeded && error?.available == 99)
    }

    @Test("A session that was removed, and all after unloading, hold no memory")
    func removal() throws {
        for id in 1...2 as ClosedRange<UInt64> { try computed(70, in: parts.session(id)) }
        parts.executor.scratch.removeAll()
        parts.sessions.remove(1)
        #expect(parts.sessions[1] == nil && parts.pool.used == 2 * 1024)
        parts.sessions.unload()
        #expect(parts.sessions[2] == nil && parts.pool.used == 0)
    }
}

import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The queue of generations alone.
@Suite(.inTurns)
struct AdmissionQueueTests {
    private let parts = PartsFixture()

    private func generations(_ count: UInt64) -> [WaitingGeneration] {
        (1...count).map { parts.waiting(session: parts.session($0)) }
    }

    @Test("Turns are given in order, as many as may run, and generations that read from disk count as running")
    func turns() throws {
        var queue = AdmissionQueue(maxActive: 2, maxQueued: 10)
        for generation in generations(4) { try queue.append(generation, running: 0) }
        let next = queue.next(running: 0)
        let first = try #require(next)
        #expect(first.session.id == 1)
        queue.beginLoading(first)
        #expect(queue.isLoading && queue.count == 4)
        #expect(queue.next(running: 1) == nil)
        #expect(queue.next(running: 0)?.session.id == 2)
        #expect(queue.endLoading(of: 1)?.session.id == 1 && queue.endLoading(of: 1) == nil)
        #expect(!queue.isLoading && queue.next(running: 1)?.session.id == 3 && queue.next(running: 2) == nil)
        #expect(queue.removeWaiting().map(\.session.id) == [4] && queue.count == 0)
    }

    @Test("No more wait than may, but one that begins at once is never refused")
    func limits() throws {
        var queue = AdmissionQueue(maxActive: 1, maxQueued: 0)
        let waiting = generations(3)
        try queue.append(waiting[0], running: 0)
        let error = #expect(throws: EngineError.self) { try queue.append(waiting[1], running: 0) }
        #expect(error?.code == .queueFull && error?.available == 1)
        #expect(queue.next(running: 0)?.session.id == 1)
        queue.beginLoading(waiting[0])
        #expect(throws: EngineError.self) { try queue.append(waiting[1], running: 0) }
        #expect(queue.removeLoading().map(\.session.id) == [1])
        #expect(throws: EngineError.self) { try queue.append(waiting[1], running: 1) }
        try queue.append(waiting[1], running: 0)
    }

    @Test("Those that were cancelled are taken out wherever they wait for their turn")
    func cancelled() throws {
        var queue = AdmissionQueue(maxActive: 1, maxQueued: 10)
        let waiting = generations(4)
        for generation in waiting { try queue.append(generation, running: 1) }
        for index in [1, 3] { waiting[index].task.cancel() }
        #expect(queue.removeCancelled().map(\.session.id) == [2, 4])
        #expect(queue.removeCancelled().isEmpty && queue.removeWaiting().map(\.session.id) == [1, 3])
    }
}

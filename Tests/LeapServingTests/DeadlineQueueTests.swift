import LeapBase
import LeapTestTraits
import Testing

@testable import LeapServing

@Suite(.inTurns)
struct DeadlineQueueTests {
    /// Waits until something is so; the test's time limit is for what never is.
    private func wait(until isSo: () -> Bool) async throws {
        while !isSo() { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test(
        "What is due happens, the earlier first to be due, also where a later one was there before",
        .timeLimit(.minutes(30)))
    func due() async throws {
        let queue = DeadlineQueue()
        let done = Locked<Set<Int>>([])
        let start = ContinuousClock.now
        _ = queue.schedule(at: start + .seconds(3600)) { done.withLock { _ = $0.insert(0) } }
        for index in 1...3 {
            _ = queue.schedule(at: start + .milliseconds(index)) { done.withLock { _ = $0.insert(index) } }
        }
        _ = queue.schedule(at: start - .seconds(1)) { done.withLock { _ = $0.insert(4) } }
        try await wait { done.withLock { $0.count == 4 } }
        #expect(done.withLock { $0 } == [1, 2, 3, 4])
        #expect(ContinuousClock.now - start >= .milliseconds(3))
        #expect(queue.count == 1)
    }

    @Test("What is cancelled is gone at once, and does not happen", .timeLimit(.minutes(30)))
    func cancelled() async throws {
        let queue = DeadlineQueue()
        let done = Locked(false)
        let start = ContinuousClock.now
        // An hour is beyond this test, however busy the machine: what is due then happens where the test says so.
        let later = start + .seconds(3600)
        let entries = (0..<100_000).map { _ in queue.schedule(at: later) {} }
        #expect(queue.count == 100_000)
        for entry in entries { entry.cancel() }
        #expect(queue.count == 0)
        let wrong = Locked(false)
        let entry = queue.schedule(at: later) { wrong.withLock { $0 = true } }
        entry.cancel()
        entry.cancel()
        _ = queue.schedule(at: later + .seconds(1)) { done.withLock { $0 = true } }
        queue.fire(at: later + .seconds(1))
        try await wait { done.withLock { $0 } }
        #expect(queue.count == 0)
        // The actions of one moment start in their order, so the other one would have begun before the one that was
        // waited for.
        #expect(!wrong.withLock { $0 })
    }

    @Test("A deadline may be beyond all times")
    func far() {
        let queue = DeadlineQueue()
        let entry = queue.schedule(at: .now + .seconds(Int64.max / 4)) {}
        #expect(queue.count == 1)
        entry.cancel()
        #expect(queue.count == 0)
    }
}

import Foundation
import LeapBase
import LeapHTTP
import LeapTestTraits
import Testing

/// The queue between a thread and a task.
@Suite(.inServerTurns, .timeLimit(.minutes(30)))
struct BoundedQueueTests {
    struct Stop: Error {}

    @Test("Elements arrive in order, and no more of them wait than may")
    func order() async throws {
        let queue = BoundedQueue<Int>(capacity: 3, waits: true)
        let put = Locked(0)
        Thread.detachNewThread {
            for number in 0..<1000 {
                guard queue.put(number) == .taken else { return }
                put.withLock { $0 = number + 1 }
            }
            queue.finish(.success(()))
        }
        var taken = 0
        while let number = try await queue.next() {
            #expect(number == taken)
            taken += 1
            #expect(put.withLock { $0 } <= taken + 3)
        }
        #expect(taken == 1000 && queue.hasBegun && queue.hasEnded)
    }

    @Test("Without waiting, what does not fit is refused, but for an element alone")
    func refusing() async throws {
        let queue = BoundedQueue<Int>(capacity: 10, waits: false)
        #expect(queue.put(1, cost: 100) == .taken && queue.put(2) == .full)
        #expect(try await queue.next() == 1)
        #expect(queue.put(2, cost: 6) == .taken && queue.put(3, cost: 5) == .full && queue.put(3, cost: 4) == .taken)
    }

    @Test("An error comes after what was put before it")
    func failure() async throws {
        let queue = BoundedQueue<Int>(capacity: 3, waits: true)
        #expect(queue.put(1) == .taken)
        queue.finish(.failure(Stop()))
        #expect(queue.put(2) == .ended)
        #expect(try await queue.next() == 1)
        await #expect(throws: Stop.self) { try await queue.next() }
        #expect(!queue.hasEnded)
    }

    @Test("Closing it wakes the thread that puts and the task that takes")
    func close() async throws {
        let full = BoundedQueue<Int>(capacity: 1, waits: true)
        #expect(full.put(1) == .taken)
        let result = Monitor<BoundedQueue<Int>.Outcome?>(nil)
        Thread.detachNewThread {
            let outcome = full.put(2)
            result.withLock { $0 = outcome }
        }
        full.close()
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                result.wait(while: { $0 == nil }) { #expect($0 == .ended) }
                continuation.resume()
            }
        }
        #expect(try await full.next() == nil)
        let empty = BoundedQueue<Int>(capacity: 1, waits: true)
        async let next = empty.next()
        empty.close()
        #expect(try await next == nil)
    }
}

import Foundation
import LeapBase
import Testing

struct MonitorTests {
    @Test("A waiting thread wakes when the value has changed, and sees the change")
    func wakes() async {
        let values = Monitor<[Int]>([])
        let sum = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var sum = 0
                for _ in 0..<1_000 {
                    sum += values.wait(while: { $0.isEmpty }, then: { $0.removeFirst() })
                }
                continuation.resume(returning: sum)
            }
            for number in 1...1_000 { values.withLock { $0.append(number) } }
        }
        #expect(sum == 500_500)
    }

    @Test("A value that blocks nobody is handed over at once")
    func immediate() {
        let value = Monitor(7)
        #expect(value.wait(while: { $0 == 0 }, then: { $0 }) == 7)
    }

    @Test("A body that throws gives the lock back")
    func throwing() throws {
        struct Stop: Error {}
        let value = Monitor(1)
        #expect(throws: Stop.self) { try value.withLock { _ in throw Stop() } }
        #expect(throws: Stop.self) { try value.wait(while: { _ in false }, then: { _ in throw Stop() }) }
        #expect(value.withLock { $0 } == 1)
    }

    @Test("Of all tasks that set a switch, one is told that it was first")
    func oneWaySwitch() async {
        let isDone = OneWaySwitch()
        #expect(!isDone.isSet)
        let first = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<64 { group.addTask { isDone.set() } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(first == 1)
        #expect(isDone.isSet)
    }
}

import LeapBase
import Testing

struct LockedTests {
    @Test("No increment is lost between tasks")
    func increments() async {
        let counter = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<5_000 { counter.withLock { $0 += 1 } }
                }
            }
        }
        #expect(counter.withLock { $0 } == 40_000)
    }

    @Test("A body that throws gives the lock back")
    func throwing() throws {
        struct Stop: Error {}
        let list = Locked([1])
        #expect(throws: Stop.self) {
            try list.withLock {
                $0.append(2)
                throw Stop()
            }
        }
        #expect(list.withLock { $0 } == [1, 2])
    }
}

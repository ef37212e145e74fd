import LeapBase
import LeapTestTraits
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The order in which kept things are dropped.
@Suite(.inTurns)
struct UseQueueTests {
    @Test("Items come out by their last use, also where that was after they went in")
    func order() {
        var random = RandomGenerator(seed: 3)
        var queue = UseQueue<Int>()
        var lastUses: [Int: Int64] = [:]
        var clock: Int64 = 0
        for item in 0..<300 {
            clock += 1
            lastUses[item] = clock
            queue.insert(item, lastUse: clock)
            if item % 3 == 0 {
                clock += 1
                lastUses[Int.random(in: 0...item, using: &random)] = clock
            }
        }
        for item in 0..<20 { lastUses[item * 7] = nil }
        var removed: [Int] = []
        while let item = queue.removeOldest(lastUse: { lastUses[$0] }) { removed.append(item) }
        #expect(removed == lastUses.sorted { $0.value < $1.value }.map(\.key))
    }

    @Test("A worker refuses what is too much, and takes one closure of any cost")
    func boundedWorker() {
        let worker = SerialWorker(maxCost: 10)
        let gate = SerialWorker()
        let log = Log()
        // The first closure waits until the others are handed over.
        gate.run { log.wait() }
        #expect(worker.run(cost: 100) { gate.drain() })
        #expect(!worker.run(cost: 1) { log.add(1) })
        log.open()
        worker.drain()
        #expect(worker.run(cost: 4) { log.add(2) })
        worker.drain()
        #expect(log.values == [2])
    }

    private final class Log: Sendable {
        private let state = Monitor((isOpen: false, values: [Int]()))

        var values: [Int] { state.withLock { $0.values } }
        func add(_ value: Int) { state.withLock { $0.values.append(value) } }
        func open() { state.withLock { $0.isOpen = true } }
        func wait() { state.wait(while: { !$0.isOpen }, then: { _ in }) }
    }
}

import LeapBase

/// A count of what weights and the state of sequences take of a device's memory.
final class MemoryBudget: Sendable {
    /// The use of bytes that are counted.
    enum Use { case weights, states }

    /// Bytes that are counted while this lives.
    final class Claim: Sendable {
        private let budget: MemoryBudget
        private let use: Use
        private let byteCount: Int

        fileprivate init(_ budget: MemoryBudget, _ use: Use, byteCount: Int) {
            (self.budget, self.use, self.byteCount) = (budget, use, byteCount)
            budget.add(byteCount, use)
        }

        deinit { budget.add(-byteCount, use) }
    }

    /// The part of the memory that stays free for the buffers of batches, as a divisor.
    private static let batchShare = 8
    /// The part that the state of sequences may take whatever the weights do, as a divisor: a device that shares the
    /// host's memory may read more weights than its memory is said to hold.
    private static let leastShare = 16

    private let byteCount: Int
    private let taken = Locked((weights: 0, states: 0))

    init(_ properties: GPUProperties) { byteCount = properties.memoryByteCount }

    /// Bytes that the state of sequences may still take.
    var room: Int {
        taken.withLock { taken in
            let left = byteCount - byteCount / Self.batchShare - taken.weights
            return max(left, byteCount / Self.leastShare) - taken.states
        }
    }

    /// Counts bytes until the result goes.
    func claim(_ byteCount: Int, for use: Use) -> Claim { Claim(self, use, byteCount: byteCount) }

    private func add(_ byteCount: Int, _ use: Use) {
        taken.withLock { taken in
            switch use {
            case .weights: taken.weights += byteCount
            case .states: taken.states += byteCount
            }
        }
    }
}

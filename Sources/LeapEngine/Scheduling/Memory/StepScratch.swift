import LeapCompute

/// The scratch memory of an executor's steps.
final class StepScratch: ReclaimableMemory {
    let kind = MemoryKind.scratch
    private let executor: any Executor

    /// The scratch memory of an executor.
    init(_ executor: any Executor) { self.executor = executor }

    /// The number of bytes that a batch of so many rows would take besides those that are taken, by what the batches
    /// before took.
    func missingByteCount(rows: Int) -> Int {
        let scratch = executor.scratch
        return scratch.estimatedByteCount(rows: rows, vocabularySize: executor.vocabularySize) - scratch.byteCount
    }

    /// Gives all of it up where it was taken for more rows.
    func reclaim(rows: Int) -> Bool {
        let scratch = executor.scratch
        guard scratch.largestRows > rows else { return false }
        scratch.removeAll()
        return true
    }
}

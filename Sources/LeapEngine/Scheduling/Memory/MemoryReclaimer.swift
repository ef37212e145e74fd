import LeapCompute
import LeapModel

/// A part of the engine that holds memory which it can do without, at the price of computing again.
protocol ReclaimableMemory: AnyObject {
    /// Gives some memory up.
    ///
    /// - Parameter rows: the number of rows of the batch that the memory is for.
    /// - Returns: false if there is nothing to give up.
    func reclaim(rows: Int) -> Bool
}

/// Takes memory from the parts of an engine where a limit leaves too little.
///
/// Asked only where memory was refused, never in a step that gets all it needs.
final class MemoryReclaimer {
    private let pool: MemoryPool
    private var scratch: StepScratch?
    private var holders: [any ReclaimableMemory]

    /// - Parameters:
    ///   - scratch: the memory of steps, which is given up first.
    ///   - holders: the others, those first that cost least to do without.
    init(_ pool: MemoryPool, scratch: StepScratch, _ holders: [any ReclaimableMemory]) {
        self.pool = pool
        self.scratch = scratch
        self.holders = holders
    }

    /// Gives up what costs least to do without.
    ///
    /// - Parameter rows: the number of rows of the batch that the memory is for; larger scratch memory than it needs is
    ///   given up.
    /// - Returns: false where nothing is left.
    func makeRoom(rows: Int) -> Bool {
        if scratch?.reclaim(rows: rows) == true { return true }
        return holders.contains { $0.reclaim(rows: rows) }
    }

    /// Repeats a step that takes memory until it succeeds or nothing is left to give up.
    ///
    /// - Parameter rows: as for ``makeRoom(rows:)``.
    /// - Throws: what the step throws.
    func makingRoom<R>(rows: Int, _ body: () throws(EngineError) -> R) throws(EngineError) -> R {
        while true {
            do throws(EngineError) {
                return try body()
            } catch {
                guard error.code == .outOfMemory, makeRoom(rows: rows) else { throw error }
            }
        }
    }

    /// Takes the memory for a whole prompt, and leaves as much as the next token of every generation takes for scratch.
    ///
    /// - Parameters:
    ///   - count: the number of tokens of the prompt.
    ///   - rows: the number of generations, with the one that begins.
    /// - Throws: ``EngineError`` with code `outOfMemory`; the state holds what it held.
    func reservePrompt(_ count: Int, in state: SequenceState, rows: Int) throws(EngineError) {
        let missing = state.reserveByteCount(count - state.count)
        do throws(EngineError) {
            try makingRoom(rows: rows) { () throws(EngineError) in
                try state.reserve(count - state.count)
                guard let needed = scratch?.missingByteCount(rows: rows), needed > pool.available else { return }
                throw pool.refusal("the computation", needed: needed)
            }
        } catch {
            state.releaseReserve()
            guard error.code == .outOfMemory, error.field == MemoryPool.limitName else { throw error }
            throw pool.refusal("a prompt of \(count) tokens", needed: missing)
        }
    }

    /// Lets go of all parts.
    func unload() {
        scratch = nil
        holders = []
    }
}

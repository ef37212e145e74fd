import LeapCompute
import LeapModel

/// A part of the engine that holds memory which it can do without, at the price of computing again.
protocol ReclaimableMemory: AnyObject {
    /// The kind of its memory.
    var kind: MemoryKind { get }

    /// Gives some memory up.
    ///
    /// - Parameter rows: the number of rows of the batch that the memory is for.
    /// - Returns: false if there is nothing to give up.
    func reclaim(rows: Int) -> Bool

    /// Gives all of it up that is not in use and that nothing is lost with.
    ///
    /// - Parameter rows: the number of rows of the next batch.
    func giveBack(rows: Int)
}

extension ReclaimableMemory {
    /// Gives up whatever ``reclaim(rows:)`` does.
    func giveBack(rows: Int) { while reclaim(rows: rows) {} }
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

    /// Gives up everything of some kinds that is not in use.
    ///
    /// - Parameters:
    ///   - kinds: given up in the order of what they cost.
    ///   - rows: the number of rows of the next batch.
    /// - Returns: the bytes that each of these kinds gave back; kinds that gave nothing back are left out.
    func giveBack(_ kinds: Set<MemoryKind>, rows: Int) -> [MemoryKind: Int] {
        var given: [MemoryKind: Int] = [:]
        var parts = holders
        if let scratch { parts.insert(scratch, at: 0) }
        for part in parts where kinds.contains(part.kind) {
            let used = pool.used
            part.giveBack(rows: rows)
            let byteCount = used - pool.used
            if byteCount > 0 { given[part.kind, default: 0] += byteCount }
        }
        return given
    }

    /// Lets go of all parts.
    func unload() {
        scratch = nil
        holders = []
    }
}

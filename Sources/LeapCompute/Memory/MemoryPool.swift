import LeapBase
package import LeapModel

/// Maps the memory of one engine: pages of the cache and scratch buffers, counted, and limited where that is asked for.
package final class MemoryPool: Sendable {
    private struct State {
        var used = 0
        var limit: Int
    }

    private let state: Locked<State>

    /// A pool of at most `limit` bytes.
    package init(limit: Int = .max) { state = Locked(State(limit: limit)) }

    /// Bytes that are mapped now.
    package var used: Int { state.withLock { $0.used } }

    /// Bytes that the limit leaves.
    package var available: Int { state.withLock { max(0, $0.limit - $0.used) } }

    /// The maximum number of bytes; what is mapped already stays where it is lowered.
    package var limit: Int {
        get { state.withLock { $0.limit } }
        set { state.withLock { $0.limit = newValue } }
    }

    /// The option that limits the memory.
    package static let limitName = "maxMemory"

    /// Counts bytes that are about to be mapped.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory` where the limit does not allow them.
    package func take(_ byteCount: Int) throws(EngineError) {
        let isTaken = state.withLock { state in
            guard byteCount <= state.limit - state.used else { return false }
            state.used += byteCount
            return true
        }
        if !isTaken { throw refusal("a generation", needed: byteCount) }
    }

    /// The error of what needs more bytes than the limit leaves.
    package func refusal(_ what: String, needed: Int) -> EngineError {
        let (used, limit) = state.withLock { ($0.used, $0.limit) }
        let available = max(0, limit - used)
        return EngineError(
            .outOfMemory,
            "\(what) needs \(needed) more bytes, but only \(available) of the \(limit) bytes of \(Self.limitName) are free: raise \(Self.limitName), let other conversations finish first, or use a shorter prompt",
            field: Self.limitName, needed: needed, available: available)
    }

    /// Counts bytes that are mapped no longer.
    package func giveBack(_ byteCount: Int) { state.withLock { $0.used -= byteCount } }
}

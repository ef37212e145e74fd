import LeapBase
import LeapGGUF

/// Maps the memory of one engine: pages of the cache and scratch buffers, counted, and limited where that is asked for.
final class MemoryPool: Sendable {
    private struct State {
        var used = 0
        var limit: Int
    }

    private let state: Locked<State>

    /// A pool of at most `limit` bytes.
    init(limit: Int = .max) { state = Locked(State(limit: limit)) }

    /// Bytes that are mapped now.
    var used: Int { state.withLock { $0.used } }

    /// The maximum number of bytes; what is mapped already stays where it is lowered.
    var limit: Int {
        get { state.withLock { $0.limit } }
        set { state.withLock { $0.limit = newValue } }
    }

    /// Counts bytes that are about to be mapped.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory` where the limit does not allow them.
    func take(_ byteCount: Int) throws(EngineError) {
        let limit: Int? = state.withLock { state in
            guard byteCount <= state.limit - state.used else { return state.limit }
            state.used += byteCount
            return nil
        }
        guard let limit else { return }
        throw EngineError(
            .outOfMemory,
            "\(byteCount) bytes more would exceed the \(limit) bytes that the engine may use: use a smaller context, fewer sessions at a time, or raise the limit",
            field: "memoryLimit")
    }

    /// Counts bytes that are mapped no longer.
    func giveBack(_ byteCount: Int) { state.withLock { $0.used -= byteCount } }
}

import LeapBase

/// The body of an answer, kept up to a limit.
package final class CollectedBody: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var maxBytes: Int
    }

    private let state: Locked<State>

    /// Makes an empty body.
    ///
    /// - Parameter maxBytes: the bytes that are kept at most.
    package init(maxBytes: Int) { state = Locked(State(maxBytes: max(0, maxBytes))) }

    /// The bytes that are kept.
    package var bytes: [UInt8] { state.withLock { $0.bytes } }

    /// The number of bytes that are kept.
    package var count: Int { state.withLock { $0.bytes.count } }

    /// True if no more bytes are kept.
    package var isFull: Bool { state.withLock { $0.bytes.count >= $0.maxBytes } }

    /// Returns the first bytes, so many at most.
    package func prefix(_ count: Int) -> [UInt8] { state.withLock { Array($0.bytes.prefix(count)) } }

    /// Keeps the next bytes.
    ///
    /// - Returns: false if the limit cut some of them off.
    @discardableResult
    package func keep(_ piece: UnsafeRawBufferPointer) -> Bool {
        state.withLock { state in
            let room = state.maxBytes - state.bytes.count
            state.bytes += piece.prefix(room)
            return piece.count <= room
        }
    }

    /// Drops what was kept, for another answer.
    ///
    /// - Parameter maxBytes: the bytes that are kept of that answer at most.
    package func restart(maxBytes: Int) { state.withLock { $0 = State(maxBytes: max(0, maxBytes)) } }
}

extension HTTPReceiver {
    /// Collects a body, and ends the exchange where the limit is reached.
    package init(collecting body: CollectedBody) {
        self.init(
            head: { _ in true },
            body: { piece in
                body.keep(piece)
                return !body.isFull
            })
    }
}

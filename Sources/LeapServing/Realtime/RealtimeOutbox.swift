import LeapBase

/// The messages that a realtime session sends, in order, until the connection takes them.
///
/// A session never waits for its client, whose next message may end a reply; a client that takes nothing for too long
/// is disconnected.
package final class RealtimeOutbox: Sendable {
    /// A message of the session.
    package enum Message: Sendable, Equatable {
        case text([UInt8])
        /// The end of the connection, with a code of RFC 6455.
        case close(code: UInt16, reason: String)
    }

    /// The maximum number of bytes that wait for the client.
    static let maxWaiting = 16 << 20

    /// The messages; they end after ``Message/close(code:reason:)``.
    package let messages: AsyncStream<Message>
    private let continuation: AsyncStream<Message>.Continuation
    private let state = Locked((waiting: 0, isClosed: false))

    init() { (messages, continuation) = AsyncStream.makeStream() }

    /// True if nothing is sent any more.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    func send(_ bytes: [UInt8]) {
        let fits = state.withLock { state in
            guard !state.isClosed else { return true }
            state.waiting += bytes.count
            return state.waiting <= Self.maxWaiting
        }
        if fits {
            if !isClosed { continuation.yield(.text(bytes)) }
        } else {
            close(1008, "the client reads the session's events too slowly")
        }
    }

    func close(_ code: UInt16, _ reason: String) {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        continuation.yield(.close(code: code, reason: reason))
        continuation.finish()
    }

    /// Subtracts bytes that the client has taken.
    package func took(_ count: Int) { state.withLock { $0.waiting -= count } }
}

import LeapBase

/// What a reply's consumer gets, in this order: pieces, then one end.
enum ReplyItem: Sendable {
    case response(MessageResponse)
    case end
    case failure(LeapException)
}

/// The one buffer between the threads that produce a reply and its consumer: items are handed over in order, one at a time.
///
/// Whoever appends also hands over, unless another thread is handing over at that moment; then that thread continues with the new
/// items. So no thread waits for another, and no lock is held while the consumer is resumed. Resuming a task needs a lock of the task
/// that a thread cancelling it holds, so waiting here, or holding a lock that a cancellation handler takes, could deadlock.
final class ReplyDelivery: Sendable {
    private struct State {
        var items: [ReplyItem] = []
        var isHandingOver = false
        var isAbandoned = false
    }

    private let sink: any ResponseSink
    private let state = Locked(State())

    init(to sink: any ResponseSink) { self.sink = sink }

    /// Appends items without handing them over, for callers that hold a lock; ``handOver()`` follows when it is released.
    func append(_ items: [ReplyItem]) {
        state.withLock { $0.items += items }
    }

    /// Hands over all items in the buffer.
    ///
    /// - Returns: false if another thread is doing that; it hands over the new items too.
    @discardableResult
    func handOver() -> Bool {
        let isMine = state.withLock { state in
            defer { state.isHandingOver = true }
            return !state.isHandingOver
        }
        guard isMine else { return false }
        while let item = next() { sink.take(item) }
        return true
    }

    /// The next item; nil ends the handing over.
    private func next() -> ReplyItem? {
        state.withLock { state in
            guard !state.isAbandoned, !state.items.isEmpty else {
                state.isHandingOver = false
                return nil
            }
            return state.items.removeFirst()
        }
    }

    /// Drops what is not handed over yet: the consumer is gone.
    func abandon() {
        state.withLock { state in
            state.isAbandoned = true
            state.items = []
        }
    }
}

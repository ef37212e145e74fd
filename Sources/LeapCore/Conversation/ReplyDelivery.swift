import Dispatch
import LeapBase
import LeapChat

/// An item for a reply's consumer: first come pieces, then one end.
enum ReplyItem: Sendable {
    case response(MessagePiece)
    case end
    case failure(LeapException)
}

/// The one buffer between the threads that produce a reply and its consumer: items are handed over in order, one at a
/// time.
///
/// Whoever appends also hands over, unless another thread is handing over at that moment; then that thread continues
/// with the new items. So no thread waits for another, and no lock is held while the consumer is resumed. A stream that
/// ends is the exception: see ``handOverLastItems()``.
final class ReplyDelivery: Sendable {
    private struct State {
        var items: [ReplyItem] = []
        /// The number of the handing over that is under way; nil where none is.
        var current: Int?
        /// The number of times so far that items were handed over.
        var count = 0
        /// Signalled when the one that is under way ends.
        var waiter: DispatchSemaphore?

        mutating func begin() -> Int {
            count += 1
            current = count
            return count
        }
    }

    /// The time for which the end of a stream waits for another thread that hands over a piece: far longer than that
    /// takes.
    static let patience = DispatchTimeInterval.milliseconds(100)

    private let sink: any ResponseSink
    private let state = Locked(State())

    init(to sink: any ResponseSink) { self.sink = sink }

    /// Appends items without handing them over, for callers that hold a lock; ``handOver()`` follows when it is
    /// released.
    func append(_ items: [ReplyItem]) {
        state.withLock { $0.items += items }
    }

    /// Hands over all items in the buffer, or leaves that to the thread which is doing it.
    func handOver() {
        let number = state.withLock { $0.current == nil ? $0.begin() : nil }
        if let number { run(number) }
    }

    /// Hands over all items in the buffer before it returns, as the stream that takes them ends then and drops what
    /// comes later.
    ///
    /// Where another thread is handing over an item, it is waited for. Not without end: an item may be with the stream
    /// while that thread waits to resume the stream's task, and some versions of the runtime let it wait until the
    /// task's cancellation, which the caller is part of, is over. So after ``patience`` the item counts as handed over,
    /// and the caller takes the rest.
    func handOverLastItems() {
        let waiter = state.withLock { state -> DispatchSemaphore? in
            guard state.current != nil else { return nil }
            let waiter = DispatchSemaphore(value: 0)
            state.waiter = waiter
            return waiter
        }
        _ = waiter?.wait(timeout: .now() + Self.patience)
        run(state.withLock { $0.begin() })
    }

    private func run(_ number: Int) {
        while let item = next(number) { sink.take(item) }
    }

    /// The next item; nil ends the handing over with this number.
    private func next(_ number: Int) -> ReplyItem? {
        state.withLock { state in
            // Another one has taken over.
            guard state.current == number else { return nil }
            guard !state.items.isEmpty else {
                state.current = nil
                state.waiter?.signal()
                state.waiter = nil
                return nil
            }
            return state.items.removeFirst()
        }
    }
}

import LeapBase
import LeapJSON

/// Ended spans that wait to be sent, up to a maximum: further ones are dropped and counted, and ending a span never
/// waits.
final class SpanQueue: Sendable {
    private struct State {
        var waiting: [JSONValue] = []
        var exported = 0
        var dropped = 0
        var isClosed = false
        /// Sends what waits although it is no whole batch.
        var timer: DeadlineQueue.Entry?
    }

    private let limits: OTLPExporter.Limits
    private let state = Locked(State())
    /// Comes when a batch is to be sent.
    let signal: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init(_ limits: OTLPExporter.Limits) {
        self.limits = limits
        (signal, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var counts: (exported: Int, dropped: Int) { state.withLock { ($0.exported, $0.dropped) } }

    /// Adds a span.
    ///
    /// - Returns: whether it is the first one that is dropped.
    func add(_ span: JSONValue) -> Bool {
        let (isFirstDrop, isBatch) = state.withLock { state in
            guard !state.isClosed, state.waiting.count < limits.maxWaiting else {
                state.dropped += 1
                return (state.dropped == 1, false)
            }
            state.waiting.append(span)
            if state.timer == nil {
                state.timer = DeadlineQueue.shared.schedule(at: .now + limits.delay) { [weak self] in self?.flush() }
            }
            return (false, state.waiting.count >= limits.maxBatch)
        }
        if isBatch { continuation.yield() }
        return isFirstDrop
    }

    /// Starts to send the spans that wait.
    func flush() { continuation.yield() }

    /// The next batch; nil where nothing waits.
    func next() -> [JSONValue]? {
        state.withLock { state in
            state.timer?.cancel()
            state.timer = nil
            guard !state.waiting.isEmpty else { return nil }
            let batch = Array(state.waiting.prefix(limits.maxBatch))
            state.waiting.removeFirst(batch.count)
            return batch
        }
    }

    func note(exported: Int) { state.withLock { $0.exported += exported } }

    func note(dropped: Int) { state.withLock { $0.dropped += dropped } }

    /// Takes nothing more; the signal ends when what waits was taken.
    func close() {
        state.withLock { $0.isClosed = true }
        continuation.yield()
        continuation.finish()
    }
}

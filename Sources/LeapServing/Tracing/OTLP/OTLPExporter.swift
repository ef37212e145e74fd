import LeapBase
import LeapChat
package import LeapHTTP
import LeapJSON

/// Sends spans to a collector by OTLP over HTTP, in JSON, in batches.
///
/// Whoever adds a span does not wait: not for the collector, nor for room. A collector that is slow, away or asks for
/// less costs spans, never replies; spans that are dropped are counted, and the log says so once.
package final class OTLPExporter: Sendable {
    /// The limits of an exporter; the defaults are the standard's.
    package struct Limits: Sendable {
        /// Spans that may wait.
        package var maxWaiting = 2048
        /// Spans of a request.
        package var maxBatch = 512
        /// The time for which a span waits for others.
        package var delay = Duration.seconds(5)
        /// The maximum duration of a request.
        package var timeout = Duration.seconds(10)
        package var maxAttempts = 5
        /// The pause behind the first attempt, twice as long behind each further one.
        package var pause = Duration.seconds(1)
        /// The longest pause, whatever the collector asks for.
        package var maxPause = Duration.seconds(30)

        package init() {}
    }

    private static let logger = PrintableLogger(label: "open-leap.otlp")

    private let queue: SpanQueue
    private let worker: Task<Void, Never>

    package init(
        _ configuration: OTLPConfiguration, limits: Limits = Limits(),
        transport: any Transport = StandardTransport.make()
    ) {
        let queue = SpanQueue(limits)
        self.queue = queue
        let sender = SpanSender(configuration: configuration, limits: limits, transport: transport, queue: queue)
        // Not in the task of a request, whose end or deadline is not that of the spans.
        worker = Task.detached(priority: .utility) {
            for await _ in queue.signal { while let batch = queue.next() { await sender.send(batch) } }
            while let batch = queue.next() { await sender.send(batch) }
        }
    }

    deinit {
        queue.close()
        worker.cancel()
    }

    /// Spans that the collector has taken, and that were dropped.
    package var counts: (exported: Int, dropped: Int) { queue.counts }

    /// The figures for `/metrics`.
    package var figures: String {
        let (exported, dropped) = counts
        return """
            # TYPE leap_otlp_spans_exported_total counter
            leap_otlp_spans_exported_total \(exported)
            # TYPE leap_otlp_spans_dropped_total counter
            leap_otlp_spans_dropped_total \(dropped)

            """
    }

    /// Adds an ended span; returns at once.
    func add(_ span: JSONValue) {
        guard queue.add(span) else { return }
        Self.logger.warning(
            "spans are dropped, because they end faster than the collector takes them; leap_otlp_spans_dropped_total counts them"
        )
    }

    /// Starts to send the spans that wait; returns at once.
    package func flush() { queue.flush() }

    /// Sends what waits, and ends.
    ///
    /// - Parameter limit: how long that may take; what is left is dropped then.
    package func shutdown(within limit: Duration) async {
        queue.close()
        let entry = DeadlineQueue.shared.schedule(at: .now + limit) { [worker] in worker.cancel() }
        await worker.value
        entry.cancel()
        let dropped = counts.dropped
        if dropped > 0 { Self.logger.warning("\(dropped) spans were not delivered") }
    }
}

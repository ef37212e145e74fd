/// A reply that begins when its consumer is there, and whose pieces go to the consumer without a buffer in between.
package struct DirectReply: Sendable {
    private let start: @Sendable (StreamSink) -> @Sendable () -> Void

    /// Makes a reply.
    ///
    /// - Parameter start: begins the generation, and returns the function that stops it.
    package init(start: @escaping @Sendable (StreamSink) -> @Sendable () -> Void) { self.start = start }

    /// Begins the generation; to be called once.
    ///
    /// - Parameter sink: gets the pieces and one end, in order, on the threads that make them, which must not be kept
    ///   waiting.
    /// - Returns: the function that stops the generation; the sink gets what there is of the reply, and its end.
    package func begin(_ sink: StreamSink) -> @Sendable () -> Void { start(sink) }
}

extension DirectReply {
    /// The reply as a stream, which begins it now, and stops it where its reader is cancelled or releases it.
    package func stream() -> MessageResponseStream {
        let (stream, continuation) = MessageResponseStream.makeStream()
        let stop = begin(
            StreamSink(
                yield: { continuation.yield($0.element) },
                end: { error in if let error { continuation.fail(error) } else { continuation.finish() } }))
        continuation.onTermination = { termination in if case .cancelled = termination { stop() } }
        return stream
    }
}

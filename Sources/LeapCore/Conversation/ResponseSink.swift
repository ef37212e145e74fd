import Dispatch
package import LeapChat

/// The consumer of a reply; ``ReplyDelivery`` calls it in order, one call at a time, and without a lock.
protocol ResponseSink: Sendable {
    func take(_ item: ReplyItem)

    /// Tells the caller of a generation that did not start because another one runs.
    func takeBusy()
}

/// Two functions: one takes the pieces, and one the end.
package struct StreamSink: ResponseSink {
    /// Takes a piece.
    package let yield: @Sendable (MessagePiece) -> Void
    /// Takes the end, which is an error or nil.
    package let end: @Sendable ((any Error)?) -> Void

    package init(
        yield: @escaping @Sendable (MessagePiece) -> Void, end: @escaping @Sendable ((any Error)?) -> Void
    ) {
        self.yield = yield
        self.end = end
    }

    /// The replies of a generation as a stream, which stops the generation where its reader is cancelled or releases
    /// it.
    ///
    /// The stream is not one made by unfolding: that kind ends at once for a cancelled task, which would withhold the
    /// completion from it.
    ///
    /// - Parameter begin: begins the generation; nil where it cannot begin, which the sink is told then.
    static func stream(_ begin: (StreamSink) -> (any StreamedGeneration)?) -> MessageResponseStream {
        let (stream, continuation) = MessageResponseStream.makeStream()
        let sink = StreamSink(
            yield: { continuation.yield($0.element) },
            end: { error in if let error { continuation.fail(error) } else { continuation.finish() } })
        if let generation = begin(sink) {
            // Weak, as the generation holds the continuation. Set after the start: one that is over by now does not
            // need it.
            continuation.onTermination = { [weak generation] termination in
                if case .cancelled = termination { generation?.stopForEndedStream() }
            }
        }
        return stream
    }

    func take(_ item: ReplyItem) {
        switch item {
        case .response(let response): yield(response)
        case .end: end(nil)
        case .failure(let error): end(error)
        }
    }

    func takeBusy() { end(nil) }
}

/// A generation whose replies may come as a stream.
protocol StreamedGeneration: GenerationHandler {
    var delivery: ReplyDelivery { get }
}

extension StreamedGeneration {
    /// Stops the generation because the stream's task was cancelled, or the stream was released; see ``ReplyDelivery``.
    ///
    /// The stream ends when this returns, with the completion behind all pieces.
    func stopForEndedStream() {
        stop()
        delivery.handOverLastItems()
    }
}

/// Callbacks on the main queue.
struct CallbackSink: ResponseSink, @unchecked Sendable {
    // Sendable although the closures need not be: they are called on the main queue only, one after another.
    private let onResponse: (MessageResponseStream.Element) -> Void
    private let onError: ((LeapException) -> Void)?

    init(onResponse: @escaping (MessageResponseStream.Element) -> Void, onError: ((LeapException) -> Void)?) {
        self.onResponse = onResponse
        self.onError = onError
    }

    func take(_ item: ReplyItem) {
        switch item {
        case .response(let piece): DispatchQueue.main.async { onResponse(piece.element) }
        case .end: break
        case .failure(let error):
            guard let onError else {
                LeapLog.logger.error("the generation failed: \(error.message)")
                return complete(.error)
            }
            DispatchQueue.main.async { onError(error) }
        }
    }

    func takeBusy() { complete(.stop) }

    /// An empty completion.
    private func complete(_ reason: GenerationFinishReason) {
        let message = ChatMessage(role: .assistant, textContent: "")
        take(.response(.complete(MessageCompletion(message: message, finishReason: reason))))
    }
}

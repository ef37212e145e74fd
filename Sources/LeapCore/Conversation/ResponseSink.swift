import Dispatch

/// Where the pieces of a reply go.
///
/// Exactly one of `finish` and `fail` ends it.
protocol ResponseSink: Sendable {
    /// Whether sending may happen under a lock. Waking up a task may not: what cancels that task holds the task's own lock while it waits
    /// for ours.
    var sendsUnderLock: Bool { get }
    func send(_ response: MessageResponse)
    func finish()
    func fail(_ error: LeapException)
}

/// A stream.
struct StreamSink: ResponseSink {
    let continuation: AsyncThrowingStream<MessageResponse, any Error>.Continuation
    let sendsUnderLock = false

    func send(_ response: MessageResponse) { continuation.yield(response) }
    func finish() { continuation.finish() }
    func fail(_ error: LeapException) { continuation.finish(throwing: error) }
}

/// Callbacks on the main queue.
struct CallbackSink: ResponseSink, @unchecked Sendable {
    // Sendable although the closures need not be: they are called on the main queue only, one after another.
    private let onResponse: (MessageResponse) -> Void
    private let onError: ((LeapException) -> Void)?
    let sendsUnderLock = true

    init(onResponse: @escaping (MessageResponse) -> Void, onError: ((LeapException) -> Void)?) {
        self.onResponse = onResponse
        self.onError = onError
    }

    func send(_ response: MessageResponse) {
        DispatchQueue.main.async { onResponse(response) }
    }

    func finish() {}

    func fail(_ error: LeapException) {
        guard let onError else {
            let message = ChatMessage(role: .assistant, textContent: "")
            LeapLog.logger.error("the generation failed: \(error.message)")
            return send(.complete(MessageCompletion(message: message, finishReason: .error)))
        }
        DispatchQueue.main.async { onError(error) }
    }
}

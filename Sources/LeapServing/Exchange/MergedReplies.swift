import LeapBase
import LeapCore

/// Several replies as they arrive, each piece with the index of its reply.
final class MergedReplies: Sendable {
    typealias Element = (index: Int, response: MessageResponse)

    /// The maximum number of pieces that wait for a client which takes them more slowly than they are written.
    ///
    /// A model does not wait for a client, as its other clients would wait too.
    static let maxWaiting = 16_384

    private let stream: AsyncThrowingStream<Element, any Error>
    private let task: Task<Void, Never>
    private let over = Locked(false)

    /// Whether nothing more is waited for.
    var isOver: Bool { over.withLock { $0 } }

    /// - Parameter deadline: when they have to be whole; what has not arrived by then is an error.
    init(_ replies: [PendingReplies.Reply], until deadline: Deadline? = nil) {
        let (stream, continuation) = AsyncThrowingStream<Element, any Error>.makeStream(
            bufferingPolicy: .bufferingOldest(Self.maxWaiting))
        self.stream = stream
        task = Task { [over] in
            defer { over.withLock { $0 = true } }
            do {
                try await Self.merge(replies, into: continuation, until: deadline)
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
    }

    private static func merge(
        _ replies: [PendingReplies.Reply], into continuation: AsyncThrowingStream<Element, any Error>.Continuation,
        until deadline: Deadline?
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, reply) in replies.enumerated() {
                group.addTask {
                    for try await response in reply {
                        if case .dropped = continuation.yield((index, response)) { throw tooSlow }
                    }
                }
            }
            if let deadline {
                group.addTask {
                    try await Task.sleep(until: deadline.instant)
                    throw deadline.error
                }
            }
            defer { group.cancelAll() }
            var remaining = replies.count
            while remaining > 0, try await group.next() != nil { remaining -= 1 }
        }
    }

    private static let tooSlow = APIError(
        status: 408, type: "invalid_request_error",
        message: "the client takes the reply too slowly: \(maxWaiting) pieces wait for it", code: "client_too_slow")

    /// The next piece; nil at the end.
    ///
    /// Cancelling the task that waits stops the replies.
    func next() async throws -> Element? {
        try await withTaskCancellationHandler {
            for try await element in stream { return element }
            try Task.checkCancellation()
            return nil
        } onCancel: {
            task.cancel()
        }
    }

    /// Stops the replies that have not ended.
    func stop() { task.cancel() }

    deinit { task.cancel() }
}

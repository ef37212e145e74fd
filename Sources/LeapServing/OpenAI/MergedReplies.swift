import LeapCore

/// Several replies as they arrive, each piece with the index of its reply.
final class MergedReplies: Sendable {
    typealias Element = (index: Int, response: MessageResponse)

    private let stream: AsyncThrowingStream<Element, any Error>
    private let task: Task<Void, Never>

    init(_ replies: [AsyncThrowingStream<MessageResponse, any Error>]) {
        let (stream, continuation) = AsyncThrowingStream<Element, any Error>.makeStream()
        self.stream = stream
        task = Task {
            do {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (index, reply) in replies.enumerated() {
                        group.addTask { for try await response in reply { continuation.yield((index, response)) } }
                    }
                    try await group.waitForAll()
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
    }

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

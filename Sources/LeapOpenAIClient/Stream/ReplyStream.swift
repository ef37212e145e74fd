import LeapBase
import LeapHTTP

/// One reply of an endpoint: requested with its first chunk, and cancelled with its connection when the stream is
/// released.
package final class ReplyStream: Sendable {
    /// Bytes of events between the network and the app, where the network can be made to wait and where it cannot.
    private static let capacities = (waiting: 256 << 10, refusing: 16 << 20)

    private let queue: BoundedQueue<ChatCompletionChunk>
    private let work: @Sendable (BoundedQueue<ChatCompletionChunk>) async -> Void
    private let state = Locked(State())

    private struct State {
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    /// - Parameter work: brings the chunks; it does not hold on to the stream.
    init(
        allowsWaiting: Bool, work: @escaping @Sendable (BoundedQueue<ChatCompletionChunk>) async -> Void
    ) {
        queue = BoundedQueue(
            capacity: allowsWaiting ? Self.capacities.waiting : Self.capacities.refusing, waits: allowsWaiting)
        self.work = work
    }

    deinit { cancel() }

    /// The next chunk; nil at the end.
    ///
    /// One task at a time may ask. Cancelling it closes the connection.
    package func next() async throws -> ChatCompletionChunk? {
        try await withTaskCancellationHandler {
            begin()
            let chunk = try await queue.next()
            if chunk == nil { try Task.checkCancellation() }
            return chunk
        } onCancel: {
            cancel()
        }
    }

    private func begin() {
        state.withLock { [work, queue] state in
            if state.task == nil, !state.isCancelled { state.task = Task { await work(queue) } }
        }
    }

    /// Ends the reply with an error, as the client was closed.
    func close() {
        queue.finish(.failure(OpenAiClientError.closedClient))
        state.withLock { $0.task }?.cancel()
    }

    /// Closes the connection, unless the answer has come to its end: then it may serve the next request.
    package func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        queue.close()
        guard let task else { return }
        guard queue.hasEnded else { return task.cancel() }
        Task {
            try? await Task.sleep(for: .seconds(1))
            task.cancel()
        }
    }
}

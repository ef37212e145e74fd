import LeapBase
import LeapChat
import LeapJSON

/// Responses that are generated without a client that waits for them.
final class BackgroundResponses: Sendable {
    /// The maximum number at a time.
    static let maxCount = 256

    private let tasks = Locked<[String: Task<Void, Never>]>([:])

    /// Begins a response, and returns when the model has taken it.
    ///
    /// - Parameters:
    ///   - acceptance: that of the reply.
    ///   - end: gets the reply, or why there is none.
    /// - Throws: what is wrong with the request, or that there are too many.
    func begin(
        _ id: String, _ pending: PendingReplies, _ acceptance: ReplyAcceptance,
        end: @escaping @Sendable (Result<ReplyParts, APIError>) async -> Void
    ) async throws {
        let refusal = Locked<APIError?>(nil)
        let isAccepted = OneWaySwitch()
        let (signal, continuation) = AsyncStream<Void>.makeStream()
        acceptance.whenAll {
            isAccepted.set()
            continuation.finish()
        }
        let isStarted = tasks.withLock { tasks in
            guard tasks.count < Self.maxCount else { return false }
            tasks[id] = Task { [weak self] in
                do {
                    let parts = try await pending.whole()
                    await end(.success(parts[0]))
                } catch {
                    let error = APIError(error)
                    if !isAccepted.isSet { refusal.withLock { $0 = error } }
                    await end(.failure(error))
                }
                self?.forget(id)
                continuation.finish()
            }
            return true
        }
        guard isStarted else {
            throw APIError.busy("\(Self.maxCount) responses are in progress in the background")
        }
        for await _ in signal {}
        if let refusal = refusal.withLock({ $0 }) { throw refusal }
    }

    private func forget(_ id: String) { tasks.withLock { $0[id] = nil } }

    /// Stops a response; does nothing where it is not in progress.
    func cancel(_ id: String) { tasks.withLock { $0.removeValue(forKey: id) }?.cancel() }

    deinit { tasks.withLock { $0 }.values.forEach { $0.cancel() } }
}

import LeapBase

/// An instant by which work has to be done.
package struct Deadline: Sendable {
    package let instant: ContinuousClock.Instant
    /// The error of work that is not done by then.
    package let error: APIError

    /// A deadline from now on, of an answer that has to be whole.
    package init(in limit: Duration) {
        self.init(
            in: limit,
            error: APIError.failed(
                504,
                "the answer took longer than \(limit.components.seconds) seconds; ask for less, or start the server with a larger --request-timeout",
                code: "request_timeout"))
    }

    /// A deadline from now on.
    package init(in limit: Duration, error: APIError) {
        instant = ContinuousClock.now + limit
        self.error = error
    }

    /// Runs `body`, cancelled at the deadline.
    ///
    /// - Throws: ``error`` at the deadline.
    package func run<T: Sendable>(_ body: @escaping @Sendable () async throws -> T) async throws -> T {
        let isLate = OneWaySwitch()
        let task = Task { try await body() }
        let entry = DeadlineQueue.shared.schedule(at: instant) {
            isLate.set()
            task.cancel()
        }
        defer { entry.cancel() }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        guard !isLate.isSet else { throw error }
        return try result.get()
    }
}

/// When an answer has to be whole.
package struct Deadline: Sendable {
    /// What the answer may take.
    let limit: Duration
    let instant: ContinuousClock.Instant

    /// A deadline from now on.
    package init(in limit: Duration) {
        self.limit = limit
        instant = ContinuousClock.now + limit
    }

    /// What an answer that comes too late is.
    var error: APIError {
        APIError(
            status: 504, type: "server_error",
            message:
                "the answer took longer than \(limit.components.seconds) seconds; ask for less, or start the server with a larger --request-timeout",
            code: "request_timeout")
    }

    /// Runs `body`, cancelled at the deadline.
    ///
    /// - Throws: ``error`` at the deadline.
    func run<T: Sendable>(_ body: @escaping @Sendable () async throws -> T) async throws -> T {
        try await withThrowingTaskGroup(of: T.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(until: instant)
                throw error
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}

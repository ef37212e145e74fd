#if Server
    import LeapBase
    import LeapServing
    import ServiceLifecycle

    /// The end of the server: answers that have begun are finished, and no others begin.
    ///
    /// An MCP server may never answer a call: those that still run after ``grace`` end with an error, as their servers are ended.
    final class ShutdownState: Sendable {
        static let grace = Duration.seconds(5)

        private let tools: ServedTools?
        private let isEnding = OneWaySwitch()

        init(_ tools: ServedTools?) { self.tools = tools }

        /// True if the server was told to end; to be asked in the task of a request.
        var hasBegun: Bool { Task.isShuttingDownGracefully }

        /// Makes an answer, and sees to it that no call of a tool keeps it waiting for long once the server is told to end.
        func answering<Answer: Sendable>(_ answer: @Sendable () async throws -> Answer) async rethrows -> Answer {
            guard let tools else { return try await answer() }
            return try await withGracefulShutdownHandler {
                try await answer()
            } onGracefulShutdown: { [isEnding] in
                guard isEnding.set() else { return }
                Task {
                    try? await Task.sleep(for: Self.grace)
                    await tools.close()
                }
            }
        }
    }
#endif

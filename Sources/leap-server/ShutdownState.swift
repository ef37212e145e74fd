#if Server
    import LeapBase
    import LeapServing
    import ServiceLifecycle

    /// The flag that the server was told to end: then answers that have begun are finished, and no others begin.
    ///
    /// An MCP server may never answer a call: those that still run after ``grace`` end with an error, as their servers are ended.
    final class ShutdownState: Service {
        static let grace = Duration.seconds(5)

        private let state = Locked(false)
        private let tools: ServedTools?

        init(_ tools: ServedTools?) { self.tools = tools }

        var hasBegun: Bool { state.withLock { $0 } }

        func run() async throws {
            try await gracefulShutdown()
            state.withLock { $0 = true }
            guard let tools else { return }
            // A service that has not ended would keep the server in front of it from ending.
            Task {
                try? await Task.sleep(for: Self.grace)
                await tools.close()
            }
        }
    }
#endif

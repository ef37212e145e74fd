#if Server
    import LeapBase
    import ServiceLifecycle

    /// The state of a shutdown: once it has begun, answers in progress are finished and further requests are refused.
    final class ShutdownState: Service {
        private let state = Locked(false)

        var hasBegun: Bool { state.withLock { $0 } }

        func run() async throws {
            try await gracefulShutdown()
            state.withLock { $0 = true }
        }
    }
#endif

#if Server
    import LeapBase
    import ServiceLifecycle

    /// The flag that the server was told to end: then answers that have begun are finished, and no others begin.
    final class ShutdownState: Service {
        private let state = Locked(false)

        var hasBegun: Bool { state.withLock { $0 } }

        func run() async throws {
            try await gracefulShutdown()
            state.withLock { $0 = true }
        }
    }
#endif

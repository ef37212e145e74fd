#if Server
    import LeapBase
    import LeapServing
    import NIOCore
    import ServiceLifecycle

    /// The end of the server: answers that have begun are finished, for a while, and no others begin.
    ///
    /// A request that has not arrived whole is no work in hand: its connection is closed after ``arrival``. An MCP
    /// server may never answer a call: those that still run by then end with an error, as their servers are ended.
    /// Models are given up after the grace that the command names, so that their replies end with an error in order;
    /// the connections that are left are closed soon after that.
    final class ShutdownState: Sendable {
        /// The time that requests may take to arrive, and calls of tools to end.
        static let arrival = Duration.seconds(5)
        /// The time from the end of models to that of connections.
        private static let last = Duration.seconds(1)

        private let tools: ServedTools?
        private let pool: ModelPool
        /// The time that answers may take; nil for no limit.
        private let grace: Duration?
        private let isEnding = OneWaySwitch()

        init(_ tools: ServedTools?, pool: ModelPool, grace: Duration?) {
            self.tools = tools
            self.pool = pool
            self.grace = grace
        }

        /// True if the server was told to end; to be asked in the task of a request.
        var hasBegun: Bool { Task.isShuttingDownGracefully }

        /// Notes that the server was told to end, which every open connection is told; the first time counts.
        func begin() {
            guard isEnding.set() else { return }
            if let tools {
                Task {
                    try? await Task.sleep(for: Self.arrival)
                    await tools.close()
                }
            }
            guard let grace else { return }
            Task { [pool] in
                try? await Task.sleep(for: grace)
                await pool.close()
            }
        }

        /// The time from the beginning of the end after which a connection is closed; nil for never.
        ///
        /// - Parameter isArriving: whether it has a request that is not whole.
        func limit(isArriving: Bool) -> TimeAmount? {
            if isArriving { return TimeAmount(min(Self.arrival, grace ?? Self.arrival)) }
            return grace.map { TimeAmount($0 + Self.last) }
        }
    }
#endif

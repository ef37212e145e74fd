/// The clock by which servers are started again.
package struct RestartClock: Sendable {
    /// The time since a moment that stays the same.
    let now: @Sendable () -> Duration
    let sleep: @Sendable (Duration) async throws -> Void

    package init(_ clock: some Clock<Duration> = ContinuousClock()) {
        let beginning = clock.now
        now = { beginning.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
    }
}

/// The starts of a server in the place of one that ended, and when the next one may be.
///
/// Times are those of a ``RestartClock``.
struct Restarts: Sendable {
    private let waits: [Duration]
    private let window: Duration
    /// The times of the latest starts, the last one at the end.
    private var starts: [Duration] = []
    /// The time at which the latest start was done, or came to nothing.
    private var latestEnd: Duration?

    /// - Parameters:
    ///   - waits: the time between the end of a start and the next one, by how many starts there were; their number is
    ///     that of starts.
    ///   - window: the time in which so many starts may be.
    init(waits: [Duration], window: Duration) {
        self.waits = waits
        self.window = window
    }

    /// Returns the time until the next start may be; nil where there were as many as may be.
    func wait(at now: Duration) -> Duration? {
        let count = starts.count { now - $0 < window }
        guard count < waits.count else { return nil }
        guard let latestEnd else { return waits[count] }
        return max(.zero, latestEnd + waits[count] - now)
    }

    /// Notes that a start begins.
    mutating func begin(at now: Duration) {
        starts = starts.filter { now - $0 < window } + [now]
        latestEnd = now
    }

    /// Notes that the start is over, well or not.
    mutating func end(at now: Duration) { latestEnd = now }
}

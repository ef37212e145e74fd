import LeapBase

/// A clock that stands still until it is told to go on.
public final class ManualClock: Clock {
    /// A point in time: so long after the clock was made.
    public struct Instant: InstantProtocol {
        /// Time since the clock was made.
        public let offset: Duration

        /// A later point in time.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// The time from here to another point.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// Returns whether a point is before another.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Times {
        var now = Instant(offset: .zero)
        var next = 0
        var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var cancelled: Set<Int> = []
    }

    private let times = Locked(Times())

    /// Makes a clock at time zero.
    public init() {}

    /// The present time.
    public var now: Instant { times.withLock { $0.now } }
    /// The least time that is told apart.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Tasks that sleep.
    public var sleeperCount: Int { times.withLock { $0.sleepers.count } }

    /// Returns when the time has come, or throws `CancellationError`.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = times.withLock { times in
            times.next += 1
            return times.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = times.withLock { times -> Result<Void, any Error>? in
                    if times.cancelled.remove(number) != nil { return .failure(CancellationError()) }
                    if deadline <= times.now { return .success(()) }
                    times.sleepers[number] = (deadline, continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let sleeper = times.withLock { times in
                let sleeper = times.sleepers.removeValue(forKey: number)
                if sleeper == nil { times.cancelled.insert(number) }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Lets time pass, and wakes whose time has come, in that order.
    public func advance(by duration: Duration) {
        let due = times.withLock { times in
            times.now = times.now.advanced(by: duration)
            let due = times.sleepers.filter { $0.value.deadline <= times.now }
            for number in due.keys { times.sleepers[number] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}

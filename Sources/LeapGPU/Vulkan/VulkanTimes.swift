/// The times at which a device began and ended its commands, as the host sees them.
///
/// Lists of commands are carried out one after the other, and waited for in that order.
struct VulkanTimes {
    private let clock = ContinuousClock()
    /// Lists that were submitted and not waited for yet.
    private var runningCount = 0
    /// The time at which the first of these began; nil where it is not known.
    private var start: ContinuousClock.Instant?
    /// The time at which the device last began or ended commands, at the latest.
    private var latest: ContinuousClock.Instant?

    /// The seconds after which a watchdog may end a submission: amdgpu's does after two.
    private static let leastOfWatchdog = Duration.seconds(1)

    /// True if the device has computed for so long that a watchdog may have ended it.
    var isLong: Bool {
        guard let latest, runningCount > 0 else { return false }
        return clock.now - latest >= Self.leastOfWatchdog
    }

    /// Takes note of a submission.
    mutating func submit() {
        if runningCount == 0 {
            start = clock.now
            latest = start
        }
        runningCount += 1
    }

    /// Takes note of the end of the first list.
    ///
    /// - Parameter isWaitedFor: whether the list ended just now, rather than before.
    /// - Returns: the seconds that the device took for it; nil where that is not known.
    mutating func finish(isWaitedFor: Bool) -> Double? {
        let now = clock.now, began = start
        runningCount -= 1
        (start, latest) = (isWaitedFor ? now : nil, now)
        guard isWaitedFor, let began else { return nil }
        return (now - began) / .seconds(1)
    }

    /// Takes note of a list that nobody waits for.
    mutating func leave() {
        runningCount -= 1
        start = nil
    }
}

import Foundation

/// The speed of a transfer, and the time it has left, from counts of bytes over a monotonic clock.
///
/// Both are averages whose older bytes and seconds fade alike, so they do not depend on how often anybody looks. The
/// speed follows the last seconds. The time left follows a longer stretch, because a number that jumps is of no use.
package struct TransferSpeed: Sendable {
    /// Bytes and seconds of a transfer, of which the older ones count less.
    private struct Average: Sendable {
        /// Seconds after which the weight of what arrived has fallen to 37%.
        let memory: Double
        private var bytes = 0.0
        private var seconds = 0.0

        init(memory: Double) { self.memory = memory }

        mutating func add(_ bytes: Double, over seconds: Double) {
            let kept = exp(-seconds / memory)
            self.bytes = self.bytes * kept + bytes
            self.seconds = self.seconds * kept + seconds
        }

        var bytesPerSecond: Double { seconds > 0 ? bytes / seconds : 0 }
    }

    /// Looks that are closer than this are one: over less time, the size of a packet would look like the speed.
    private static let shortestStretch = 0.05
    /// After a longer pause the process was suspended or nobody looked: what was measured before says nothing.
    private static let longestStretch = 10.0
    /// Seconds that must have been measured before a time left is told.
    private static let leastMeasured = 2.0
    /// The longest time left that is told, in seconds: 30 days.
    private static let longestLeft = 30.0 * 24 * 3600

    private var recent = Average(memory: 3)
    private var steady = Average(memory: 20)
    private var measured = 0.0
    private var last: UInt64?
    /// Bytes that came since the last stretch.
    private var pending: Int64 = 0

    package init() {}

    /// Notes bytes that arrived since the last call.
    ///
    /// - Parameters:
    ///   - bytes: the number of bytes; fewer than none count as none.
    ///   - nanoseconds: the time on a monotonic clock.
    package mutating func add(_ bytes: Int64, at nanoseconds: UInt64) {
        guard let last, nanoseconds >= last else {
            self.last = nanoseconds
            return
        }
        let seconds = Double(nanoseconds - last) / 1e9
        let (sum, overflow) = pending.addingReportingOverflow(max(0, bytes))
        pending = overflow ? .max : sum
        guard seconds >= Self.shortestStretch else { return }
        self.last = nanoseconds
        defer { pending = 0 }
        guard seconds <= Self.longestStretch else {
            recent = Average(memory: recent.memory)
            steady = Average(memory: steady.memory)
            measured = 0
            return
        }
        recent.add(Double(pending), over: seconds)
        steady.add(Double(pending), over: seconds)
        measured += seconds
    }

    /// Bytes per second over about the last three seconds; 0 before anything was measured.
    package var bytesPerSecond: Int64 { Int64(exactly: recent.bytesPerSecond.rounded()) ?? .max }

    /// Returns the seconds that the missing bytes take; nil while too little was measured, and if next to nothing
    /// arrives.
    ///
    /// - Parameter missing: the bytes that are still to come.
    package func secondsLeft(missing: Int64) -> Double? {
        guard missing > 0 else { return 0 }
        guard measured >= Self.leastMeasured, steady.bytesPerSecond >= 1 else { return nil }
        let seconds = Double(missing) / steady.bytesPerSecond
        return seconds <= Self.longestLeft ? seconds : nil
    }
}

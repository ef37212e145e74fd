/// Waits as people read them.
package enum WaitText {
    /// Whole seconds, rounded up: `30 seconds`.
    package static func of(_ seconds: Double) -> String {
        let whole = Int(exactly: OutsideNumber.seconds(seconds).rounded(.up)) ?? 0
        return whole == 1 ? "1 second" : "\(whole) seconds"
    }
}

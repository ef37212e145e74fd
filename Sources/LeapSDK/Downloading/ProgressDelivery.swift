import Dispatch

/// Carries progress to a callback of the app's: on the main queue, in order.
///
/// An app on the main actor whose call returns has seen every value before: the values were put on that queue first.
package struct ProgressDelivery: Sendable {
    private let callback: @MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void

    /// Makes a delivery; nil where no caller asked for progress.
    init?(_ callback: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)?) {
        guard let callback else { return nil }
        self.callback = callback
    }

    func callAsFunction(_ fraction: Double, _ bytesPerSecond: Int64) {
        let callback = callback
        // The queue and not a task: tasks of one actor have no order among them.
        DispatchQueue.main.async { MainActor.assumeIsolated { callback(fraction, bytesPerSecond) } }
    }
}

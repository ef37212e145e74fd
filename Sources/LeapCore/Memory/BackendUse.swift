/// Keeps a backend's model in memory as long as this value lives.
package final class BackendUse: Sendable {
    private let end: @Sendable () -> Void

    /// - Parameter end: called when the value is released.
    init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}

/// A Boolean that starts as false and can only become true, from any thread.
package final class OneWaySwitch: Sendable {
    private let state = Locked(false)

    /// A switch that is not set.
    package init() {}

    /// True if ``set()`` was called.
    package var isSet: Bool { state.withLock { $0 } }

    /// Sets the switch.
    ///
    /// - Returns: whether this call was the first one.
    @discardableResult
    package func set() -> Bool {
        state.withLock { isSet in
            defer { isSet = true }
            return !isSet
        }
    }
}

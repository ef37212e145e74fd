import LeapGGUF

/// A switch that is set once, from any thread.
package final class OneWaySwitch: Sendable {
    private let state = Locked(false)

    package init() {}

    package func set() { state.withLock { $0 = true } }
    package var isSet: Bool { state.withLock { $0 } }
}

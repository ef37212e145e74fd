import LeapBase

/// A clock on which a wait takes no time, but for one that is held.
final class SettableClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var waits: [Duration] = []
        var isHeld = false
    }

    private let state = Locked(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }
    /// The waits that have begun.
    var waits: [Duration] { state.withLock { $0.waits } }

    func advance(by duration: Duration) { state.withLock { $0.now = $0.now.advanced(by: duration) } }

    /// Sets whether waits go on until this is set back.
    func hold(_ isHeld: Bool) { state.withLock { $0.isHeld = isHeld } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        state.withLock { $0.waits.append($0.now.duration(to: deadline)) }
        while state.withLock({ $0.isHeld }) { try await Task.sleep(for: .milliseconds(2)) }
        try Task.checkCancellation()
        state.withLock { $0.now = max($0.now, deadline) }
    }
}

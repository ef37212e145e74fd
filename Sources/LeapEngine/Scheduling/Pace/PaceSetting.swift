import LeapBase

/// The source of an engine's pace, which any thread may replace.
final class PaceSetting: Sendable {
    private let state = Locked<(source: (any PaceSource)?, version: Int)>((nil, 0))

    /// The source, and how often it was replaced; nil where the engine computes at full speed.
    var current: (source: (any PaceSource)?, version: Int) { state.withLock { $0 } }

    /// Takes another source from the next pass on.
    func set(_ source: (any PaceSource)?) {
        // An app's policy is released behind the lock, as its deinitializer may call anything.
        let earlier = state.withLock { state in
            defer { state = (source, state.version + 1) }
            return state.source
        }
        withExtendedLifetime(earlier) {}
    }
}

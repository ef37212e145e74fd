import LeapBase
package import LeapEngine

/// The times at which the phases of a reply began and ended, for whoever measures replies from outside; they can be
/// read at any time.
package final class ReplyTiming: Sendable {
    private struct State {
        /// The generation, until its turn is over.
        var running: (any RunningGeneration)?
        var times: GenerationTimes?
        var progress: GenerationProgress?
        var firstToken: ContinuousClock.Instant?
        var lastToken: ContinuousClock.Instant?
    }

    private let state = Locked(State())

    package init() {}

    /// The times at which the reply was handed to the engine and at which the engine began; nil where it was not handed
    /// over.
    package var times: GenerationTimes? { state.withLock { $0.running?.times ?? $0.times } }
    /// The tokens that it has worked on; nil before it was handed to the engine.
    package var progress: GenerationProgress? { state.withLock { $0.running?.progress ?? $0.progress } }
    /// The time at which its first token was drawn; nil before that.
    package var firstToken: ContinuousClock.Instant? { state.withLock { $0.firstToken } }
    /// The time at which its latest token was drawn; nil before the first one.
    package var lastToken: ContinuousClock.Instant? { state.withLock { $0.lastToken } }

    func follow(_ running: any RunningGeneration) { state.withLock { $0.running = running } }

    func generated() {
        state.withLock { state in
            state.lastToken = .now
            if state.firstToken == nil { state.firstToken = state.lastToken }
        }
    }

    /// Takes what is known of the generation, which has ended.
    func release() {
        state.withLock { state in
            state.times = state.running?.times
            state.progress = state.running?.progress
            state.running = nil
        }
    }
}

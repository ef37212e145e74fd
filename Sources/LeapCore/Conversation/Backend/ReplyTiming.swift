import LeapBase
package import LeapEngine

/// When the phases of a reply began and ended, for whoever measures replies from outside; it can be read at any time.
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

    /// When it was handed to the engine, and when the engine began; nil where it was not.
    package var times: GenerationTimes? { state.withLock { $0.running?.times ?? $0.times } }
    /// The tokens that it has worked on; nil before it was handed to the engine.
    package var progress: GenerationProgress? { state.withLock { $0.running?.progress ?? $0.progress } }
    /// When its first token was drawn.
    package var firstToken: ContinuousClock.Instant? { state.withLock { $0.firstToken } }
    /// When its latest token was drawn.
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

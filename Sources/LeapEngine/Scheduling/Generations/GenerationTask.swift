import LeapBase
package import LeapModel

/// The times at which a generation was handed to the engine and had its turn.
package struct GenerationTimes: Sendable, Equatable {
    package let queued: ContinuousClock.Instant
    /// The time at which the engine began with its prompt; nil while it waits for others, or for its prompt's beginning
    /// from disk.
    package var began: ContinuousClock.Instant?

    package init(queued: ContinuousClock.Instant, began: ContinuousClock.Instant? = nil) {
        self.queued = queued
        self.began = began
    }
}

/// A generation in progress, as its caller holds it.
package final class GenerationTask: Sendable {
    private struct State {
        var isCancelled = false
        var isFinished = false
        /// True if the thoughts are to end, and the engine has not seen it yet.
        var endsReasoning = false
        var progress = GenerationProgress()
        var likelihoods: [TokenLikelihood] = []
        var times = GenerationTimes(queued: .now)
    }

    private let state = Locked(State())

    init() {}

    /// Stops it before the next token, or the next layer of a prompt.
    ///
    /// It still reports its end.
    package func cancel() { state.withLock { $0.isCancelled = true } }

    /// Ends the output's thoughts before the next token, where something watches them.
    package func endReasoning() { state.withLock { $0.endsReasoning = true } }

    /// Returns true if the thoughts are to end, once for each ``endReasoning()``.
    func takeEndOfReasoning() -> Bool {
        state.withLock { state in
            defer { state.endsReasoning = false }
            return state.endsReasoning
        }
    }

    /// True if it has reported its end.
    package var isFinished: Bool { state.withLock { $0.isFinished } }

    /// The tokens that it has computed and restored as of its last finished step; after its end, the figures of its
    /// result.
    package var progress: GenerationProgress { state.withLock { $0.progress } }

    /// The likelihoods of the tokens so far, where the request asks for them; of a token before its event.
    package var likelihoods: [TokenLikelihood] { state.withLock { $0.likelihoods } }

    /// The times at which it was handed over and began.
    package var times: GenerationTimes? { state.withLock { $0.times } }

    func append(_ likelihood: TokenLikelihood) { state.withLock { $0.likelihoods.append(likelihood) } }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func update(_ progress: GenerationProgress) { state.withLock { $0.progress = progress } }

    func markBegun() { state.withLock { $0.times.began = .now } }

    func markFinished() { state.withLock { $0.isFinished = true } }
}

import LeapBase

/// A generation in progress, as its caller holds it.
package final class GenerationTask: Sendable {
    private struct State {
        var isCancelled = false
        var isFinished = false
        var progress = GenerationProgress()
        var likelihoods: [TokenLikelihood] = []
    }

    private let state = Locked(State())

    init() {}

    /// Stops it before the next token, or the next layer of a prompt.
    ///
    /// It still reports its end.
    package func cancel() { state.withLock { $0.isCancelled = true } }

    /// Whether it has reported its end.
    package var isFinished: Bool { state.withLock { $0.isFinished } }

    /// What it has computed and restored as of its last finished step; after its end, the figures of its result.
    package var progress: GenerationProgress { state.withLock { $0.progress } }

    /// The likelihoods of the tokens so far, where the request asks for them; of a token before its event.
    package var likelihoods: [TokenLikelihood] { state.withLock { $0.likelihoods } }

    func append(_ likelihood: TokenLikelihood) { state.withLock { $0.likelihoods.append(likelihood) } }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func update(_ progress: GenerationProgress) { state.withLock { $0.progress = progress } }

    func markFinished() { state.withLock { $0.isFinished = true } }
}

import LeapGGUF

/// A generation in progress, as its caller holds it.
package final class GenerationTask: Sendable {
    private struct State {
        var isCancelled = false
        var isFinished = false
    }

    private let state = Locked(State())

    init() {}

    /// Stops it before the next token, or the next layer of a prompt.
    ///
    /// It still reports its end.
    package func cancel() { state.withLock { $0.isCancelled = true } }

    /// Whether it has reported its end.
    package var isFinished: Bool { state.withLock { $0.isFinished } }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func markFinished() { state.withLock { $0.isFinished = true } }
}

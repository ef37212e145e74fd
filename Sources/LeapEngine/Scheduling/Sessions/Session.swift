import LeapBase
import LeapModel

/// One sequence that an engine remembers between generations.
///
/// The state itself belongs to the engine's thread; this is its handle. Releasing it frees the memory.
package final class Session: Sendable {
    let id: UInt64
    private let mailbox: Mailbox
    private let count = Locked(0)

    init(id: UInt64, mailbox: Mailbox) {
        self.id = id
        self.mailbox = mailbox
    }

    deinit {
        let id = id
        _ = mailbox.post { $0.release(id) }
    }

    /// Tokens whose state is held, as of the last finished step.
    package var tokenCount: Int { count.withLock { $0 } }

    func update(tokenCount: Int) { count.withLock { $0 = tokenCount } }

    /// Continues a sequence of tokens.
    ///
    /// - Parameters:
    ///   - request: the tokens and how to go on; a second generation while one runs ends with ``EngineError/busy``.
    ///   - onEvent: called on the engine's thread and expected to return quickly; where the engine is unloaded already,
    ///     on the caller's. The last event is always `finished`.
    package func generate(
        _ request: GenerationRequest, onEvent: @escaping @Sendable (GenerationEvent) -> Void
    ) -> GenerationTask {
        let task = GenerationTask()
        if !mailbox.post({ $0.start(request, task: task, session: self, onEvent: onEvent) }) {
            task.markFinished()
            onEvent(.finished(GenerationResult(reason: .failed(EngineError.unloaded))))
        }
        return task
    }

    /// Continues a sequence of tokens, as ``generate(_:onEvent:)`` does.
    ///
    /// - Parameter onAccepted: called on the engine's thread when the request was checked: it runs, or waits for its
    ///   turn. Where it was refused, `onEvent` was called with that before; where the engine is unloaded, this is not
    ///   called.
    package func generate(
        _ request: GenerationRequest, onAccepted: @escaping @Sendable () -> Void,
        onEvent: @escaping @Sendable (GenerationEvent) -> Void
    ) -> GenerationTask {
        let task = generate(request, onEvent: onEvent)
        // Behind the request, as commands are done in order.
        _ = mailbox.post { _ in onAccepted() }
        return task
    }

    /// Continues a sequence of tokens; leaving the loop over the events, or cancelling its task, cancels the
    /// generation.
    package func events(_ request: GenerationRequest) -> AsyncStream<GenerationEvent> {
        AsyncStream { continuation in
            let task = generate(request) { event in
                continuation.yield(event)
                if case .finished = event { continuation.finish() }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Cuts the sequence to its first `count` tokens, or to a place before that where the model's layers need it: the
    /// start of a page for convolutions, a place where the state was kept for recurrent layers.
    ///
    /// - Returns: the tokens that remain.
    /// - Throws: ``EngineError`` with code `busy` or `unloaded`.
    package func truncate(to count: Int) async throws -> Int {
        try await run { core throws(EngineError) in try core.truncate(self, to: count) }
    }

    /// The state as it is now; nil where there is none.
    ///
    /// - Throws: ``EngineError`` with code `busy` or `unloaded`.
    package func snapshot() async throws -> SequenceSnapshot? {
        try await run { core throws(EngineError) in try core.snapshot(self) }
    }

    /// Takes up a state in place of what the session holds.
    ///
    /// - Throws: ``EngineError`` with code `busy`, `unloaded`, `contextExceeded` or `outOfMemory`.
    package func restore(_ snapshot: SequenceSnapshot) async throws {
        try await run { core throws(EngineError) in try core.restore(snapshot, in: self) }
    }

    /// Runs something on the engine's thread.
    private func run<R: Sendable>(
        _ body: @escaping @Sendable (EngineCore) throws(EngineError) -> R
    ) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            let posted = mailbox.post { core in
                do throws(EngineError) {
                    continuation.resume(returning: try body(core))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
            if !posted { continuation.resume(throwing: EngineError.unloaded) }
        }
    }
}

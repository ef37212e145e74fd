import LeapGGUF
import LeapTokenizer

/// A model that generates: owns the thread it computes on, and the memory of the texts it works on.
///
/// Every call returns at once, or suspends; none blocks. Sessions generate side by side, in shared passes over the weights.
/// Letting go of the last reference unloads it.
package final class Engine: Sendable {
    /// The most positions a session may have.
    package let contextSize: Int
    /// Threads that compute.
    package let threads: Int
    private let mailbox = Mailbox()
    private let loaded: Locked<Model?>
    private let nextSession = Locked<UInt64>(0)
    private let stopFlag = StopFlag()

    /// Starts an engine for a model.
    ///
    /// - Throws: ``EngineError`` with code `invalidOption` or `outOfMemory`.
    package init(model: Model, options: EngineOptions = EngineOptions()) throws {
        let options = try options.validated()
        contextSize = min(options.contextSize ?? model.contextLength, model.contextLength)
        threads = options.threads ?? ThreadAdvisor.recommended
        loaded = Locked(model)
        let box = CoreBox(try EngineCore(model: model, options: options, threads: threads, contextSize: contextSize))
        let (mailbox, stopFlag) = (mailbox, stopFlag)
        try EngineThread.start { Self.run(box, mailbox, stopFlag) }
    }

    deinit { stop {} }

    /// The model, until it is unloaded.
    ///
    /// Holding it elsewhere keeps its file mapped.
    package var model: Model? { loaded.withLock { $0 } }

    /// Whether ``unload()`` was called.
    package var isUnloaded: Bool { model == nil }

    /// A new, empty session; it takes no memory until something is computed in it.
    package func makeSession() -> Session {
        let id = nextSession.withLock { id in
            id += 1
            return id
        }
        return Session(id: id, mailbox: mailbox)
    }

    /// Continues a text.
    ///
    /// - Parameters:
    ///   - request: the text and how to go on.
    ///   - session: one of this engine; a second generation in it while one runs ends with ``EngineError/busy``.
    ///   - onEvent: called on the engine's thread and expected to return quickly; where the engine is unloaded already, on the
    ///     caller's. The last event is always `finished`.
    package func generate(
        _ request: GenerationRequest, in session: Session, onEvent: @escaping @Sendable (GenerationEvent) -> Void
    ) -> GenerationTask {
        let task = GenerationTask()
        func fail(_ error: EngineError) {
            task.markFinished()
            onEvent(.finished(GenerationResult(reason: .failed(error))))
        }
        guard session.mailbox === mailbox else {
            fail(EngineError(.invalidOption, "the session belongs to another engine", field: "session"))
            return task
        }
        let posted = !isUnloaded && mailbox.post { $0.start(request, task: task, session: session, onEvent: onEvent) }
        if !posted { fail(.unloaded) }
        return task
    }

    /// Continues a text; leaving the loop over the events, or cancelling its task, cancels the generation.
    package func events(_ request: GenerationRequest, in session: Session) -> AsyncStream<GenerationEvent> {
        AsyncStream { continuation in
            let task = generate(request, in: session) { event in
                continuation.yield(event)
                if case .finished = event { continuation.finish() }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Cuts a session's text to its first `count` tokens, or to the page start before that where the model's convolutions need it.
    ///
    /// - Returns: the tokens that remain.
    /// - Throws: ``EngineError`` with code `busy` or `unloaded`.
    package func truncate(_ session: Session, to count: Int) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            let posted = mailbox.post { core in
                do throws(EngineError) {
                    continuation.resume(returning: try core.truncate(session, to: count))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
            if !posted { continuation.resume(throwing: EngineError.unloaded) }
        }
    }

    /// Cancels what runs and frees the weights and all sessions' memory, and returns when that is done.
    ///
    /// Sessions that are still held fail with ``EngineError/unloaded`` from now on.
    package func unload() async {
        await withCheckedContinuation { continuation in
            stop { continuation.resume() }
        }
    }

    private func stop(_ done: @escaping @Sendable () -> Void) {
        loaded.withLock { $0 = nil }
        stopFlag.set()
        let posted = mailbox.post { core in
            core.unload()
            done()
        }
        if !posted { done() }
    }

    /// The thread: commands first, then a step, until it is unloaded.
    private static func run(_ box: CoreBox, _ mailbox: Mailbox, _ stopFlag: StopFlag) {
        let core = box.core
        while !core.isUnloaded {
            for command in mailbox.take(waiting: !core.hasWork) { command(core) }
            if core.hasWork { core.step { stopFlag.isSet } }
        }
        for command in mailbox.close() { command(core) }
    }
}

/// Carries the core to its thread.
private final class CoreBox: @unchecked Sendable {  // the creating thread lets go of it before the other one starts
    let core: EngineCore

    init(_ core: EngineCore) { self.core = core }
}

/// Set once, to make a running pass stop.
private final class StopFlag: Sendable {
    private let flag = Locked(false)

    var isSet: Bool { flag.withLock { $0 } }

    func set() { flag.withLock { $0 = true } }
}

import LeapBase
import LeapEngine
import LeapModel
import LeapTokenizer

@testable import LeapChat
@testable import LeapCore

/// A backend that says what it is told to, in the tokens of the demo model's vocabulary.
///
/// It keeps to the engine's promises: events come on another thread, one session generates once at a time, cancelling
/// takes effect before the next token, and what a session holds is not computed again.
final class ScriptedBackend: InferenceBackend {
    /// The script of one generation.
    struct Script: Sendable {
        /// The text it writes, marks of calls and reasoning included.
        var text = ""
        /// The end that follows.
        var ending = Ending.stop
        /// Waits for a signal before every token.
        var isStepped = false
        /// Waits for a signal before anything.
        var waitsForStart = false
    }

    enum Ending: Sendable {
        case stop, maxTokens, contextFull, constraintComplete, constraintFailed, failure, refused, endless
    }

    final class SessionState: InferenceSession {
        let tokens = Locked<[TokenID]>([])
        let isBusy = Locked(false)
        private let backend: ScriptedBackend

        init(_ backend: ScriptedBackend) { self.backend = backend }
        deinit { backend.releasedSessions.withLock { $0 += 1 } }

        func generate(
            _ planned: PlannedRequest, onEvent: @escaping @Sendable (GenerationEvent) -> Void
        ) -> Running {
            backend.generate(planned.request, in: self, onEvent: onEvent)
        }
    }

    final class Running: RunningGeneration {
        let isCancelled = Locked(false)
        let counted = Locked(GenerationProgress())
        let wake: AsyncStream<Void>.Continuation
        init(wake: AsyncStream<Void>.Continuation) { self.wake = wake }
        var progress: GenerationProgress { counted.withLock { $0 } }
        func cancel() {
            isCancelled.withLock { $0 = true }
            wake.yield()
        }
    }

    let contextSize: Int
    let tokenizer: Tokenizer
    let scripts: Locked<[Script]>
    let requests = Locked<[GenerationRequest]>([])
    let releasedSessions = Locked(0)
    /// Tokens that the receiver of the events is done with, of all generations.
    let handledTokens = Locked(0)
    private let unloaded = Locked(false)
    private let running = Locked<[Running]>([])

    init(_ scripts: [Script], tokenizer: Tokenizer, contextSize: Int = 4096) {
        self.scripts = Locked(scripts)
        self.tokenizer = tokenizer
        self.contextSize = contextSize
    }

    var isUnloaded: Bool { unloaded.withLock { $0 } }

    /// Only generations are counted.
    var statistics: EngineStatistics {
        var statistics = EngineStatistics()
        statistics.generations = requests.withLock { $0.count }
        return statistics
    }

    func makeSession() -> SessionState { SessionState(self) }

    func unload() async {
        unloaded.withLock { $0 = true }
        for running in running.withLock({ $0 }) { running.cancel() }
    }

    /// Lets stepped generations go one token further.
    func step() {
        for running in running.withLock({ $0 }) { running.wake.yield() }
    }

    private func generate(
        _ request: GenerationRequest, in session: SessionState,
        onEvent: @escaping @Sendable (GenerationEvent) -> Void
    ) -> Running {
        let (signals, wake) = AsyncStream<Void>.makeStream()
        let running = Running(wake: wake)
        let script = scripts.withLock { $0.isEmpty ? Script() : $0.removeFirst() }
        requests.withLock { $0.append(request) }
        self.running.withLock { $0.append(running) }
        let wasBusy = session.isBusy.withLock { busy in
            defer { busy = true }
            return busy
        }
        if wasBusy {
            onEvent(.finished(GenerationResult(reason: .failed(EngineError(.busy, "busy")))))
            return running
        }
        Task.detached { [self] in
            var signals = signals.makeAsyncIterator()
            if script.waitsForStart { _ = await signals.next() }
            let result = await run(script, request, session, running, onEvent) { _ = await signals.next() }
            session.isBusy.withLock { $0 = false }
            onEvent(.finished(result))
        }
        return running
    }

    private func run(
        _ script: Script, _ request: GenerationRequest, _ session: SessionState, _ running: Running,
        _ onEvent: @Sendable (GenerationEvent) -> Void, _ wait: () async -> Void
    ) async -> GenerationResult {
        if script.ending == .refused {
            return GenerationResult(reason: .failed(EngineError(.outOfMemory, "the system refused memory")))
        }
        var result = GenerationResult(reason: .stopToken)
        let held = session.tokens.withLock { $0 }
        let common = min(zip(held, request.prompt).prefix { $0 == $1 }.count, request.prompt.count - 1)
        result.cachedPromptTokens = common
        result.promptTokens = request.prompt.count - common
        result.tokensPerSecond = 100
        running.counted.withLock { $0 = result.progress }
        onEvent(.prefill(done: result.promptTokens, total: result.promptTokens))
        session.tokens.withLock { $0 = request.prompt }
        var tokens = tokenizer.encode(script.text, addSpecial: false, parseSpecial: true)
        if script.ending == .endless { tokens += [TokenID](repeating: tokens.last ?? 100, count: 100_000) }
        for token in tokens {
            if script.isStepped { await wait() }
            if running.isCancelled.withLock({ $0 }) {
                result.reason = .cancelled
                return result
            }
            session.tokens.withLock { $0.append(token) }
            result.completionTokens += 1
            running.counted.withLock { $0 = result.progress }
            onEvent(.token(token))
            handledTokens.withLock { $0 += 1 }
            if script.ending == .endless { await Task.yield() }
        }
        switch script.ending {
        case .stop, .endless: result.reason = .stopToken
        case .maxTokens: result.reason = .maxTokens
        case .contextFull: result.reason = .contextFull
        case .constraintComplete: result.reason = .constraintComplete
        case .constraintFailed: result.reason = .failed(EngineError(.constraintFailed, "no token is allowed"))
        case .failure, .refused: result.reason = .failed(EngineError(.outOfMemory, "the system refused memory"))
        }
        return result
    }
}

import LeapEngine
import LeapGGUF
import LeapTokenizer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Darwin
#endif

/// One generation of a conversation, from its start to its completion.
///
/// It ends once, whichever comes first: the engine, an error, a stop sequence, or ``stop()``. Whatever ends it, ends it at once: the reply
/// is in the history and the completion is sent before anything else can be.
final class Turn: GenerationHandler {
    let conversation: LiquidConversation
    let history: [ChatMessage]
    let functions: [LeapFunction]
    let settings: GenerationSettings
    private let sink: any ResponseSink
    private let state = Locked(State())

    private struct State {
        var isFinished = false
        /// Whether the engine's thread is passing something on at this moment.
        var isSending = false
        var running: (any RunningGeneration)?
        var reply: ReplyAssembler?
        var figures = TurnFigures()
        var limit: GenerationLimit?
    }

    init(
        conversation: LiquidConversation, history: [ChatMessage], functions: [LeapFunction],
        settings: GenerationSettings,
        sink: any ResponseSink
    ) {
        self.conversation = conversation
        self.history = history
        self.functions = functions
        self.settings = settings
        self.sink = sink
    }

    /// Does all of it; returns when the engine is done with the session, which may be after the turn has ended.
    func run() async {
        do {
            let runner = conversation.runner
            let kept = conversation.keptState()
            let plan = try TurnPlan(turn: self, kept: kept.tokens)
            guard let session = kept.session, begin(plan) else { return }
            await withCheckedContinuation { continuation in
                let running = runner.backend.generate(plan.request, in: session) { event in
                    self.handle(event)
                    if case .finished = event { continuation.resume() }
                }
                let isOver = state.withLock { state in
                    state.running = running
                    return state.isFinished
                }
                if isOver { running.cancel() }
            }
            state.withLock { $0.running = nil }
        } catch {
            fail(error)
        }
    }

    /// Stops the generation.
    ///
    /// A stream calls this from the handler of its task's cancellation and takes nothing more after that, so the completion is sent before
    /// this returns.
    func stop() {
        finish(.interrupted, ending: .cutOff, result: nil)
        waitForSending()
    }

    /// False if the turn was stopped before it began.
    private func begin(_ plan: TurnPlan) -> Bool {
        conversation.keep(tokens: plan.request.prompt)
        return state.withLock { state in
            state.reply = ReplyAssembler(plan: plan, functions: functions, firstCall: history.count)
            state.limit = plan.limit
            state.figures.start(prompt: plan.request.prompt.count)
            return !state.isFinished
        }
    }

    private func handle(_ event: GenerationEvent) {
        switch event {
        case .prefill(let done, let total):
            state.withLock { $0.figures.prefilled(done: done, total: total) }
        case .token(let token):
            var isStopped = false
            pass { state in
                guard !state.isFinished else { return [] }
                state.figures.generated()
                let responses = state.reply?.append(token) ?? []
                isStopped = state.reply?.isStopped == true
                return responses
            }
            if isStopped { finish(.stop, ending: .natural, result: nil) }
        case .finished(let result):
            keepTokens()
            switch result.reason {
            case .stopToken where result.wasHurried, .constraintComplete where result.wasHurried:
                // The text is whole, but not what the model would have written with more tokens.
                finish(.exceedContext, ending: .natural, result: result, limit: state.withLock { $0.limit })
            case .stopToken, .constraintComplete: finish(.stop, ending: .natural, result: result)
            case .maxTokens:
                let limit = settings.maxTokens.map { GenerationLimit.maxTokens(Int($0)) }
                finish(.exceedContext, ending: .cutOff, result: result, limit: limit)
            case .contextFull:
                let limit = GenerationLimit.contextSize(conversation.runner.backend.contextSize)
                finish(.exceedContext, ending: .cutOff, result: result, limit: limit)
            case .cancelled: finish(.interrupted, ending: .cutOff, result: result)
            case .failed(let error as EngineError) where error.code == .constraintFailed:
                finish(.constraint, ending: .cutOff, result: result)
            case .failed(let error): fail(error)
            }
        }
    }

    private func keepTokens() {
        let tokens = state.withLock { $0.reply?.tokens }
        if let tokens { conversation.keep(tokens: tokens) }
    }

    private func finish(
        _ reason: GenerationFinishReason, ending: ResponseParser.Ending, result: GenerationResult?,
        limit: GenerationLimit? = nil
    ) {
        var isFirst = false
        var running: (any RunningGeneration)?
        pass(afterOthers: result == nil) { state in
            guard !state.isFinished else { return [] }
            state.isFinished = true
            isFirst = true
            running = state.running
            // Before the prompt is made there is no reply yet.
            let responses = state.reply?.finish(ending) ?? []
            let reply = state.reply?.message ?? ChatMessage(role: .assistant, textContent: "")
            let isKept = reason != .interrupted || state.reply?.isEmpty == false
            conversation.finish(self, reply: isKept ? reply : nil)
            let completion = MessageCompletion(
                message: reply, finishReason: reason, stats: state.figures.stats(result), limit: limit,
                issues: state.reply?.issues ?? [], trimming: state.reply?.trimming)
            return responses + [.complete(completion)]
        }
        guard isFirst else { return }
        sink.finish()
        running?.cancel()
    }

    private func fail(_ error: any Error) {
        let isFirst = state.withLock { state in
            guard !state.isFinished else { return false }
            state.isFinished = true
            conversation.finish(self, reply: nil)
            return true
        }
        if isFirst { sink.fail(GenerationFailure.exception(for: error)) }
    }

    /// Passes on what `body` returns, in the order of the calls.
    ///
    /// - Parameter afterOthers: whether another thread may be passing something on. It is let through first, so that nothing comes after a
    ///   completion.
    private func pass(afterOthers: Bool = false, _ body: (inout State) -> [MessageResponse]) {
        var patience = afterOthers ? Self.patience : 0
        var responses: [MessageResponse]?
        while responses == nil {
            responses = state.withLock { state in
                if state.isSending, patience > 0 { return nil }
                let responses = body(&state)
                guard sink.sendsUnderLock else {
                    state.isSending = !responses.isEmpty
                    return responses
                }
                for response in responses { sink.send(response) }
                return []
            }
            if responses == nil { pause(&patience) }
        }
        guard let responses, !responses.isEmpty else { return }
        for response in responses { sink.send(response) }
        state.withLock { $0.isSending = false }
    }

    /// How many times 50 microseconds to wait for another thread that passes something on.
    ///
    /// That thread may itself wait for the task whose cancellation handler waits here. Then it has handed over its piece already, and only
    /// that task is not woken up yet, so nothing is lost by going on.
    private static let patience = 20

    private func waitForSending() {
        var patience = Self.patience
        while patience > 0, state.withLock({ $0.isSending }) { pause(&patience) }
    }

    private func pause(_ patience: inout Int) {
        patience -= 1
        usleep(50)
    }
}

/// Turns errors of the rooms below into those of the API.
enum GenerationFailure {
    static func exception(for error: any Error) -> LeapException {
        switch error {
        case let error as LeapException: error
        case let error as EngineError where error.code == .contextExceeded:
            LeapGenerationPromptExceedContextLengthException(
                neededTokens: error.needed ?? 0, availableTokens: error.available ?? 0, cause: error)
        case let error as EngineError: LeapGenerationException(message: error.message, cause: error)
        default: LeapGenerationException(message: "the generation failed: \(error)", cause: error)
        }
    }
}

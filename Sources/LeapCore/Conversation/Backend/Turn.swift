import Dispatch
import LeapBase
import LeapChat
import LeapEngine
import LeapModel
import LeapTokenizer

/// One generation of a conversation, from its start to its completion.
///
/// It ends once, whichever comes first: the engine, an error, a stop sequence, or ``stop()``. What ends it takes effect
/// at once: the reply is in the history and the completion is in the delivery's buffer before anything else can happen.
final class Turn: ConversationTurn {
    let conversation: SourcedConversation
    let source: BackendSource
    /// The prompt that the model goes on with; nil where the prompt is made from the history.
    let raw: RawPrompt?
    /// True if the reply goes on from where it was suspended.
    let isResumption: Bool
    let functions: [LeapFunction]
    let settings: GenerationSettings
    let delivery: ReplyDelivery
    /// Called with the tokens of the prompt when the backend has checked the request and taken it; nil for nobody.
    private let onAccepted: (@Sendable (_ promptTokens: Int) -> Void)?
    /// Told of the tokens of each piece; nil where nobody asks.
    private let pieceLogprobs: PieceLogprobs?
    /// Told when the phases of the reply begin and end; nil for nobody.
    private let timing: ReplyTiming?
    /// The metadata of this turn's lines in the log: some are written on the engine's thread, which knows of no task.
    private let logContext = LogContext.metadata
    private let state: Locked<State>

    fileprivate struct State {
        var history: [ChatMessage]
        var isFinished = false
        /// Gets the pictures that the history names by their addresses.
        var fetching: Task<[ChatMessage], any Error>?
        /// True if the engine has computed something.
        var hasStarted = false
        /// Waits for the plan.
        var planning: CheckedContinuation<TurnPlan?, any Error>?
        var running: (any RunningGeneration)?
        /// True if the thoughts are to end as soon as the generation runs.
        var endsThinking = false
        /// True if the engine is to interrupt the generation so that it can go on later.
        var isSuspended = false
        /// The point from which the reply goes on; nil where it begins.
        var resumption: OutputResumption?
        var reply: ReplyAssembler?
        /// Tokens that came before the handle of the generation, which knows their likelihoods; none where nobody asks
        /// for those.
        var early: [TokenID] = []
        var figures = TurnFigures()
        var limit: GenerationLimit?
        /// The completion that the turn ended with; nil before its end and after a failure.
        var completion: MessageCompletion?
    }

    init(_ start: TurnStart, conversation: SourcedConversation, source: BackendSource) {
        onAccepted = start.onAccepted
        pieceLogprobs = start.pieceLogprobs
        timing = start.timing
        self.conversation = conversation
        self.source = source
        raw = if case .raw(let prompt) = start.request { prompt } else { nil }
        isResumption = if case .resumption = start.request { true } else { false }
        state = Locked(State(history: start.history))
        functions = start.functions
        settings = start.settings
        delivery = start.delivery
    }

    /// The messages that the prompt is made from.
    var history: [ChatMessage] { state.withLock { $0.history } }

    /// Generates the whole reply; returns when the engine is done with the session, which may be after the turn has
    /// ended.
    func run() async {
        do {
            let kept = source.continuedState(resumesReply: isResumption)
            try await fetchImages()
            guard let plan = try await plan(kept: kept), let session = kept.session, begin(plan) else { return }
            // A model that was released for lack of memory is loaded again, and the state comes back from disk.
            let use = try await source.model.backend.use()
            defer { withExtendedLifetime(use) {} }
            await session.prepare()
            await withCheckedContinuation { continuation in
                let running = session.generate(
                    plan.planned, onAccepted: { self.accepted(plan.request.prompt.count) }
                ) { event in
                    self.handle(event)
                    if case .finished = event { continuation.resume() }
                }
                timing?.follow(running)
                let (isOver, isStopped, endsThinking) = state.withLock { state in
                    state.running = running
                    if !state.isFinished { takeEarly(&state) }
                    let isOver = state.isFinished || state.isSuspended
                    return (isOver, state.reply?.isStopped == true, state.endsThinking)
                }
                if endsThinking { running.endReasoning() }
                delivery.handOver()
                if isStopped { finish(.stop, ending: .natural, result: nil) }
                if isOver { running.cancel() }
            }
            timing?.release()
            state.withLock { $0.running = nil }
        } catch {
            fail(error)
        }
    }

    /// Tells that the backend has taken the request, unless it refused it.
    private func accepted(_ promptTokens: Int) {
        guard let onAccepted, !state.withLock({ $0.isFinished }) else { return }
        onAccepted(promptTokens)
    }

    /// Stops the generation; does nothing where it is over.
    func stop() {
        finish(.interrupted, ending: .cutOff, result: nil)
    }

    func suspend() {
        let (running, hasPlan) = state.withLock { state in
            state.isSuspended = true
            return (state.running, state.reply != nil)
        }
        // Before there is a prompt, there is nothing to go on from. With one, the engine reports the end when it has
        // reported the latest token.
        if hasPlan { running?.cancel() } else { stop() }
    }

    func endThinking() {
        let running = state.withLock { state in
            state.endsThinking = true
            return state.running
        }
        running?.endReasoning()
    }

    /// Ends planning early where the turn was stopped meanwhile.
    ///
    /// - Throws: `CancellationError`, which nothing reports, as the turn is over.
    func checkNotStopped() throws {
        if state.withLock({ $0.isFinished }) { throw CancellationError() }
    }

    /// Puts the bytes of pictures in place of their addresses, here and in the conversation: later turns have the same
    /// picture.
    private func fetchImages() async throws {
        let (runner, named) = (source.model, history)
        guard raw == nil, AddressedImages.areIn(named) else { return }
        try HistoryRules.validate(named, parts: runner.readableParts)
        let fetching = Task { try await runner.addressedImages.fetched(named) }
        let isOver = state.withLock { state in
            if !state.isFinished { state.fetching = fetching }
            return state.isFinished
        }
        if isOver { fetching.cancel() }
        let fetched = try await fetching.value
        conversation.replace(named, with: fetched)
        state.withLock { state in
            state.fetching = nil
            state.history = fetched
        }
    }

    /// The plan, made on a thread that may be busy for long; nil as soon as the turn is stopped.
    private func plan(kept: BackendSource.KeptState) async throws -> TurnPlan? {
        try await withCheckedThrowingContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isFinished { state.planning = continuation }
                return state.isFinished
            }
            guard !isOver else { return continuation.resume(returning: nil) }
            WorkQueue.prompts.async {
                let result = LogContext.$metadata.withValue(self.logContext) {
                    Result<TurnPlan?, any Error> {
                        try HistoryRules.validate(self.history, parts: self.source.model.readableParts)
                        return try TurnPlan(turn: self, kept: kept)
                    }
                }
                self.state.withLock { $0.takePlanning() }?.resume(with: result)
            }
        }
    }

    /// False if the turn was stopped before it began.
    private func begin(_ plan: TurnPlan) -> Bool {
        source.keep(tokens: plan.request.prompt, suspension: plan.request.resumption)
        source.keep(leftOut: plan.trimming?.removedMessages ?? [])
        let goesOn = state.withLock { state in
            var reply = ReplyAssembler(plan: plan, functions: functions, firstCall: state.history.count)
            // What was written before comes again, so that whoever reads sees the whole reply.
            let written = plan.written.flatMap { reply.append($0) }
            state.reply = reply
            state.limit = plan.limit
            state.resumption = plan.request.resumption
            if !state.isFinished { delivery.append(written.map { .response($0) }) }
            return !state.isFinished
        }
        delivery.handOver()
        return goesOn
    }

    /// The point from which the reply can go on; nil where it was not suspended, or has nothing to go on from.
    private func suspensionPoint(_ state: State, _ result: GenerationResult) -> OutputResumption? {
        guard !state.isFinished, let reply = state.reply else { return nil }
        // What could not go on can do so with other options.
        guard state.hasStarted || state.resumption == nil else { return state.resumption }
        guard state.isSuspended, case .cancelled = result.reason else { return nil }
        // A generation that was cancelled while it waited took no numbers.
        let suspension = OutputResumption(
            tokenCount: reply.writtenCount, drawCount: max(result.drawCount, state.resumption?.drawCount ?? 0))
        return suspension.isPossible(in: reply.tokens) ? suspension : nil
    }

    private func handle(_ event: GenerationEvent) {
        switch event {
        case .prefill: state.withLock { $0.hasStarted = true }
        case .token(let token):
            let isStopped = state.withLock { state in
                guard !state.isFinished else { return false }
                state.hasStarted = true
                guard pieceLogprobs == nil || state.running != nil else {
                    state.early.append(token)
                    return false
                }
                take(token, &state)
                // Without its handle the exact figures are not known; ``run()`` ends the turn when it has it.
                return state.reply?.isStopped == true && state.running != nil
            }
            delivery.handOver()
            if isStopped { finish(.stop, ending: .natural, result: nil) }
        case .speech(let piece):
            state.withLock { state in
                guard !state.isFinished else { return }
                takeEarly(&state)
                if piece.frame != nil { generated(&state) }
                let responses = state.reply?.append(piece) ?? []
                tell(responses, state)
                delivery.append(responses.map { .response($0) })
            }
            delivery.handOver()
        case .finished(let result):
            let (tokens, suspension) = state.withLock { state in
                if !state.isFinished { takeEarly(&state, result) }
                return (state.reply?.tokens, suspensionPoint(state, result))
            }
            if let tokens { source.keep(tokens: tokens, suspension: suspension) }
            finish(with: result)
        }
    }

    /// Takes a token, and delivers what can be shown by now.
    ///
    /// - Parameter ended: what the generation has ended with; nil while it runs.
    private func take(_ token: TokenID, _ state: inout State, _ ended: GenerationResult? = nil) {
        generated(&state)
        let responses = state.reply?.append(token) ?? []
        tell(responses, state, ended)
        delivery.append(responses.map { .response($0) })
    }

    private func generated(_ state: inout State) {
        state.figures.generated()
        timing?.generated()
    }

    /// Takes the tokens that came before the handle of the generation.
    private func takeEarly(_ state: inout State, _ ended: GenerationResult? = nil) {
        let tokens = state.early
        state.early = []
        for token in tokens { take(token, &state, ended) }
    }

    /// Tells which tokens come with pieces that are delivered next.
    private func tell(_ responses: [MessagePiece], _ state: State, _ ended: GenerationResult? = nil) {
        guard let pieceLogprobs, !responses.isEmpty else { return }
        let likelihoods = ended?.likelihoods ?? state.running?.likelihoods ?? []
        let tokens = state.reply?.logprobs(likelihoods, from: pieceLogprobs.toldCount) ?? []
        pieceLogprobs.note(tokens, with: responses.count)
    }

    private func finish(with result: GenerationResult) {
        switch result.reason {
        case .stopToken where result.wasBudgetLimited, .constraintComplete where result.wasBudgetLimited:
            // The output is complete, but not what the model would have written with more tokens.
            finish(.exceedContext, ending: .natural, result: result, limit: state.withLock { $0.limit })
        case .stopToken, .constraintComplete: finish(.stop, ending: .natural, result: result)
        case .maxTokens:
            let limit = settings.maxTokens.map { GenerationLimit.maxTokens(Int($0)) }
            finish(.exceedContext, ending: .cutOff, result: result, limit: limit)
        case .contextFull:
            let limit = GenerationLimit.contextSize(source.model.backend.contextSize)
            finish(.exceedContext, ending: .cutOff, result: result, limit: limit)
        case .cancelled: finish(.interrupted, ending: .cutOff, result: result)
        case .failed(let error as EngineError) where error.code == .constraintFailed:
            finish(.constraint, ending: .cutOff, result: result)
        case .failed(let error): fail(error)
        }
    }

    private func finish(
        _ reason: GenerationFinishReason, ending: ResponseParser.Ending, result: GenerationResult?,
        limit: GenerationLimit? = nil
    ) {
        let ended = state.withLock { state -> State? in
            guard !state.isFinished else { return nil }
            takeEarly(&state, result)
            state.isFinished = true
            // Before the prompt is made there is no reply yet.
            let responses = state.reply?.finish(ending) ?? []
            let reply = state.reply?.message ?? ChatMessage(role: .assistant, textContent: "")
            let isKept = reason != .interrupted || settings.keepsInterruptedReply && state.reply?.isEmpty == false
            conversation.finish(self, .reply(isKept ? reply : nil, isInterrupted: reason == .interrupted))
            let likelihoods = result?.likelihoods ?? state.running?.likelihoods ?? []
            var completion = MessageCompletion(
                message: reply, finishReason: reason,
                stats: state.figures.stats(
                    result, progress: state.running?.progress, hasCache: source.model.hasCache), limit: limit,
                issues: state.reply?.issues ?? [], trimming: state.reply?.trimming,
                logprobs: state.reply?.logprobs(likelihoods), stopSequence: state.reply?.stopSequence)
            completion.endLogprob = state.reply?.endLogprob(likelihoods, stop: result?.stopToken)
            if let pieceLogprobs {
                let tokens = completion.logprobs?.dropFirst(pieceLogprobs.toldCount) ?? []
                pieceLogprobs.note(Array(tokens), with: responses.count + 1)
            }
            delivery.append(responses.map { .response($0) } + [.response(.complete(completion)), .end])
            return state.afterEnd(completion)
        }
        if let ended {
            release(ended)
            guard let completion = ended.completion else { return }
            LogContext.$metadata.withValue(logContext) { TurnLog.note(completion, model: source.model.modelId) }
        }
    }

    private func fail(_ error: any Error) {
        let ended = state.withLock { state -> State? in
            guard !state.isFinished else { return nil }
            state.isFinished = true
            conversation.finish(self, state.hasStarted ? .reply(nil, isInterrupted: false) : .notStarted)
            delivery.append([.failure(GenerationFailure.exception(for: error))])
            return state.afterEnd()
        }
        if let ended {
            release(ended)
            LogContext.$metadata.withValue(logContext) {
                LeapLog.logger.debug("\(source.model.modelId): a generation failed: \(error)")
            }
        }
    }

    /// Hands over the end and releases what the turn held; called without the lock.
    private func release(_ ended: State) {
        delivery.handOver()
        ended.fetching?.cancel()
        ended.planning?.resume(returning: nil)
        ended.running?.cancel()
    }
}

extension Turn.State {
    /// The continuation that waits for the plan, which whoever takes it resumes.
    fileprivate mutating func takePlanning() -> CheckedContinuation<TurnPlan?, any Error>? {
        defer { planning = nil }
        return planning
    }

    /// Takes the parts of the state that have to be released once the turn has ended.
    fileprivate mutating func afterEnd(_ completion: MessageCompletion? = nil) -> Self {
        var ended = Self(history: [])
        ended.fetching = fetching
        ended.completion = completion
        ended.planning = takePlanning()
        ended.running = running
        return ended
    }
}

import LeapBase
import LeapTokenizer

/// A conversation with a model in this process.
final class LiquidConversation: Conversation {
    let runner: LiquidInferenceEngineRunner
    private let state: Locked<State>

    private struct State {
        var history: [ChatMessage]
        /// What the last interrupted reply left.
        var interruption = Interruption.none
        /// nil until a function is registered.
        var registered: [LeapFunction]?
        /// The generation that runs.
        var turn: Turn?
        /// What starting it changed in the history.
        var change = HistoryChange.none
        /// What the last generation does, until the engine is done with it.
        var work: Task<Void, Never>?
        var kept = KeptState()
    }

    /// What an interrupted reply left in the history, which ``removeLastMessage()`` cleans up.
    enum Interruption: Sendable, Equatable {
        case none
        /// What there is of the reply, at this place.
        case reply(at: Int)
        /// Nothing, as it had no token yet; nothing was added since.
        case nothing
    }

    /// What is kept between turns.
    struct KeptState: Sendable {
        /// The engine's state; nil before the first turn.
        var session: (any InferenceSession)?
        /// The tokens it was computed with.
        var tokens: [TokenID] = []
        /// The messages that the last prompt was made without, as the context was full.
        var leftOut: [ChatMessage] = []
    }

    init(runner: LiquidInferenceEngineRunner, history: [ChatMessage]) {
        self.runner = runner
        state = Locked(State(history: history))
    }

    /// A conversation that was saved.
    init(runner: LiquidInferenceEngineRunner, saved: SavedHistory, kept: KeptState) {
        self.runner = runner
        var state = State(history: saved.messages)
        state.registered = saved.registered
        state.interruption = saved.interruption
        state.kept = kept
        self.state = Locked(state)
    }

    /// What the last generation does, until the engine is done with it; nil where it ended.
    func work() -> Task<Void, Never>? {
        state.withLock { $0.turn == nil ? $0.work : nil }
    }

    /// What is to be saved.
    ///
    /// - Throws: ``LeapGenerationException`` while a reply is generated.
    func saved() throws -> (SavedHistory, KeptState) {
        try state.withLock { state in
            guard state.turn == nil else { throw GenerationFailure.busy }
            var saved = SavedHistory()
            saved.messages = state.history
            saved.registered = state.registered
            saved.leftOut = state.kept.leftOut
            saved.interruption = state.interruption
            return (saved, state.kept)
        }
    }

    var modelRunner: any ModelRunner { runner }

    var history: [ChatMessage] { state.withLock { $0.history } }

    var functions: [LeapFunction] { state.withLock { Self.functions(of: $0) } }

    var isGenerating: Bool { state.withLock { $0.turn != nil } }

    /// What is registered, else what the model that wrote the history was told about.
    private static func functions(of state: State) -> [LeapFunction] {
        state.registered ?? state.history.last { $0.origin != nil }?.origin?.functions ?? []
    }

    func registerFunction(_ function: LeapFunction) {
        state.withLock { $0.registered = ($0.registered ?? []) + [function] }
    }

    func registerFunctions(_ functions: [LeapFunction]) {
        state.withLock { $0.registered = ($0.registered ?? []) + functions }
    }

    func appendToHistory(message: ChatMessage) {
        guard isWritable("appended to") else { return }
        do {
            try state.withLock { state in
                try HistoryRules.validate(
                    message, after: state.history.last?.role, index: state.history.count, parts: runner.readableParts)
                state.history.append(message)
                if case .nothing = state.interruption { state.interruption = .none }
            }
        } catch {
            LeapLog.logger.error("a message is not added to the history: \(error.localizedDescription)")
        }
    }

    func removeLastMessage() {
        guard isWritable("shortened") else { return }
        state.withLock { state in
            guard let last = state.history.indices.last else { return }
            let interruption = state.interruption
            state.interruption = .none
            switch interruption {
            case .nothing: break
            case .reply(let place) where place == last: state.history.removeLast()
            case .reply, .none:
                state.history.removeLast()
                return
            }
            // The user's message that an interrupted reply leaves behind would be left without an answer.
            if state.history.last?.role == .user { state.history.removeLast() }
        }
    }

    /// After unloading, conversations are read-only.
    private func isWritable(_ action: String) -> Bool {
        if runner.isUnloaded {
            LeapLog.logger.warning("the history is not \(action): the model \(runner.modelId) was unloaded")
            return false
        }
        return true
    }

    func generateResponse(
        message: ChatMessage, generationOptions: GenerationOptions?
    ) -> AsyncThrowingStream<MessageResponse, any Error> {
        stream(.message(message), options: generationOptions)
    }

    func regenerateResponse(
        generationOptions: GenerationOptions?
    ) -> AsyncThrowingStream<MessageResponse, any Error> {
        stream(.regeneration, options: generationOptions)
    }

    @discardableResult
    func generateResponse(
        message: ChatMessage, generationOptions: GenerationOptions?, onResponse: @escaping (MessageResponse) -> Void
    ) -> (any GenerationHandler)? {
        start(
            .message(message), options: generationOptions, sink: CallbackSink(onResponse: onResponse, onError: nil))
    }

    /// Begins a generation whose replies come as a stream.
    func stream(
        _ request: TurnRequest, options: GenerationOptions?
    ) -> AsyncThrowingStream<MessageResponse, any Error> {
        let (stream, continuation) = AsyncThrowingStream<MessageResponse, any Error>.makeStream()
        if let turn = start(request, options: options, sink: StreamSink(continuation: continuation)) {
            // Weak, as the turn holds the continuation. Set after the start: a turn that is over by now does not need it.
            continuation.onTermination = { [weak turn] termination in
                if case .cancelled = termination { turn?.stopForEndedStream() }
            }
        }
        return stream
    }

    /// Begins a generation; nil where it cannot begin, which `sink` is told then.
    func start(_ request: TurnRequest, options: GenerationOptions?, sink: some ResponseSink) -> Turn? {
        let settings = (options ?? GenerationOptions()).snapshot
        do {
            _ = try runner.promptSource()
        } catch {
            sink.take(.failure(GenerationFailure.exception(for: error)))
            return nil
        }
        let turn: Turn? = state.withLock { state in
            guard state.turn == nil else { return nil }
            state.change = HistoryChange(request, to: &state.history)
            switch (state.change, state.interruption) {
            case (.none, .reply), (.none, .none): break
            default: state.interruption = .none
            }
            let turn = Turn(
                conversation: self, request: request, history: state.history, functions: Self.functions(of: state),
                settings: settings,
                delivery: ReplyDelivery(to: sink))
            state.turn = turn
            let previous = state.work
            state.work = Task {
                // The engine may still be busy with a turn that was stopped.
                await previous?.value
                await turn.run()
            }
            return turn
        }
        if turn == nil {
            switch settings.whileGenerating {
            case .ignore: sink.takeBusy()
            case .fail: sink.take(.failure(GenerationFailure.busy))
            }
        }
        return turn
    }

    /// The state from before, for the turn that goes on with it.
    func keptState() -> KeptState {
        state.withLock { state in
            if state.kept.session == nil { state.kept.session = runner.backend.makeSession() }
            return state.kept
        }
    }

    /// Notes what the engine's state was computed with.
    func keep(tokens: [TokenID]) {
        state.withLock { $0.kept.tokens = tokens }
    }

    /// Notes which messages the prompt was made without.
    func keep(leftOut messages: [ChatMessage]) {
        state.withLock { $0.kept.leftOut = messages }
    }

    /// How a turn leaves the history.
    enum TurnOutcome {
        /// With a reply, or without one, as it ended in an error or was interrupted before its first token.
        case reply(ChatMessage?, isInterrupted: Bool)
        /// As it was before the turn.
        case notStarted
    }

    /// Ends a turn, and lets the next one begin.
    func finish(_ turn: Turn, _ outcome: TurnOutcome) {
        state.withLock { state in
            guard state.turn === turn else { return }
            state.turn = nil
            switch outcome {
            case .reply(let reply?, let isInterrupted):
                state.history.append(reply)
                state.interruption = isInterrupted ? .reply(at: state.history.count - 1) : .none
            case .reply(nil, let isInterrupted):
                if isInterrupted { state.interruption = .nothing }
            case .notStarted: state.change.undo(in: &state.history)
            }
            state.change = .none
        }
    }
}

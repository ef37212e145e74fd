import LeapBase
import LeapTokenizer

/// A conversation with a model in this process.
final class LiquidConversation: Conversation {
    let runner: LiquidInferenceEngineRunner
    private let state: Locked<State>

    private struct State {
        var record: ConversationRecord
        /// The generation that runs.
        var turn: Turn?
        /// What the last generation does, until the engine is done with it.
        var work: Task<Void, Never>?
        var kept = KeptState()
    }

    typealias Interruption = ConversationRecord.Interruption

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
        state = Locked(State(record: ConversationRecord(history: history)))
    }

    /// A conversation that was saved.
    init(runner: LiquidInferenceEngineRunner, saved: SavedHistory, kept: KeptState) {
        self.runner = runner
        var state = State(record: ConversationRecord(history: saved.messages))
        state.record.registered = saved.registered
        state.record.interruption = saved.interruption
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
            saved.messages = state.record.history
            saved.registered = state.record.registered
            saved.leftOut = state.kept.leftOut
            saved.interruption = state.record.interruption
            return (saved, state.kept)
        }
    }

    var modelRunner: any ModelRunner { runner }

    var history: [ChatMessage] { state.withLock { $0.record.history } }

    var functions: [LeapFunction] { state.withLock { $0.record.functions } }

    var isGenerating: Bool { state.withLock { $0.turn != nil } }

    func registerFunction(_ function: LeapFunction) {
        state.withLock { $0.record.register([function]) }
    }

    func registerFunctions(_ functions: [LeapFunction]) {
        state.withLock { $0.record.register(functions) }
    }

    /// Puts messages in the place of others, where these have not changed meanwhile.
    func replace(_ old: [ChatMessage], with new: [ChatMessage]) {
        state.withLock { state in
            for (index, pair) in zip(old, new).enumerated() { state.record.replace(pair.0, at: index, with: pair.1) }
        }
    }

    func appendToHistory(message: ChatMessage) {
        guard isWritable("appended to") else { return }
        do {
            try state.withLock { state in
                try HistoryRules.validate(
                    message, after: state.record.history.last?.role, index: state.record.history.count,
                    parts: runner.readableParts)
                state.record.append(message)
            }
        } catch {
            LeapLog.logger.error("a message is not added to the history: \(error.localizedDescription)")
        }
    }

    func removeLastMessage() {
        guard isWritable("shortened") else { return }
        state.withLock { $0.record.removeLast() }
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
    ) -> MessageResponseStream {
        stream(.message(message), options: generationOptions)
    }

    func regenerateResponse(
        generationOptions: GenerationOptions?
    ) -> MessageResponseStream {
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
    ) -> MessageResponseStream {
        StreamSink.stream { start(request, options: options, sink: $0) }
    }

    /// The same as a stream that throws, with and without the trait `LEAPErrorsInBand`.
    func throwingStream(
        _ request: TurnRequest, options: GenerationOptions?, onAccepted: (@Sendable () -> Void)? = nil
    ) -> AsyncThrowingStream<MessageResponse, any Error> {
        StreamSink.throwingStream { start(request, options: options, sink: $0, onAccepted: onAccepted) }
    }

    /// Begins a generation; nil where it cannot begin, which `sink` is told then.
    ///
    /// - Parameter onAccepted: called when the backend has checked the request and taken it.
    func start(
        _ request: TurnRequest, options: GenerationOptions?, sink: some ResponseSink,
        onAccepted: (@Sendable () -> Void)? = nil
    ) -> Turn? {
        let settings = (options ?? GenerationOptions()).snapshot
        do {
            _ = try runner.promptSource()
        } catch {
            sink.take(.failure(GenerationFailure.exception(for: error)))
            return nil
        }
        let turn: Turn? = state.withLock { state in
            guard state.turn == nil else { return nil }
            state.record.begin(request)
            let turn = Turn(
                conversation: self, request: request, history: state.record.history,
                functions: state.record.functions,
                settings: settings,
                delivery: ReplyDelivery(to: sink), onAccepted: onAccepted)
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

    /// Ends a turn, and lets the next one begin.
    func finish(_ turn: Turn, _ outcome: ConversationRecord.Outcome) {
        state.withLock { state in
            guard state.turn === turn else { return }
            state.turn = nil
            state.record.finish(outcome)
        }
    }
}

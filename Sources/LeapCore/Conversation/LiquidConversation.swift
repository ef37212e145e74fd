import LeapGGUF
import LeapTokenizer

/// A conversation with a model in this process.
final class LiquidConversation: Conversation {
    let runner: LiquidInferenceEngineRunner
    private let state: Locked<State>

    private struct State {
        var history: [ChatMessage]
        /// nil until a function is registered.
        var registered: [LeapFunction]?
        /// The generation that runs.
        var turn: Turn?
        /// What the last generation does, until the engine is done with it.
        var work: Task<Void, Never>?
        var kept = KeptState()
    }

    /// What is kept between turns.
    struct KeptState: Sendable {
        /// The engine's state; nil before the first turn.
        var session: (any InferenceSession)?
        /// The tokens it was computed with.
        var tokens: [TokenID] = []
    }

    init(runner: LiquidInferenceEngineRunner, history: [ChatMessage]) {
        self.runner = runner
        state = Locked(State(history: history))
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
        state.withLock { $0.history.append(message) }
    }

    func removeLastMessage() {
        guard isWritable("shortened") else { return }
        state.withLock { if !$0.history.isEmpty { $0.history.removeLast() } }
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
        let (stream, continuation) = AsyncThrowingStream<MessageResponse, any Error>.makeStream()
        guard
            let turn = start(message: message, options: generationOptions, sink: StreamSink(continuation: continuation))
        else {
            continuation.finish()
            return stream
        }
        // Weak, as the turn holds the continuation. Set after the start: a turn that is over by now does not need it.
        continuation.onTermination = { [weak turn] termination in
            if case .cancelled = termination { turn?.stop() }
        }
        return stream
    }

    @discardableResult
    func generateResponse(
        message: ChatMessage, generationOptions: GenerationOptions?, onResponse: @escaping (MessageResponse) -> Void
    ) -> (any GenerationHandler)? {
        start(message: message, options: generationOptions, sink: CallbackSink(onResponse: onResponse, onError: nil))
    }

    /// Begins a generation, with a message if there is one; nil, and an empty completion for callbacks, while another runs.
    func start(message: ChatMessage?, options: GenerationOptions?, sink: some ResponseSink) -> Turn? {
        let settings = (options ?? GenerationOptions()).snapshot
        do {
            _ = try runner.promptSource()
        } catch {
            sink.fail(error as? LeapException ?? LeapGenerationException(message: "\(error)", cause: error))
            return nil
        }
        let turn: Turn? = state.withLock { state in
            guard state.turn == nil else { return nil }
            if let message, !HistoryRules.isContinuation(message, after: state.history) {
                state.history.append(message)
            }
            let turn = Turn(
                conversation: self, history: state.history, functions: Self.functions(of: state), settings: settings,
                sink: sink)
            state.turn = turn
            let previous = state.work
            state.work = Task {
                // The engine may still be busy with a turn that was stopped.
                await previous?.value
                await turn.run()
            }
            return turn
        }
        if turn == nil, sink is CallbackSink {
            let message = ChatMessage(role: .assistant, textContent: "")
            sink.send(.complete(MessageCompletion(message: message, finishReason: .stop)))
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

    /// Ends a turn: adds its reply, if it has one, and lets the next one begin.
    func finish(_ turn: Turn, reply: ChatMessage?) {
        state.withLock { state in
            guard state.turn === turn else { return }
            state.turn = nil
            if let reply { state.history.append(reply) }
        }
    }
}

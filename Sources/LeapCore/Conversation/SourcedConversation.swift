package import Foundation
import LeapBase
package import LeapChat

/// A conversation: its history, its functions and the turn that runs, whatever generates the replies.
package final class SourcedConversation: Conversation {
    let source: any ConversationSource
    private let state: Locked<State>

    private struct State {
        var record: ConversationRecord
        /// The generation that runs.
        var turn: (any ConversationTurn)?
        /// The task of the last generation, until the source is done with it.
        var work: Task<Void, Never>?
    }

    init(source: any ConversationSource, record: ConversationRecord) {
        self.source = source
        state = Locked(State(record: record))
    }

    convenience init(source: any ConversationSource, history: [ChatMessage]) {
        self.init(source: source, record: ConversationRecord(history: history))
    }

    /// A conversation that begins with instructions, if there are any.
    convenience init(source: any ConversationSource, systemPrompt: String?) {
        let system = systemPrompt.flatMap { $0.isEmpty ? nil : ChatMessage(role: .system, textContent: $0) }
        self.init(source: source, history: system.map { [$0] } ?? [])
    }

    package var modelRunner: any ModelRunner { source.runner }
    package var history: [ChatMessage] { state.withLock { $0.record.history } }
    package var functions: [LeapFunction] { state.withLock { $0.record.functions } }
    package var isGenerating: Bool { state.withLock { $0.turn != nil } }

    // MARK: History

    package func registerFunction(_ function: LeapFunction) { registerFunctions([function]) }
    package func registerFunctions(_ functions: [LeapFunction]) { state.withLock { $0.record.register(functions) } }

    package func appendToHistory(message: ChatMessage) {
        guard isWritable("appended to") else { return }
        state.withLock { $0.record.append(message) }
    }

    package func removeLastMessage() {
        guard isWritable("shortened") else { return }
        state.withLock { $0.record.removeLast() }
    }

    private func isWritable(_ action: String) -> Bool {
        do {
            try source.check()
            return true
        } catch {
            LeapLog.logger.warning("the history is not \(action): \(error.localizedDescription)")
            return false
        }
    }

    /// Puts messages in the place of others, where these have not changed meanwhile.
    func replace(_ old: [ChatMessage], with new: [ChatMessage]) {
        state.withLock { state in
            for (index, pair) in zip(old, new).enumerated() { state.record.replace(pair.0, at: index, with: pair.1) }
        }
    }

    /// Returns the task of the last generation, whose turn is over, until the source is done with it; nil while a turn
    /// runs.
    func work() -> Task<Void, Never>? {
        state.withLock { $0.turn == nil ? $0.work : nil }
    }

    /// Waits until no generation runs and the source is done with the last one.
    package func whenIdle() async { await state.withLock { $0.work }?.value }

    /// Reads the messages and functions while no reply is generated.
    ///
    /// - Throws: ``LeapGenerationException`` while one is.
    func withRecord<Value>(_ body: (ConversationRecord) -> Value) throws -> Value {
        try state.withLock { state in
            guard state.turn == nil else { throw GenerationFailure.busy }
            return body(state.record)
        }
    }

    /// Writes the conversation to a file; see ``Conversation/save(to:)``.
    @discardableResult
    package func save(to url: URL) async throws -> Int {
        guard let source = source as? BackendSource else {
            throw LeapSerializationException("conversations of the type \(type(of: modelRunner)) cannot be saved")
        }
        return try await source.save(self, to: url)
    }

    // MARK: Generations

    package func generateResponse(
        message: ChatMessage, generationOptions: GenerationOptions?
    ) -> MessageResponseStream {
        stream(.message(message), options: generationOptions)
    }

    package func regenerateResponse(
        generationOptions: GenerationOptions?
    ) -> MessageResponseStream {
        stream(.regeneration, options: generationOptions)
    }

    @discardableResult
    package func generateResponse(
        message: ChatMessage, generationOptions: GenerationOptions?,
        onResponse: @escaping (MessageResponseStream.Element) -> Void
    ) -> (any GenerationHandler)? {
        start(.message(message), options: generationOptions, sink: CallbackSink(onResponse: onResponse, onError: nil))
    }

    package func suspendResponse() async {
        suspend()
        await whenIdle()
    }

    /// Interrupts the reply so that it can go on; returns at once.
    func suspend() { state.withLock { $0.turn }?.suspend() }

    package func resumeResponse(generationOptions: GenerationOptions?) -> MessageResponseStream {
        stream(.resumption, options: generationOptions)
    }

    package func endThinking() { state.withLock { $0.turn }?.endThinking() }

    /// Generates the reply to the history as it is, with callbacks; for runners.
    ///
    /// - Parameter runner: the one that was asked, which has to be the conversation's.
    package static func generate(
        _ conversation: any Conversation, by runner: any ModelRunner, options: GenerationOptions?,
        onResponse: @escaping (MessageResponseStream.Element) -> Void, onError: ((LeapException) -> Void)?
    ) -> any GenerationHandler {
        let sink = CallbackSink(onResponse: onResponse, onError: onError)
        guard let conversation = conversation as? SourcedConversation, conversation.modelRunner === runner else {
            sink.take(
                .failure(
                    LeapGenerationException(
                        "the conversation belongs to another runner: use the runner that created it")))
            return FinishedGeneration()
        }
        return conversation.start(.history, options: options, sink: sink) ?? FinishedGeneration()
    }

    /// Begins a generation whose replies come as a stream.
    func stream(_ request: TurnRequest, options: GenerationOptions?) -> MessageResponseStream {
        StreamSink.stream { start(request, options: options, sink: $0) }
    }

    /// A generation that begins when the consumer of its reply is there.
    func directReply(
        _ request: TurnRequest, options: GenerationOptions?, pieceLogprobs: PieceLogprobs? = nil,
        timing: ReplyTiming? = nil, control: ReplyControl? = nil,
        onAccepted: (@Sendable (_ promptTokens: Int) -> Void)? = nil
    ) -> DirectReply {
        DirectReply { sink in
            let turn = self.start(
                request, options: options, sink: sink, pieceLogprobs: pieceLogprobs, timing: timing,
                onAccepted: onAccepted)
            control?.follow { [weak turn] in turn?.endThinking() }
            return { turn?.stop() }
        }
    }

    /// Begins a generation; nil where it cannot begin, which `sink` is told then.
    ///
    /// - Parameters:
    ///   - pieceLogprobs: told of the tokens of each piece, where the options ask for log probabilities.
    ///   - timing: told when the phases of the reply begin and end.
    ///   - onAccepted: called with the tokens of the prompt when the backend has checked the request and taken it.
    func start(
        _ request: TurnRequest, options: GenerationOptions?, sink: some ResponseSink,
        pieceLogprobs: PieceLogprobs? = nil, timing: ReplyTiming? = nil,
        onAccepted: (@Sendable (_ promptTokens: Int) -> Void)? = nil
    ) -> (any ConversationTurn)? {
        let settings = (options ?? GenerationOptions()).snapshot
        do {
            try source.check()
        } catch {
            sink.take(.failure(GenerationFailure.exception(for: error)))
            return nil
        }
        var canResume = true
        let turn: (any ConversationTurn)? = state.withLock { state in
            guard state.turn == nil else { return nil }
            if case .resumption = request { canResume = state.record.canResume }
            guard canResume else { return nil }
            state.record.begin(request)
            let start = TurnStart(
                request: request, history: state.record.history, functions: state.record.functions,
                settings: settings, delivery: ReplyDelivery(to: sink), pieceLogprobs: pieceLogprobs,
                onAccepted: onAccepted, timing: timing)
            let turn = source.makeTurn(start, of: self)
            state.turn = turn
            let previous = state.work
            state.work = Task {
                // The source may still be busy with a turn that was stopped.
                await previous?.value
                await turn.run()
            }
            return turn
        }
        guard canResume else {
            sink.take(.failure(GenerationFailure.nothingToResume))
            return nil
        }
        if turn == nil {
            switch settings.whileGenerating {
            case .ignore: sink.takeBusy()
            case .fail: sink.take(.failure(GenerationFailure.busy))
            }
        }
        return turn
    }

    /// Ends a turn, and lets the next one begin.
    func finish(_ turn: any ConversationTurn, _ outcome: ConversationRecord.Outcome) {
        state.withLock { state in
            guard state.turn === turn else { return }
            state.turn = nil
            state.record.finish(outcome)
        }
    }
}

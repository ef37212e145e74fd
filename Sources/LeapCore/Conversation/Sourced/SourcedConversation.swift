import LeapBase

/// A conversation whose replies come from a ``ReplySource``, with the history, streams and callbacks of every other one.
package final class SourcedConversation: Conversation {
    package let source: any ReplySource
    private let state: Locked<State>

    private struct State {
        var record: ConversationRecord
        var turn: SourcedTurn?
        /// What the last generation does, until its source is done with it.
        var work: Task<Void, Never>?
    }

    package init(source: any ReplySource, history: [ChatMessage]) {
        self.source = source
        state = Locked(State(record: ConversationRecord(history: history)))
    }

    /// A conversation that begins with instructions, if there are any.
    package convenience init(source: any ReplySource, systemPrompt: String?) {
        let system = systemPrompt.flatMap { $0.isEmpty ? nil : ChatMessage(role: .system, textContent: $0) }
        self.init(source: source, history: system.map { [$0] } ?? [])
    }

    package var modelRunner: any ModelRunner { source.runner }
    package var history: [ChatMessage] { state.withLock { $0.record.history } }
    package var functions: [LeapFunction] { state.withLock { $0.record.functions } }
    package var isGenerating: Bool { state.withLock { $0.turn != nil } }

    package func registerFunction(_ function: LeapFunction) { registerFunctions([function]) }
    package func registerFunctions(_ functions: [LeapFunction]) { state.withLock { $0.record.register(functions) } }

    package func appendToHistory(message: ChatMessage) {
        guard isWritable("appended to") else { return }
        do {
            try state.withLock { state in
                try HistoryRules.validateOrder(
                    of: message, after: state.record.history.last?.role, index: state.record.history.count)
                state.record.append(message)
            }
        } catch {
            LeapLog.logger.error("a message is not added to the history: \(error.localizedDescription)")
        }
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
        message: ChatMessage, generationOptions: GenerationOptions?, onResponse: @escaping (MessageResponse) -> Void
    ) -> (any GenerationHandler)? {
        start(.message(message), options: generationOptions, sink: CallbackSink(onResponse: onResponse, onError: nil))
    }

    /// Generates the reply to the history as it is, with callbacks; for runners.
    ///
    /// - Parameter runner: the one that was asked, which has to be the conversation's.
    package static func generate(
        _ conversation: any Conversation, by runner: any ModelRunner, options: GenerationOptions?,
        onResponse: @escaping (MessageResponse) -> Void, onError: ((LeapException) -> Void)?
    ) -> any GenerationHandler {
        let sink = CallbackSink(onResponse: onResponse, onError: onError)
        guard let conversation = conversation as? SourcedConversation, conversation.modelRunner === runner else {
            sink.take(
                .failure(
                    LeapGenerationException("the conversation belongs to another runner: use the one that made it")))
            return FinishedGeneration()
        }
        return conversation.start(.history, options: options, sink: sink) ?? FinishedGeneration()
    }

    private func stream(
        _ request: TurnRequest, options: GenerationOptions?
    ) -> MessageResponseStream {
        StreamSink.stream { start(request, options: options, sink: $0) }
    }

    private func start(_ request: TurnRequest, options: GenerationOptions?, sink: some ResponseSink) -> SourcedTurn? {
        let settings = (options ?? GenerationOptions()).snapshot
        do {
            try source.check()
        } catch {
            sink.take(.failure(GenerationFailure.exception(for: error)))
            return nil
        }
        let turn: SourcedTurn? = state.withLock { state in
            guard state.turn == nil else { return nil }
            state.record.begin(request)
            let turn = SourcedTurn(
                conversation: self,
                request: ReplyRequest(
                    history: state.record.history, functions: state.record.functions,
                    options: GenerationOptions(settings: settings)), delivery: ReplyDelivery(to: sink))
            state.turn = turn
            let previous = state.work
            let task = Task {
                // The source may still be busy with a turn that was stopped.
                await previous?.value
                await turn.run()
            }
            state.work = task
            turn.attach(task)
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

    /// Ends a turn, and lets the next one begin.
    func finish(_ turn: SourcedTurn, _ outcome: ConversationRecord.Outcome) {
        state.withLock { state in
            guard state.turn === turn else { return }
            state.turn = nil
            state.record.finish(outcome)
        }
    }
}

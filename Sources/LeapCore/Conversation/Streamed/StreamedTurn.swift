import LeapBase
import LeapChat

/// A turn whose reply comes as a stream from a ``ReplySource``.
final class StreamedTurn: ConversationTurn {
    private let conversation: SourcedConversation
    private let source: any ReplySource
    private let request: ReplyRequest
    let delivery: ReplyDelivery
    private let state = Locked(State())

    private struct State {
        var isFinished = false
        var text = ""
        var reasoning = ""
        var calls: [LeapFunctionCall] = []
        var task: Task<Void, Never>?

        var isEmpty: Bool { text.isEmpty && reasoning.isEmpty && calls.isEmpty }

        mutating func add(_ response: MessagePiece) {
            switch response {
            case .chunk(let piece): text += piece
            case .reasoningChunk(let piece): reasoning += piece
            case .functionCall(let more): calls += more
            case .audioSample, .complete: break
            }
        }

        /// The reply as far as it has come.
        var message: ChatMessage {
            ChatMessage(
                role: .assistant, content: [.text(text)], reasoningContent: reasoning.isEmpty ? nil : reasoning,
                functionCalls: calls.isEmpty ? nil : calls)
        }
    }

    init(_ start: TurnStart, conversation: SourcedConversation, source: any ReplySource) {
        self.conversation = conversation
        self.source = source
        request = ReplyRequest(
            history: start.history, functions: start.functions, options: GenerationOptions(settings: start.settings))
        delivery = start.delivery
    }

    func run() async {
        let task = Task { await read() }
        let isOver = state.withLock { state in
            state.task = task
            return state.isFinished
        }
        if isOver { task.cancel() }
        await task.value
    }

    private func read() async {
        guard !state.withLock({ $0.isFinished }) else { return }
        do {
            try HistoryRules.validateOrder(request.history)
            for try await response in source.replies(to: request) {
                if case .complete(let completion) = response {
                    finish(completion)
                } else {
                    take(response)
                }
            }
            if !state.withLock({ $0.isFinished }) {
                throw LeapGenerationException("the reply ended without a completion")
            }
        } catch {
            fail(error)
        }
    }

    private func take(_ response: MessagePiece) {
        state.withLock { state in
            guard !state.isFinished else { return }
            state.add(response)
            delivery.append([.response(response)])
        }
        delivery.handOver()
    }

    /// Stops the generation; does nothing where it is over.
    ///
    /// The completion is the reply as far as it has come, without figures, as they are not known.
    func stop() {
        finish { state in MessageCompletion(message: state.message, finishReason: .interrupted) }
    }

    private func finish(_ completion: MessageCompletion) { finish { _ in completion } }

    private func finish(_ make: (State) -> MessageCompletion) {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard !state.isFinished else { return nil }
            state.isFinished = true
            let completion = make(state)
            let isInterrupted = completion.finishReason == .interrupted
            let isAskedFor = request.options.keepsInterruptedReply && !state.isEmpty
            let isKept = completion.finishReason != .error && (!isInterrupted || isAskedFor)
            conversation.finish(self, .reply(isKept ? completion.message : nil, isInterrupted: isInterrupted))
            delivery.append([.response(.complete(completion)), .end])
            return isInterrupted ? state.task : nil
        }
        delivery.handOver()
        task?.cancel()
    }

    private func fail(_ error: any Error) {
        state.withLock { state in
            guard !state.isFinished else { return }
            state.isFinished = true
            conversation.finish(self, state.isEmpty ? .notStarted : .reply(nil, isInterrupted: false))
            delivery.append([.failure(GenerationFailure.exception(for: error))])
        }
        delivery.handOver()
    }
}

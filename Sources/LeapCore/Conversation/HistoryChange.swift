import LeapChat

/// The request that a generation answers.
enum TurnRequest: Sendable {
    /// A message, which joins the history.
    case message(ChatMessage)
    /// The history as it is.
    case history
    /// The history without the reply at its end.
    case regeneration
    /// The reply that was suspended.
    case resumption
    /// A prompt that the model goes on with, in place of one that is made from a history.
    case raw(RawPrompt)
}

/// The change of the history by the start of a generation; undone where the generation cannot start.
enum HistoryChange: Sendable {
    case none
    case added(ChatMessage, at: Int)
    case removed(ChatMessage, at: Int)

    /// Makes the change that a request asks for.
    init(_ request: TurnRequest, to history: inout [ChatMessage]) {
        self = .none
        switch request {
        case .message(let message) where !HistoryRules.isContinuation(message, after: history):
            self = .added(message, at: history.count)
            history.append(message)
        case .regeneration:
            guard let reply = history.last, reply.role == .assistant else { return }
            history.removeLast()
            self = .removed(reply, at: history.count)
        case .message, .history, .resumption, .raw: break
        }
    }

    /// Undoes the change, unless the app changed the history there meanwhile.
    func undo(in history: inout [ChatMessage]) {
        switch self {
        case .none: break
        case .added(let message, let index):
            if history.indices.contains(index), history[index] == message { history.remove(at: index) }
        case .removed(let reply, let index):
            if history.count == index { history.append(reply) }
        }
    }
}

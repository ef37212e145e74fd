import LeapChat

/// The messages and functions of a conversation, and what a generation that runs has changed in them.
///
/// Every kind of conversation keeps its history by these rules, whatever generates its replies.
struct ConversationRecord: Sendable {
    /// The remains of an interrupted reply in the history, which ``removeLast()`` removes.
    enum Interruption: Sendable, Equatable {
        case none
        /// The beginning of the reply, at this index.
        case reply(at: Int)
        /// No message, as the reply had no token yet or was not to be kept; nothing was added since.
        case nothing
    }

    /// The effect of a generation on the history.
    enum Outcome {
        /// With a reply, or without one, as it ended in an error, or was interrupted and is not kept.
        case reply(ChatMessage?, isInterrupted: Bool)
        /// The history is as it was before.
        case notStarted
    }

    private(set) var history: [ChatMessage]
    /// The remains of the last interrupted reply.
    var interruption = Interruption.none
    /// nil until a function is registered.
    var registered: [LeapFunction]?
    /// The change of the history by the start of the generation that runs.
    private var change = HistoryChange.none
    /// The interruption behind which the generation that runs goes on.
    private var resumed = Interruption.none

    init(history: [ChatMessage]) { self.history = history }

    /// The record of a conversation that was saved.
    init(_ saved: SavedHistory) {
        history = saved.messages
        registered = saved.registered
        interruption = saved.interruption
    }

    /// The functions that are registered, else those that the model that wrote the history was told about.
    var functions: [LeapFunction] { registered ?? history.last { $0.origin != nil }?.origin?.functions ?? [] }

    /// Lets the model ask for functions.
    mutating func register(_ functions: [LeapFunction]) { registered = (registered ?? []) + functions }

    /// Adds a message; the generation that goes on from it checks it.
    mutating func append(_ message: ChatMessage) {
        history.append(message)
        if case .nothing = interruption { interruption = .none }
    }

    /// Puts a message in the place of another, if that one is still there.
    mutating func replace(_ old: ChatMessage, at index: Int, with new: ChatMessage) {
        guard history.indices.contains(index), history[index] == old, new != old else { return }
        history[index] = new
        if case .added(old, index) = change { change = .added(new, at: index) }
    }

    /// Removes the last message, and what an interrupted reply leaves without sense.
    mutating func removeLast() {
        guard let last = history.indices.last else { return }
        let interruption = interruption
        self.interruption = .none
        switch interruption {
        case .nothing: break
        case .reply(let place) where place == last: history.removeLast()
        case .reply, .none:
            history.removeLast()
            return
        }
        // The user's message that an interrupted reply leaves behind would be left without an answer.
        if history.last?.role == .user { history.removeLast() }
    }

    /// True if the last reply was interrupted, and nothing was added or removed since.
    var canResume: Bool {
        switch interruption {
        case .none: false
        case .reply(let place): place == history.count - 1
        case .nothing: history.last.map { $0.role != .assistant } ?? false
        }
    }

    /// Makes the change that a generation begins with.
    mutating func begin(_ request: TurnRequest) {
        // The whole reply takes the place of its beginning.
        resumed = if case .resumption = request { interruption } else { .none }
        let replaces = if case .resumption = request, case .reply = interruption { true } else { false }
        change = HistoryChange(replaces ? .regeneration : request, to: &history)
        switch (change, interruption) {
        case (.none, .reply), (.none, .none): break
        default: interruption = .none
        }
    }

    /// Makes the change that it ends with.
    mutating func finish(_ outcome: Outcome) {
        switch outcome {
        case .reply(let reply?, let isInterrupted):
            history.append(reply)
            interruption = isInterrupted ? .reply(at: history.count - 1) : .none
        case .reply(nil, isInterrupted: true): interruption = .nothing
        case .reply(nil, isInterrupted: false):
            // A reply that fails while it goes on keeps its beginning, and can be resumed again.
            if resumed != .none { undo() }
        case .notStarted: undo()
        }
        (change, resumed) = (.none, .none)
    }

    private mutating func undo() {
        change.undo(in: &history)
        if resumed != .none { interruption = resumed }
    }
}

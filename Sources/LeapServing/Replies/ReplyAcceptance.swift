import LeapBase

/// A count of a request's replies that the model has accepted: they were checked, and wait for their turn or are
/// computed.
///
/// Errors of the request itself come before the last acceptance; those that come later are the server's.
final class ReplyAcceptance: Sendable {
    private struct State {
        var missing: Int
        /// The tokens of the prompt that was accepted first.
        var promptTokens: Int?
        var action: (@Sendable () -> Void)?
    }

    private let state: Locked<State>

    /// - Parameter count: the number of replies, each of which calls ``accept()`` once.
    init(count: Int) { state = Locked(State(missing: count)) }

    /// The tokens of the first reply's prompt; nil before it was accepted.
    var promptTokens: Int? { state.withLock { $0.promptTokens } }

    /// Records that a reply was accepted.
    ///
    /// - Parameter promptTokens: the tokens of its prompt, those that were kept included.
    func accept(_ promptTokens: Int = 0) {
        let action = state.withLock { state -> (@Sendable () -> Void)? in
            state.promptTokens = state.promptTokens ?? promptTokens
            state.missing -= 1
            return state.missing == 0 ? state.action : nil
        }
        action?()
    }

    /// Calls `action` when all are taken; at once where they are.
    func whenAll(_ action: @escaping @Sendable () -> Void) {
        let isDone = state.withLock { state in
            state.action = action
            return state.missing <= 0
        }
        if isDone { action() }
    }
}

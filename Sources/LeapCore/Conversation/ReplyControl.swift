import LeapBase

/// A handle on replies that are generated, by which somebody else than their reader ends their thoughts.
package final class ReplyControl: Sendable {
    private struct State {
        var isAsked = false
        var ends: [@Sendable () -> Void] = []
    }

    private let state = Locked(State())

    package init() {}

    /// Ends the thoughts of the replies: of those that think, and of those that begin later.
    package func endThinking() {
        let ends = state.withLock { state in
            state.isAsked = true
            return state.ends
        }
        for end in ends { end() }
    }

    /// Follows a reply that begins.
    ///
    /// - Parameter end: ends its thoughts.
    func follow(_ end: @escaping @Sendable () -> Void) {
        let isAsked = state.withLock { state in
            state.ends.append(end)
            return state.isAsked
        }
        if isAsked { end() }
    }
}

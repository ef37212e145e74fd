import LeapBase
package import LeapChat

/// The log probabilities of a reply's tokens as they come: what each element of the reply's stream brings, in the order
/// of the stream.
///
/// The elements themselves have no place for them. A token comes with the first element that follows it, so of a text
/// that is held back, as it may become a stop sequence or a call, the tokens come later than they were generated.
package final class PieceLogprobs: Sendable {
    private struct State {
        var pieces: [[TokenLogprob]] = []
        /// The number of pieces in `pieces` that were taken.
        var taken = 0
        /// The number of tokens whose log probabilities were noted.
        var toldCount = 0
    }

    private let state = Locked(State())

    package init() {}

    /// Takes the tokens of the element that is next in the stream; none where it brings none.
    package func next() -> [TokenLogprob] {
        state.withLock { state in
            guard state.taken < state.pieces.count else { return [] }
            defer {
                state.taken += 1
                if state.taken == state.pieces.count {
                    state.pieces = []
                    state.taken = 0
                }
            }
            return state.pieces[state.taken]
        }
    }

    /// The number of tokens whose log probabilities were noted so far.
    var toldCount: Int { state.withLock { $0.toldCount } }

    /// Notes that the next `count` elements bring these tokens, the first of them all.
    func note(_ tokens: [TokenLogprob], with count: Int) {
        guard count > 0 else { return }
        state.withLock { state in
            state.pieces.append(tokens)
            state.pieces += Array(repeating: [], count: count - 1)
            state.toldCount += tokens.count
        }
    }
}

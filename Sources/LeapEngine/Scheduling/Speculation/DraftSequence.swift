import LeapCompute
import LeapModel
import LeapTokenizer

/// What a draft model holds of a session's sequence, and how its proposals did there.
final class DraftSequence {
    let state: SequenceState
    var length: DraftLength
    /// Whether nothing is proposed until the next generation: there is no memory, or the sequence is beyond the draft model.
    var isOff = false
    /// Tokens of the state that are known to be those of the sequence.
    private var matching = 0

    init(_ state: SequenceState, _ length: DraftLength) {
        self.state = state
        self.length = length
    }

    /// Goes on with a prompt, from what the state or a kept prefix has of it.
    func begin(_ prompt: [TokenID], known: SharedState?) {
        isOff = false
        length.begin()
        let own = state.reusablePrefix(of: prompt, limit: prompt.count)
        if let known, known.count > own {
            state.truncate(to: 0)
            do throws(EngineError) { try state.adopt(known, of: prompt) } catch { turnOff() }
        } else {
            state.truncate(to: own)
        }
        matching = state.count
        state.planCheckpoints(promptCount: prompt.count)
    }

    /// Cuts what the state has beyond the sequence: proposals that were wrong.
    ///
    /// - Parameters:
    ///   - count: the sequence's tokens; the state is left with fewer.
    ///   - token: the token at an index.
    func follow(count: Int, token: (Int) -> TokenID) {
        while matching < min(state.count, count - 1), state.tokens[matching] == token(matching) { matching += 1 }
        if state.count > matching { matching = state.truncate(to: matching) }
    }

    /// Gives the memory back and proposes nothing until the next generation.
    func turnOff() {
        isOff = true
        state.releaseMemory()
        matching = 0
    }
}

import LeapCompute
import LeapModel
import LeapTokenizer

/// The draft model's state of a session's sequence, and the record of its proposals there.
final class DraftSequence {
    let state: SequenceState
    var length: DraftLength
    /// True if nothing is proposed until the next generation: there is no memory, or the sequence is beyond the draft
    /// model.
    var isOff = false
    /// The model's latest vectors, of drafters that read them.
    var vectors: DraftVectors?
    /// The index of the session's token that the state begins with: 0 but for drafters that may have nothing of those
    /// before.
    private(set) var start = 0
    /// Tokens of the state that are known to be those of the sequence.
    private var matching = 0

    init(_ state: SequenceState, _ length: DraftLength) {
        self.state = state
        self.length = length
    }

    /// Goes on with a generation for which nothing is kept here.
    func begin() {
        isOff = false
        length.begin()
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

    /// The index of the session's token behind those that the state holds.
    var end: Int { start + state.count }

    /// Goes on with a prompt, of which so many tokens are computed, where nothing can be computed of these any more.
    ///
    /// - Parameter known: what a kept prefix has of the computed tokens.
    func begin(_ prompt: [TokenID], computed: Int, known: SharedState?) {
        isOff = false
        length.begin()
        let beginning = start <= computed ? Array(prompt[start..<computed]) : []
        let own = state.reusablePrefix(of: beginning, limit: beginning.count)
        if start <= computed, start + own == computed {
            matching = state.truncate(to: own)
        } else {
            restart(at: computed)
            guard let known, known.count == computed, computed > 0 else { return }
            do throws(EngineError) {
                try state.adopt(known, of: prompt)
                (start, matching) = (0, computed)
            } catch { turnOff() }
        }
    }

    /// Holds nothing, and goes on with the session's token at an index.
    func restart(at index: Int) {
        state.truncate(to: 0)
        (start, matching) = (index, 0)
    }

    /// Cuts what the state has beyond the sequence: proposals that were wrong.
    ///
    /// - Parameters:
    ///   - count: the sequence's tokens; the state is left with fewer.
    ///   - token: the token at an index.
    func follow(count: Int, token: (Int) -> TokenID) {
        let end = max(count - 1 - start, 0)
        matching = min(matching, end)
        while matching < min(state.count, end), state.tokens[matching] == token(start + matching) { matching += 1 }
        if state.count > matching { matching = state.truncate(to: matching) }
    }

    /// Gives the memory back and proposes nothing until the next generation.
    func turnOff() {
        isOff = true
        vectors = nil
        state.releaseMemory()
        (start, matching) = (0, 0)
    }
}

import LeapCompute
import LeapTokenizer

/// The state of the tokens with which several texts of a call begin.
struct ScoringBranch {
    /// The tokens.
    private let tokens: [TokenID]
    /// Their state, or that of a beginning of them that sequences can go on from.
    let state: SharedState

    /// No tokens.
    init() { (tokens, state) = ([], SharedState()) }

    /// Tokens whose state is known.
    init(_ tokens: [TokenID], _ state: SharedState) { (self.tokens, self.state) = (tokens, state) }

    /// The tokens of a sequence as it is now.
    init(of sequence: SequenceState) { (tokens, state) = (sequence.tokens, sequence.shared()) }

    /// Returns true if a text may be computed beside others, because what it shares with them is known.
    func covers(_ request: ScoringRequest) -> Bool {
        guard case .labels(_, let branch, _) = request.purpose, branch > 0 else { return true }
        return tokens.count >= branch && tokens.count < request.tokens.count && request.tokens.starts(with: tokens)
    }
}

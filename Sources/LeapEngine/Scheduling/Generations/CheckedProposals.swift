import LeapModel
import LeapTokenizer

/// The tokens that are proposed for a generation, computed together with those of its output, and kept as far as they
/// are right.
///
/// They come from a draft model, or from the generation's own text.
struct CheckedProposals {
    /// The draft model's sequence; nil where it proposes nothing.
    let draft: DraftSequence?
    private var lookup: PromptLookup?
    private var length = ProposalLength()
    /// The draft model's proposal for the next pass.
    private var drafted: [TokenID] = []
    /// The tokens that the pass in progress checks, behind those of the output.
    private var proposed: ArraySlice<TokenID> = []
    /// The tokens that the state holds behind the output, until their logits tell which of them are right.
    private var checked: ArraySlice<TokenID> = []

    /// Nothing proposed yet.
    init(_ request: GenerationRequest, draft: DraftSequence?) {
        self.draft = draft
        if request.speculation == .lookup { lookup = PromptLookup(request.prompt) }
    }

    /// The number of tokens that the state holds behind the output.
    var checkedCount: Int { checked.count }

    /// Takes the draft model's proposal for the next pass.
    mutating func take(drafted tokens: [TokenID]) { drafted = tokens }

    /// Chooses the tokens that the next pass checks.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of them.
    ///   - room: the number of tokens that the output can still take behind the next one.
    mutating func choose(limit: Int, room: Int) -> ArraySlice<TokenID> {
        if draft != nil {
            proposed = drafted.prefix(max(0, min(limit, room)))
            drafted = []
        } else {
            proposed = lookup?.proposal(min(limit, length.count, room)) ?? []
        }
        if proposed.isEmpty { length.skip() }
        return proposed
    }

    /// Takes note of a pass of a frame of speech, in front of which nothing is proposed.
    mutating func chooseNone() {
        proposed = []
        length.skip()
    }

    /// Forgets what was proposed for a pass that has no room for it.
    mutating func forget() { (proposed, drafted) = ([], []) }

    /// Takes note that the pass was computed.
    mutating func advance() { (checked, proposed) = (proposed, []) }

    /// Takes note that the pass was not computed.
    mutating func abandon() { proposed = [] }

    /// Takes note of a token of the output.
    mutating func note(_ token: TokenID) {
        lookup?.append(token)
        draft?.length.noteToken()
    }

    /// Returns how many of the checked tokens are the output's.
    ///
    /// - Parameter output: the tokens of the output from the place of the first checked one on.
    func acceptedCount(of output: ArraySlice<TokenID>) -> Int { zip(checked, output).prefix { $0 == $1 }.count }

    /// Ends the check.
    ///
    /// - Parameter output: the tokens of the output from the place of the first checked one on.
    /// - Returns: the number of tokens that were checked, and how many of them were right.
    mutating func settle(by output: ArraySlice<TokenID>) -> (checked: Int, accepted: Int) {
        let (count, accepted) = (checked.count, acceptedCount(of: output))
        if let draft {
            draft.length.note(proposed: count, accepted: accepted)
        } else {
            length.note(proposed: count, accepted: accepted)
        }
        checked = []
        return (count, accepted)
    }
}

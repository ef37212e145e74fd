import LeapTokenizer

/// Consecutive tokens of one sequence that go through the model together with those of others.
struct BatchSegment {
    /// Which of the tokens logits are wanted for.
    enum Wanted {
        case none, last, all
    }

    let sequence: SequenceState
    /// The tokens that follow those which the sequence holds.
    let tokens: ArraySlice<TokenID>
    let wanted: Wanted

    /// The indices of the tokens that logits are wanted for.
    var wantedIndices: Range<Int> {
        switch wanted {
        case .none: tokens.count..<tokens.count
        case .last: tokens.count - 1..<tokens.count
        case .all: 0..<tokens.count
        }
    }
}

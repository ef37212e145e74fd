import LeapTokenizer

/// Consecutive tokens of one sequence that go through the model together with those of others.
package struct BatchSegment {
    /// Which of the tokens logits are wanted for.
    package enum Wanted {
        case none, first, last, all
        /// So many at the end.
        case suffix(Int)
    }

    let sequence: SequenceState
    /// The tokens that follow those which the sequence holds.
    let tokens: ArraySlice<TokenID>
    let wanted: Wanted
    /// What stands for tokens that are no ids of the vocabulary; nil where all are.
    let vectors: (any InputVectors)?

    /// Tokens to compute in a sequence.
    ///
    /// - Parameter vectors: has a vector for each negative token.
    package init(
        sequence: SequenceState, tokens: ArraySlice<TokenID>, wanted: Wanted, vectors: (any InputVectors)? = nil
    ) {
        self.sequence = sequence
        self.tokens = tokens
        self.wanted = wanted
        self.vectors = vectors
    }

    /// The indices of the tokens that logits are wanted for.
    var wantedIndices: Range<Int> {
        switch wanted {
        case .none: tokens.count..<tokens.count
        case .first: 0..<1
        case .last: tokens.count - 1..<tokens.count
        case .all: 0..<tokens.count
        case .suffix(let count): tokens.count - count..<tokens.count
        }
    }
}

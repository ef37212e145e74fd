package import LeapTokenizer

/// Consecutive positions of one sequence that go through the model together with those of others.
package struct BatchSegment {
    /// The inputs at the positions.
    package enum Inputs {
        /// Tokens. In place of those that are negative come vectors, which have to be there where any is.
        case tokens(ArraySlice<TokenID>, vectors: (any InputVectors)?)
        /// So many vectors.
        case vectors(Int, any InputVectors)

        /// The number of positions.
        package var count: Int {
            switch self {
            case .tokens(let tokens, _): tokens.count
            case .vectors(let count, _): count
            }
        }
    }

    /// The positions that outputs are wanted of.
    package enum Wanted {
        case none, first, last, all
        /// So many at the end.
        case suffix(Int)
        /// Those from an index of the segment to another.
        case range(Range<Int>)
    }

    /// The kind of outputs that are wanted.
    package enum Output: Sendable {
        case logits
        /// The vectors behind the last layer.
        case hidden
    }

    package let sequence: SequenceState
    /// The inputs that follow those that the sequence holds.
    package let inputs: Inputs
    package let wanted: Wanted
    package let output: Output
    /// True for a prompt's positions: a device may compute them less exactly, with the same bits in any batch.
    package var isPrompt = false
    /// The number of positions at the end that hold proposals: the sequence may be cut in front of any of them.
    package var proposalCount = 0
    /// Positions between the end of the sequence and the first of these, of what is computed behind a sequence that stays
    /// as it is: drafted tokens.
    package var offset = 0
    /// The index of the position that begins the second of two texts; nil where there is one.
    package var secondText: Int?
    /// The type of the question that the text asks, for a decision model's head.
    package var questionType: Int?

    /// Positions to compute in a sequence.
    package init(sequence: SequenceState, inputs: Inputs, wanted: Wanted, output: Output = .logits) {
        self.sequence = sequence
        self.inputs = inputs
        self.wanted = wanted
        self.output = output
    }

    /// Tokens to compute in a sequence.
    ///
    /// - Parameter vectors: has a vector for each negative token.
    package init(
        sequence: SequenceState, tokens: ArraySlice<TokenID>, wanted: Wanted, output: Output = .logits,
        vectors: (any InputVectors)? = nil
    ) {
        self.init(sequence: sequence, inputs: .tokens(tokens, vectors: vectors), wanted: wanted, output: output)
    }

    /// The number of positions.
    package var count: Int { inputs.count }

    /// The indices of the positions that something is wanted of.
    package var wantedIndices: Range<Int> {
        switch wanted {
        case .none: count..<count
        case .first: 0..<1
        case .last: count - 1..<count
        case .all: 0..<count
        case .suffix(let suffix): count - suffix..<count
        case .range(let range): range
        }
    }
}

package import LeapTokenizer

/// The negative numbers that stand in prompts in the places of vectors: two bits say how a place follows the one before
/// it, the others come from the content.
///
/// So the tokens of a sequence are all that is needed to know the rows and columns of its pictures: kept state, saved
/// conversations and other processes need nothing else.
package enum PlaceToken {
    /// The step from the place before to a place.
    package enum Step: UInt32, Sendable {
        /// It is a position like that of a token.
        case position
        /// It is the first of a grid; of a sound for Gemma 4, each place is one.
        case grid
        /// It begins a further row of a grid.
        case row
        /// It goes on in a row.
        case column
    }

    private static let contentBits: UInt32 = 29

    /// - Parameter content: numbers of the content; the lower 29 bits of it count.
    package static func make(_ step: Step, content: UInt32) -> TokenID {
        TokenID(bitPattern: 0x8000_0000 | step.rawValue << contentBits | content & (1 << contentBits - 1))
    }

    /// Returns the step to the place of a negative token; nil for a token of the vocabulary.
    package static func step(of token: TokenID) -> Step? {
        token < 0 ? Step(rawValue: UInt32(bitPattern: token) >> contentBits & 3) : nil
    }
}

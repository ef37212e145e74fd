/// A picture, a tile of one, or a sound, that takes the place of tokens in a prompt.
package struct MediaInput: Sendable {
    /// Its positions in the prompt.
    ///
    /// The tokens there are negative and made from its content, so that equal tokens stand for equal vectors: kept
    /// state is found by them like that of any other tokens.
    package var positions: Range<Int>
    /// The kind of the input.
    package var medium: Medium
    /// Makes what the encoder reads, such as a picture's pixels from its file; called on a thread of its own when the
    /// positions are about to be computed, as other generations do not wait for it.
    package var content: @Sendable () throws -> MediaContent

    package init(positions: Range<Int>, medium: Medium, content: @escaping @Sendable () throws -> MediaContent) {
        self.positions = positions
        self.medium = medium
        self.content = content
    }
}

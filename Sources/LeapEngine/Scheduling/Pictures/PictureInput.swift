/// A picture, or a tile of one, that takes the place of tokens in a prompt.
package struct PictureInput: Sendable {
    /// Its positions in the prompt.
    ///
    /// The tokens there are negative and made from the picture's content, so that equal tokens stand for equal vectors: kept state is found
    /// by them like that of any other tokens.
    package var positions: Range<Int>
    /// Makes what the encoder reads; called on the engine's thread, where the positions have to be computed.
    package var patches: @Sendable () throws -> VisionPass.Patches

    package init(positions: Range<Int>, patches: @escaping @Sendable () throws -> VisionPass.Patches) {
        self.positions = positions
        self.patches = patches
    }
}

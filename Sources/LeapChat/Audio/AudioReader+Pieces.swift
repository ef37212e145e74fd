import LeapBase
package import LeapModel
package import LeapTokenizer

extension AudioReader {
    /// True if the encoder reads a sound piece by piece, with the vectors of the whole one.
    package var readsPieces: Bool {
        if case .scaled = form { true } else { false }
    }

    /// The tokens and the part of a piece of a sound.
    ///
    /// - Parameter digest: a value that no other sound has: the vectors of a piece depend on those before it.
    package func read(_ piece: AudioPiece, digest: [UInt8]) -> (tokens: [TokenID], part: MediaPart) {
        let count = piece.vectorCount
        return (
            places.places(count, part: piece.index, digest: digest),
            MediaPart(tokenCount: count, medium: .audio) { .audioPiece(piece) }
        )
    }
}

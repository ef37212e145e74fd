import LeapGGUF

/// Byte-pair encoding that begins with characters: the `gemma4` model of GGUF.
///
/// Spaces are U+2581. A text is cut into runs of line ends and what lies between; within these characters merge in the
/// order of the file's list. Characters that are not tokens are written in bytes.
final class CharacterPairModel: TokenizerModel {
    private let encoder: Lazy<CharacterPairEncoder>

    /// Reads the merges of `metadata`.
    ///
    /// - Throws: ``TokenizerError`` if there are none.
    init(_ metadata: TokenizerMetadata, vocabulary: Vocabulary, unknownToken: TokenID?) throws {
        let inFile = try metadata.required(.merges, metadata.strings(.merges))
        let merges = metadata.fileStaysOpen ? inFile : inFile.detached()
        encoder = Lazy { CharacterPairEncoder(merges: merges, vocabulary: vocabulary, unknownToken: unknownToken) }
    }

    func prepare() { _ = encoder.value }

    func encode(
        _ text: UnsafeBufferPointer<UInt8>, isValid: Bool, startsSegment: Bool, scratch: EncodingScratch,
        into tokens: TokenBuffer
    ) {
        encoder.value.encode(text, scratch: scratch, into: tokens)
    }
}

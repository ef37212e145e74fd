import LeapGGUF

/// Byte-level byte-pair encoding: the `gpt2` model of GGUF.
///
/// The merges are numbered for the first text, not when a file is read: that is most of the time of reading a
/// tokenizer, and loading a model has no text yet.
final class BytePairModel: TokenizerModel {
    private let encoder: Lazy<BytePairEncoder>

    /// Reads the merges of `metadata`.
    ///
    /// - Throws: ``TokenizerError`` if there are none.
    init(_ metadata: TokenizerMetadata, vocabulary: Vocabulary, name: PreTokenizerName) throws {
        let inFile = try metadata.required(.merges, metadata.strings(.merges))
        let merges = metadata.fileStaysOpen ? inFile : inFile.detached()
        encoder = Lazy { BytePairEncoder(merges: merges, vocabulary: vocabulary, name: name) }
    }

    func prepare() { _ = encoder.value }

    func encode(
        _ text: UnsafeBufferPointer<UInt8>, isValid: Bool, startsSegment: Bool, scratch: EncodingScratch,
        into tokens: TokenBuffer
    ) {
        encoder.value.encode(text, isValid: isValid, scratch: scratch, into: tokens)
    }
}

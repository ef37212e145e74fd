/// The algorithm by which a kind of tokenizer turns text into tokens.
protocol TokenizerModel: Sendable {
    /// Makes now what ``encode(_:isValid:startsSegment:scratch:into:)`` would make at its first call.
    func prepare()

    /// Appends the tokens of `text`, in which no special tokens are looked for.
    ///
    /// - Parameters:
    ///   - text: Bytes that should be UTF-8, at least one.
    ///   - isValid: Whether they are known to be.
    ///   - startsSegment: Whether the text is the first, or follows a special token.
    ///   - scratch: Memory to work in.
    ///   - tokens: Where the tokens go.
    func encode(
        _ text: UnsafeBufferPointer<UInt8>, isValid: Bool, startsSegment: Bool, scratch: EncodingScratch,
        into tokens: TokenBuffer)
}

extension TokenizerModel {
    /// Does nothing: a model leaves nothing for later by default.
    func prepare() {}
}

extension Tokenizer {
    /// Returns the text of `tokens`.
    ///
    /// The space that encoding puts before a SentencePiece text is dropped from the start. Bytes that form no
    /// character, and ids outside of the vocabulary, become U+FFFD. For such ids, ``decode(checking:skipSpecial:)``
    /// throws instead.
    ///
    /// - Parameters:
    ///   - tokens: The tokens.
    ///   - skipSpecial: Whether to omit control tokens instead of spelling them out.
    public func decode(_ tokens: [TokenID], skipSpecial: Bool = false) -> String {
        var assembler = TextAssembler(self, skipSpecial: skipSpecial)
        for token in tokens { assembler.append(token) }
        return String(decoding: assembler.bytes, as: UTF8.self)
    }

    /// Returns the text of `tokens`, all of which must be in the vocabulary.
    ///
    /// - Throws: ``TokenizerError`` with `tokenOutOfRange` that names the invalid id and its position.
    public func decode(checking tokens: [TokenID], skipSpecial: Bool = false) throws -> String {
        try check(tokens)
        return decode(tokens, skipSpecial: skipSpecial)
    }

    /// Checks that all of `tokens` are in the vocabulary.
    ///
    /// - Throws: ``TokenizerError`` with `tokenOutOfRange` that names the invalid id and its position.
    public func check(_ tokens: [TokenID]) throws {
        guard let place = tokens.firstIndex(where: { !contains($0) }) else { return }
        throw TokenizerError(
            .tokenOutOfRange,
            message: "token id \(tokens[place]) at position \(place) is not in the vocabulary, whose ids are 0 to "
                + "\(vocabularySize - 1).")
    }

    /// Returns whether `token` is in the vocabulary.
    public func contains(_ token: TokenID) -> Bool { token >= 0 && Int(token) < vocabularySize }

    /// Returns the bytes of a token's text; none for control and unknown tokens, and for ids outside of the vocabulary.
    ///
    /// They need not form complete characters. A leading space is part of them.
    public func bytes(of token: TokenID) -> [UInt8] {
        var bytes: [UInt8] = []
        appendBytes(of: token, to: &bytes)
        return bytes
    }

    /// Appends ``bytes(of:)`` to `bytes`, for callers that need many.
    public func appendBytes(of token: TokenID, to bytes: inout [UInt8]) {
        guard contains(token) else { return }
        textForm.appendBytes(of: vocabulary.texts[Int(token)], vocabulary.kinds[Int(token)], to: &bytes)
    }

    /// Returns the vocabulary's text of `token`, in the vocabulary's own alphabet, such as `Ġthe` or `▁the`.
    ///
    /// For control tokens, it is the name. For ids outside of the vocabulary, it is empty.
    public func text(of token: TokenID) -> String {
        guard contains(token) else { return "" }
        return String(decoding: vocabulary.texts[Int(token)], as: UTF8.self)
    }

    /// Returns the token whose vocabulary text is `text`, such as `<|im_end|>`; nil if there is none.
    public func token(for text: String) -> TokenID? { vocabulary.index.find(text) }

    /// Returns the kind of `token`; ``TokenKind/unused`` for ids outside of the vocabulary.
    public func kind(of token: TokenID) -> TokenKind {
        contains(token) ? vocabulary.kinds[Int(token)] : .unused
    }

    /// The tokens of the vocabulary that nothing uses.
    package var unusedTokens: [TokenID] {
        vocabulary.kinds.indices.compactMap { vocabulary.kinds[$0] == .unused ? TokenID($0) : nil }
    }
}

/// The bytes of a text while its tokens come in.
struct TextAssembler {
    private let tokenizer: Tokenizer
    private let skipSpecial: Bool
    /// True if a space that comes next is the one that encoding added.
    private var isAtStart: Bool
    /// The bytes so far.
    var bytes: [UInt8] = []

    init(_ tokenizer: Tokenizer, skipSpecial: Bool, isStart: Bool = true) {
        self.tokenizer = tokenizer
        self.skipSpecial = skipSpecial
        isAtStart = tokenizer.dropsLeadingSpace && isStart
    }

    mutating func append(_ token: TokenID) {
        let start = bytes.count
        if !tokenizer.contains(token) {
            bytes.append(contentsOf: [0xEF, 0xBF, 0xBD])
        } else if tokenizer.isSpecial(token) {
            if !skipSpecial { bytes.append(contentsOf: tokenizer.vocabulary.texts[Int(token)]) }
        } else {
            tokenizer.appendBytes(of: token, to: &bytes)
        }
        if isAtStart, bytes.count > start {
            isAtStart = false
            if bytes[start] == UInt8(ascii: " ") { bytes.remove(at: start) }
        }
    }
}

extension Tokenizer {
    /// Returns whether `token` stands for no text: control and unknown tokens do not.
    func isSpecial(_ token: TokenID) -> Bool {
        let kind = kind(of: token)
        return kind == .control || kind == .unknown
    }
}

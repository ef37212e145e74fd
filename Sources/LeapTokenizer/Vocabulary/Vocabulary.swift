import LeapGGUF

/// The entries of a vocabulary: texts, kinds and scores.
struct Vocabulary: Sendable {
    let texts: TokenTexts
    private let lazyIndex: Lazy<TokenIndex>
    /// The kind of each token.
    private(set) var kinds: [TokenKind]
    /// The score of each token; empty if the file has none.
    let scores: [Float]

    /// The number of tokens.
    var count: Int { texts.count }

    /// Reads the vocabulary of `metadata`.
    ///
    /// - Throws: ``TokenizerError`` if there is none, or if its arrays do not belong together.
    init(_ metadata: TokenizerMetadata) throws {
        let strings = try metadata.required(.tokens, metadata.strings(.tokens))
        guard strings.count > 0, strings.count < Int(TokenID.max) else {
            throw metadata.invalid(.tokens, "holds \(strings.count) tokens, but must hold 1 to 2147483646")
        }
        texts = TokenTexts(strings)
        if let types = try metadata.codes(.tokenTypes) {
            guard types.count >= strings.count else {
                throw metadata.invalid(.tokenTypes, "has \(types.count) entries for \(strings.count) tokens")
            }
            // 0 is "undefined"; numbers from the future are treated like it.
            kinds = types.prefix(strings.count).map { TokenKind(rawValue: $0) ?? .normal }
        } else {
            kinds = Array(repeating: .normal, count: strings.count)
        }
        scores = try metadata.floats(.scores) ?? []
        guard scores.isEmpty || scores.count >= strings.count else {
            throw metadata.invalid(.scores, "has \(scores.count) entries for \(strings.count) tokens")
        }
        lazyIndex = Lazy { [texts] in TokenIndex(texts) }
    }

    /// The index from text to token: made on first use, and protected by a lock.
    var index: TokenIndex { lazyIndex.value }

    /// The score of `token`; 0 where the file has none.
    @inline(__always)
    func score(_ token: Int) -> Float { scores.isEmpty ? 0 : scores[token] }

    /// Makes `token` a control token whatever the file says.
    mutating func markControl(_ token: TokenID) { kinds[Int(token)] = .control }
}

import LeapTokenizer

/// The tokens by which a late-interaction model tells queries from documents.
///
/// Models that were trained with PyLate have them in their vocabularies. Each stands behind the token that begins a
/// text. Of a document, the vectors of punctuation do not count, which is PyLate's default.
struct TextMarkers: Sendable {
    private let query: TokenID
    private let document: TokenID
    /// The token that begins a text; nil where the model has none.
    private let start: TokenID?
    private let punctuation: Set<TokenID>

    /// Returns the markers of a vocabulary; nil where it does not have both.
    init?(_ tokenizer: Tokenizer) {
        guard let query = tokenizer.token(for: "[Q] "), let document = tokenizer.token(for: "[D] ") else { return nil }
        (self.query, self.document) = (query, document)
        start = tokenizer.addsBOS ? tokenizer.bosToken : nil
        let marks: [ClosedRange<UInt8>] = [33...47, 58...64, 91...96, 123...126]
        punctuation = Set(marks.joined().compactMap { tokenizer.token(for: String(UnicodeScalar($0))) })
    }

    /// The tokens of a text with its marker, which may stand there already.
    func marked(_ tokens: [TokenID], _ role: EmbeddingOptions.Role) -> [TokenID] {
        let marker = role == .query ? query : document
        let place = start != nil && tokens.first == start ? 1 : 0
        guard place == tokens.count || tokens[place] != marker else { return tokens }
        var marked = tokens
        marked.insert(marker, at: place)
        return marked
    }

    /// The vectors of a text that count, of one for each of its tokens.
    func counted(_ vectors: [[Float]], of tokens: [TokenID], _ role: EmbeddingOptions.Role) -> [[Float]] {
        guard role == .document, vectors.count == tokens.count else { return vectors }
        return zip(vectors, tokens).filter { !punctuation.contains($1) }.map(\.0)
    }
}

extension ModelRunner {
    /// A Boolean value that indicates whether the model tells queries from documents by markers; see
    /// ``EmbeddingOptions/Role``.
    public var marksRoles: Bool {
        guard let runner = self as? LiquidInferenceEngineRunner, let source = try? runner.promptSource() else {
            return false
        }
        return runner.markers(source.builder.tokenizer) != nil
    }
}

extension LiquidInferenceEngineRunner {
    /// The markers of texts; nil where the model does not compare tokens, or has none.
    func markers(_ tokenizer: Tokenizer) -> TextMarkers? {
        backend.textModel?.comparesTokens == true ? TextMarkers(tokenizer) : nil
    }
}

import LeapGGUF
import LeapTokenizer

extension Model {
    /// The metadata key of the tokens that the model never writes.
    static let suppressedTokensKey = "tokenizer.ggml.suppress_tokens"

    /// Reads the ids that a file suppresses, ascending; empty where it lists none.
    ///
    /// - Throws: `GGUFError` where the value is no array of integers; ``EngineError`` with code `tokenOutOfRange` where
    ///   an id is not of the vocabulary.
    static func suppressedTokens(_ metadata: GGUFMetadata, vocabularySize: Int) throws -> [TokenID] {
        var found: Set<TokenID> = []
        for (index, id) in (try metadata.ints(suppressedTokensKey) ?? []).enumerated() {
            guard id >= 0, id < vocabularySize else {
                throw EngineError(
                    .tokenOutOfRange,
                    "\(suppressedTokensKey)[\(index)] is \(id), but the vocabulary's ids are 0...\(vocabularySize - 1): the file was not converted correctly; convert it again or use another one",
                    field: suppressedTokensKey)
            }
            found.insert(TokenID(id))
        }
        return found.sorted()
    }

    /// Returns the ids that may be sampled; nil for every one.
    ///
    /// - Throws: ``EngineError`` with code `invalidMetadata` where the suppressed ones are all that could be.
    static func sampleableTokens(
        _ tokenizer: Tokenizer, count: Int, suppressed: [TokenID]
    ) throws(EngineError) -> TokenMask? {
        var mask = TokenMask(count: count, allowed: true)
        for id in tokenizer.vocabularySize..<count { mask[TokenID(id)] = false }
        for id in tokenizer.unusedTokens { mask[id] = false }
        if mask.isEmpty { mask.setAll(true) }
        for id in suppressed { mask[id] = false }
        guard !mask.isEmpty else {
            throw EngineError(
                .invalidMetadata,
                "\(suppressedTokensKey) lists all tokens that the model could write: the file was not converted correctly; convert it again or use another one",
                field: suppressedTokensKey)
        }
        return mask.allowedCount == count ? nil : mask
    }
}

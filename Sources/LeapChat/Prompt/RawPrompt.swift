package import LeapTokenizer

/// A prompt that is not made from a history: the model goes on with it as it is.
package enum RawPrompt: Sendable, Hashable {
    /// A text.
    case text(String)
    /// The tokens of one, all of them.
    case tokens([TokenID])

    /// The text, which tokens stand for.
    ///
    /// - Throws: as ``encoded(_:)`` for tokens.
    package func text(_ tokenizer: Tokenizer) throws -> String {
        if case .text(let text) = self { return text }
        return tokenizer.decode(try encoded(tokenizer))
    }

    /// The tokens that the model gets.
    ///
    /// The end of a text is no place to go on from, so it is left out.
    ///
    /// - Throws: ``LeapGenerationException`` for an empty prompt and a token that the vocabulary has not.
    package func encoded(_ tokenizer: Tokenizer) throws -> [TokenID] {
        let tokens: [TokenID]
        switch self {
        case .text(let text):
            var encoded = tokenizer.encode(text)
            if tokenizer.addsEOS, encoded.last == tokenizer.eosToken { encoded.removeLast() }
            tokens = encoded
        case .tokens(let given):
            if let other = given.first(where: { !(0..<tokenizer.vocabularySize).contains(Int($0)) }) {
                throw LeapGenerationException(
                    "the prompt names the token \(other); the vocabulary has 0 to \(tokenizer.vocabularySize - 1)")
            }
            tokens = given
        }
        guard !tokens.isEmpty else { throw LeapGenerationException("the prompt is empty: give at least one character") }
        return tokens
    }
}

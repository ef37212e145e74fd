package import LeapModel
package import LeapTokenizer

/// The log probability of a token at its position, with the most likely tokens there.
///
/// Probabilities are the model's own: the softmax over its whole vocabulary, before temperature, penalties, `topK`,
/// `topP`, `minP` and constraints. OpenAI's API and llama.cpp report the same. A token that a schema required can
/// therefore have a very small probability. As JSON it has the keys of OpenAI's API: `token`, `logprob`, `bytes`,
/// `top_logprobs`, and `id`.
public struct TokenLogprob: Sendable, Hashable, Codable {
    /// A token that is an alternative at the same position.
    public struct Alternative: Sendable, Hashable, Codable {
        /// The token's id in the vocabulary.
        public let id: Int32
        /// The token's text, or the name of a control token.
        ///
        /// Incomplete characters are U+FFFD; ``bytes`` has their bytes.
        public let token: String
        /// The bytes of the token's text; none for control tokens.
        public let bytes: [UInt8]
        /// The natural logarithm of the token's probability, 0 or less.
        public let logprob: Float
    }

    /// The token's id in the vocabulary.
    public let id: Int32
    /// The token's text, or the name of a control token.
    ///
    /// Incomplete characters are U+FFFD; ``bytes`` has their bytes.
    public let token: String
    /// The bytes of the token's text; none for control tokens.
    public let bytes: [UInt8]
    /// The natural logarithm of the token's probability, 0 or less.
    public let logprob: Float
    /// The most likely tokens at this position, as many as requested, most likely first; this token can be among them.
    public let alternatives: [Alternative]

    private enum CodingKeys: String, CodingKey {
        case id, token, bytes, logprob
        case alternatives = "top_logprobs"
    }
}

extension TokenLogprob {
    package init(_ likelihood: TokenLikelihood, _ tokenizer: Tokenizer) {
        id = likelihood.token
        (token, bytes) = Self.text(of: likelihood.token, tokenizer)
        logprob = min(likelihood.logProbability, 0)
        alternatives = likelihood.alternatives.map { alternative in
            let (token, bytes) = Self.text(of: alternative.token, tokenizer)
            return Alternative(
                id: alternative.token, token: token, bytes: bytes, logprob: min(alternative.logProbability, 0))
        }
    }

    package static func text(of token: TokenID, _ tokenizer: Tokenizer) -> (text: String, bytes: [UInt8]) {
        let bytes = tokenizer.bytes(of: token)
        return (bytes.isEmpty ? tokenizer.text(of: token) : String(decoding: bytes, as: UTF8.self), bytes)
    }
}

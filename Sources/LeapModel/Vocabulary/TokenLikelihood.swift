package import LeapTokenizer

/// The likelihood of a token in its place, and of others that could have stood there.
///
/// Probabilities are the model's own: the softmax of its logits, before temperature, penalties, cuts and constraints.
package struct TokenLikelihood: Sendable, Hashable {
    /// Another token for the same place.
    package struct Alternative: Sendable, Hashable {
        /// The token.
        package let token: TokenID
        /// The natural logarithm of its probability.
        package let logProbability: Float

        /// Makes an alternative from what another process reported.
        package init(token: TokenID, logProbability: Float) {
            self.token = token
            self.logProbability = logProbability
        }
    }

    /// The maximum number of alternatives.
    package static let maxAlternatives = 20

    /// The token.
    package let token: TokenID
    /// The natural logarithm of its probability.
    package let logProbability: Float
    /// The most likely tokens, most likely first; the token itself is among them where it is one of these.
    package let alternatives: [Alternative]

    /// Makes a likelihood from what another process reported.
    package init(token: TokenID, logProbability: Float, alternatives: [Alternative]) {
        self.token = token
        self.logProbability = logProbability
        self.alternatives = alternatives
    }

    /// Checks a number of alternatives.
    ///
    /// - Throws: ``EngineError`` with code `invalidOption`.
    package static func check(alternatives: Int) throws(EngineError) {
        guard !(0...maxAlternatives).contains(alternatives) else { return }
        throw EngineError(
            .invalidOption, "topLogprobs is \(alternatives): it has to be between 0 and \(maxAlternatives)",
            field: "topLogprobs")
    }
}

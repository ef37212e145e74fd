import LeapModel
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

    /// Reads the logits of the position before a token.
    ///
    /// - Parameter normalizer: the logarithm of the sum of their exponentials.
    init(_ token: TokenID, logits: UnsafeBufferPointer<Float>, normalizer: Float, alternatives count: Int) {
        self.token = token
        logProbability = logits[Int(token)] - normalizer
        guard count > 0 else {
            alternatives = []
            return
        }
        var candidates: [Candidate] = []
        LogitScan(logits: logits, allowed: nil).top(count, into: &candidates)
        alternatives = candidates.map { Alternative(token: $0.token, logProbability: $0.logit - normalizer) }
    }

    /// Checks a number of alternatives.
    ///
    /// - Throws: ``EngineError`` with code `invalidOption`.
    static func check(alternatives: Int) throws(EngineError) {
        guard !(0...maxAlternatives).contains(alternatives) else { return }
        throw EngineError(
            .invalidOption, "topLogprobs is \(alternatives): it has to be between 0 and \(maxAlternatives)",
            field: "topLogprobs")
    }
}

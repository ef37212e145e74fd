import LeapModel
import LeapTokenizer

extension TokenLikelihood {
    /// Reads the logits of the position before a token.
    ///
    /// - Parameter normalizer: the logarithm of the sum of their exponentials.
    init(_ token: TokenID, logits: UnsafeBufferPointer<Float>, normalizer: Float, alternatives count: Int) {
        var candidates: [Candidate] = []
        if count > 0 { LogitScan(logits: logits, allowed: nil).top(count, into: &candidates) }
        self.init(
            token: token, logProbability: logits[Int(token)] - normalizer,
            alternatives: candidates.map { Alternative(token: $0.token, logProbability: $0.logit - normalizer) })
    }
}

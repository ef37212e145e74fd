package import LeapTokenizer

/// How a model tells how well a text answers a query: what it reads, and which of its scores say so.
package struct RankingMethod: Sendable, Hashable, Codable {
    /// What the two texts are put into, in place of `{query}` and `{document}`; nil where they are a pair of texts with a separator between
    /// them.
    package var template: String?
    /// The tokens whose logits behind the text are the scores; nil where a classifier makes them.
    package var words: [TokenID]?
    /// Which of the scores speaks for the text.
    package var relevant: Int
    /// Which of them speaks against it, where one does.
    package var irrelevant: Int?

    package init(template: String? = nil, words: [TokenID]? = nil, relevant: Int = 0, irrelevant: Int? = nil) {
        self.template = template
        self.words = words
        self.relevant = relevant
        self.irrelevant = irrelevant
    }

    /// What the scores come to: the logarithm of the odds that the text answers the query.
    ///
    /// Of two scores it is the difference, whose logistic function is what softmax makes of the first.
    /// - Returns: nil where scores are missing.
    package func logit(of scores: [Float]) -> Float? {
        guard scores.indices.contains(relevant), irrelevant.map({ scores.indices.contains($0) }) ?? true else {
            return nil
        }
        return scores[relevant] - (irrelevant.map { scores[$0] } ?? 0)
    }
}

package import LeapTokenizer

/// The method by which a model tells how well a text answers a query: the text that it reads, and the scores that
/// count.
package struct RankingMethod: Sendable, Hashable, Codable {
    /// The template into which the two texts are put, in place of `{query}` and `{document}`; nil where they are a pair
    /// of texts with a separator between them.
    package var template: String?
    /// The tokens whose logits after the text are the scores; nil where a classifier makes them.
    package var words: [TokenID]?
    /// The index of the score that speaks for the text.
    package var relevant: Int
    /// The index of the score that speaks against it; nil where none does.
    package var irrelevant: Int?

    package init(template: String? = nil, words: [TokenID]? = nil, relevant: Int = 0, irrelevant: Int? = nil) {
        self.template = template
        self.words = words
        self.relevant = relevant
        self.irrelevant = irrelevant
    }

    /// Returns the logarithm of the odds that the text answers the query, from the scores.
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

import LeapGrammar
import LeapTokenizer

/// A cursor in a text that follows one grammar, or one of two: an answer in a form, or calls.
///
/// Both are followed until a token fits one of them only.
final class ReplyMatcher {
    /// The cursors of the grammars that the text follows so far; never none.
    private var matchers: [GrammarMatcher]

    init(_ plan: ReplyTokenConstraint.Plan) {
        let grammars = [plan.grammar] + (plan.alternative.map { [$0] } ?? [])
        matchers = grammars.map { $0.matcher(vocabulary: plan.vocabulary) }
    }

    private init(_ matchers: [GrammarMatcher]) { self.matchers = matchers }

    /// A cursor at the same place that moves by itself.
    func copy() -> ReplyMatcher { ReplyMatcher(matchers.map { $0.copy() }) }

    /// Goes on from the place of a copy.
    func follow(_ copy: ReplyMatcher) { matchers = copy.matchers }

    /// True if nothing can follow.
    var isFinished: Bool { matchers.allSatisfy(\.isFinished) }

    /// The bytes of the shortest rest.
    var minimumBytesToFinish: Int { matchers.map(\.minimumBytesToFinish).min() ?? .max }

    /// The tokens of the shortest rest.
    var minimumTokensToFinish: Int { matchers.map(\.minimumTokensToFinish).min() ?? .max }

    /// Follows one of the grammars only.
    ///
    /// - Parameter index: its place among those that there were at the beginning, of which every one must still be
    ///   followed; nil for all.
    func choose(_ index: Int?) {
        if let index, matchers.indices.contains(index) { matchers = [matchers[index]] }
    }

    /// The tokens of the shortest text of one grammar.
    func minimumTokensToFinish(choosing index: Int?) -> Int {
        index.map { matchers.indices.contains($0) ? matchers[$0].minimumTokensToFinish : .max } ?? minimumTokensToFinish
    }

    /// The error because of which the last token was not taken; nil where it just does not follow.
    var failure: GrammarError? { matchers.lazy.compactMap(\.failure).first }

    /// Returns the text that must come now; nil while the text may follow either grammar.
    func forcedText() -> ForcedText? { matchers.count == 1 ? matchers[0].forcedText() : nil }

    /// Returns whether a token may come next.
    func allows(_ token: TokenID) -> Bool { matchers.contains { $0.allows(token) } }

    /// Takes a token.
    ///
    /// - Returns: false, with nothing changed, where the token may not come.
    func accept(_ token: TokenID) -> Bool {
        let following = matchers.filter { $0.accept(token) }
        guard !following.isEmpty else { return false }
        matchers = following
        return true
    }

    /// Fills in which tokens may come next; see `GrammarMatcher`.
    func computeMask(into words: UnsafeMutablePointer<UInt64>, remaining: Int?) {
        matchers[0].computeMask(into: words, remaining: remaining)
        guard matchers.count > 1 else { return }
        let least = minimumTokensToFinish
        /// Returns whether a text of this grammar can still be completed with the tokens that are left, or no grammar's
        /// can.
        func fits(_ matcher: GrammarMatcher) -> Bool {
            remaining.map { matcher.minimumTokensToFinish <= $0 || least > $0 } ?? true
        }
        let count = matchers[0].vocabulary.maskWordCount
        if !fits(matchers[0]) { for index in 0..<count { words[index] = 0 } }
        for matcher in matchers.dropFirst() where fits(matcher) {
            for (index, word) in matcher.mask(remaining: remaining).enumerated() { words[index] |= word }
        }
    }

    /// Returns the mask of the tokens that may come next, one bit for each token.
    func mask(remaining: Int?) -> [UInt64] {
        var words = [UInt64](repeating: 0, count: matchers[0].vocabulary.maskWordCount)
        words.withUnsafeMutableBufferPointer { buffer in
            if let base = buffer.baseAddress { computeMask(into: base, remaining: remaining) }
        }
        return words
    }
}

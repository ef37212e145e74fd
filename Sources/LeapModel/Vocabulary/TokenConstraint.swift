package import LeapTokenizer

/// A rule of which tokens may come next: a grammar, a schema, a list of choices.
///
/// The engine has each generation's own made on its thread and calls it there only, once per token and in order. It is
/// not `Sendable`, so that no other generation can come to share it.
package protocol TokenConstraint {
    /// Sets the tokens that may come next. The mask arrives with nothing allowed and covers the whole vocabulary.
    /// End tokens are to be set as well where the output may end.
    mutating func computeMask(into mask: inout TokenMask)

    /// Moves past a token that was allowed. Throwing ends the generation with that error.
    mutating func accept(_ token: TokenID) throws

    /// The tokens that are the only way on from here, in order, or none. They are not accepted yet: the engine
    /// calls ``accept(_:)`` for each, and computes all of them in one pass.
    mutating func forcedTokens() -> [TokenID]

    /// Returns how many of some tokens may come, one behind the other; all of them where that cannot be told.
    ///
    /// Nothing is accepted. Proposals are cut by it: one that is allowed here and not by the mask costs time only.
    func allowedCount(of tokens: [TokenID]) -> Int

    /// True if the output is complete and nothing may follow: the generation ends here.
    var isComplete: Bool { get }

    /// The tokens that could come next with an unlimited budget of tokens; nil where the last mask would be the same.
    var maskWithoutBudget: TokenMask? { get }

    /// Tokens with those that are a beginning of them, the longest first: where a token may not come, the first of its
    /// beginnings that may is as likely as it.
    var stems: [(token: TokenID, stems: [TokenID])] { get }

    /// True if any token may come next: no mask is computed then.
    var isFree: Bool { get }

    /// The token that comes next whatever the logits, the penalties and the biases are; nil where one is drawn.
    var demandedToken: TokenID? { get }

    /// Ends the thoughts of the output as soon as that is possible, if there are any.
    mutating func endReasoning()

    /// The thoughts of the output so far; nil where nobody counts them.
    var reasoning: ReasoningCount? { get }
}

/// The thoughts of an output, in tokens.
package struct ReasoningCount: Sendable, Hashable {
    /// The tokens between the marks of reasoning.
    package var tokens: Int
    /// True if their end was forced.
    package var wasCut: Bool

    /// Makes a count.
    package init(tokens: Int, wasCut: Bool) {
        self.tokens = tokens
        self.wasCut = wasCut
    }
}

/// Makes a constraint in its first state; called once for each generation, on the engine's thread.
package typealias TokenConstraintFactory = @Sendable () -> any TokenConstraint

/// Makes what counts and ends the thoughts of an output around its constraint, if it has one; called once for each
/// generation, on the engine's thread.
package typealias ReasoningWatch = @Sendable ((any TokenConstraint)?) -> any TokenConstraint

extension TokenConstraint {
    /// No look-ahead.
    package mutating func forcedTokens() -> [TokenID] { [] }

    /// All.
    package func allowedCount(of tokens: [TokenID]) -> Int { tokens.count }

    /// No budget.
    package var maskWithoutBudget: TokenMask? { nil }

    /// No beginnings.
    package var stems: [(token: TokenID, stems: [TokenID])] { [] }

    /// A mask for each token.
    package var isFree: Bool { false }

    /// Every token is drawn.
    package var demandedToken: TokenID? { nil }

    /// Nothing to end.
    package mutating func endReasoning() {}

    /// No thoughts are counted.
    package var reasoning: ReasoningCount? { nil }
}

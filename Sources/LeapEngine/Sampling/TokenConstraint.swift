import LeapTokenizer

/// What decides which tokens may come next: a grammar, a schema, a list of choices.
///
/// The engine owns its copy and calls it on its own thread only, once per token and in order.
package protocol TokenConstraint: Sendable {
    /// Sets the tokens that may come next. The mask arrives with nothing allowed and covers the whole vocabulary.
    /// End tokens are to be set as well where the text may end.
    mutating func computeMask(into mask: inout TokenMask)

    /// Moves past a token that was allowed. Throwing ends the generation with that error.
    mutating func accept(_ token: TokenID) throws

    /// The tokens that are the only way on from here, in order, or none. They are not accepted yet: the engine
    /// calls ``accept(_:)`` for each, and computes all of them in one pass.
    mutating func forcedTokens() -> [TokenID]

    /// Whether the text is whole and nothing may follow: the generation ends here.
    var isComplete: Bool { get }

    /// The tokens that could come next if there were more of them left; nil where the last mask would be the same.
    var unhurriedMask: TokenMask? { get }
}

extension TokenConstraint {
    /// No look-ahead.
    package mutating func forcedTokens() -> [TokenID] { [] }

    /// Never in a hurry.
    package var unhurriedMask: TokenMask? { nil }
}

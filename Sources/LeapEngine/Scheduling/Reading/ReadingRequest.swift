import LeapTokenizer

/// A text that is read rather than continued.
package struct ReadingRequest: Sendable {
    /// What is wanted of it.
    package enum Purpose: Sendable {
        /// How likely its tokens are, from an index on that is at least 1; with so many alternatives each.
        case likelihoods(from: Int, alternatives: Int)
        /// The vector that stands for it, or one for each token; of length 1 unless they are to be left as they are.
        case vectors(Pooling, isNormalized: Bool)
    }

    /// The whole text.
    package var tokens: [TokenID]
    /// What is wanted of it.
    package var purpose: Purpose

    /// Makes a request.
    package init(tokens: [TokenID], purpose: Purpose) {
        self.tokens = tokens
        self.purpose = purpose
    }

    /// Checks what can be checked before anything is computed.
    func validate(for model: Model, contextSize: Int) throws(EngineError) {
        guard !tokens.isEmpty else { throw .emptyPrompt }
        guard tokens.count <= contextSize else {
            throw .contextExceeded(needed: tokens.count, available: contextSize)
        }
        try model.validate(tokens)
        guard case .likelihoods(let first, let alternatives) = purpose else { return }
        guard model.generatesText else { throw .writesNoText }
        guard first >= 1, first < tokens.count else { throw .nothingToScore }
        try TokenLikelihood.check(alternatives: alternatives)
    }
}

/// What was read of a text.
package enum Reading: Sendable {
    /// The likelihoods of the tokens that were asked for.
    case likelihoods([TokenLikelihood])
    /// The vector that stands for the text, or one for each token.
    case vectors([[Float]])
}

extension EngineError {
    /// The first token of a sequence has nothing before it.
    static let nothingToScore = EngineError(
        .emptyPrompt,
        "no token of the text has another one before it: likelihoods need two tokens or more, or a token that begins texts",
        field: "text")
}

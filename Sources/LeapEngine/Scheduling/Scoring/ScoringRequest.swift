package import LeapModel
package import LeapTokenizer

/// A text that is scored rather than continued.
package struct ScoringRequest: Sendable {
    /// The kind of result that is asked for.
    package enum Purpose: Sendable {
        /// The likelihoods of its tokens, from an index on that is at least 1; with so many alternatives each.
        case likelihoods(from: Int, alternatives: Int)
        /// The vector that stands for it, or one for each token; of length 1 unless they are to be left as they are.
        case vectors(Pooling, isNormalized: Bool)
        /// The scores that the model's classifier makes of it, or the logits of some tokens behind it.
        case scores(of: [TokenID]?)
        /// The likeliest tokens in place of those at some indices, so many each.
        case maskedWords(at: [Int], count: Int)
        /// The logits of some tokens behind the text, of which the first `branch` tokens are shared with other texts of
        /// the call; with the logarithm of the sum of all exponentials where that is asked for.
        case labels([TokenID], branch: Int, isNormalized: Bool)
        /// The scores of options whose masks are at some indices, in ascending order, of a question of a type.
        case options(at: [Int], type: Int)
    }

    /// The maximum number of labels of a text: each is a product of its own.
    static let maxLabels = 4096

    /// The whole text.
    package var tokens: [TokenID]
    /// The kind of result that is asked for.
    package var purpose: Purpose
    /// The index of the token that begins the second of two texts; nil where there is one.
    package var secondText: Int?
    /// The pictures and sounds that the text begins with; their tokens are negative.
    package var media: [MediaInput] = []

    /// The number of tokens that they take.
    var mediaCount: Int { media.reduce(0) { max($0, $1.positions.upperBound) } }

    /// Makes a request.
    package init(tokens: [TokenID], purpose: Purpose, secondText: Int? = nil) {
        self.tokens = tokens
        self.purpose = purpose
        self.secondText = secondText
    }

    /// Checks what can be checked before anything is computed.
    func validate(for model: Model, contextSize: Int) throws(EngineError) {
        guard !tokens.isEmpty else { throw .emptyPrompt }
        guard tokens.count <= contextSize else {
            throw .contextExceeded(needed: tokens.count, available: contextSize)
        }
        try validateMedia()
        try model.validate(tokens[mediaCount...])
        if model.layers.decisionHead != nil {
            guard case .options = purpose else { throw .answersOnly }
        }
        if let secondText, !(0...tokens.count).contains(secondText) {
            throw EngineError(
                .invalidOption, "the second text begins at \(secondText), but there are \(tokens.count) tokens",
                field: "secondText")
        }
        switch purpose {
        case .likelihoods(let first, let alternatives):
            guard model.generatesText else { throw .writesNoText }
            guard first >= 1, first < tokens.count else { throw .nothingToScore }
            try TokenLikelihood.check(alternatives: alternatives)
            try refuseSuppressed(of: model, from: first)
        case .vectors: break
        case .scores(let words?):
            guard model.layers.head != nil else { throw .writesNoText }
            try model.validate(words)
        case .maskedWords(let places, let count):
            guard model.layers.maskedWords != nil else { throw model.fillsNoMasks }
            guard !places.isEmpty, places.allSatisfy(tokens.indices.contains), count >= 1 else {
                throw EngineError(
                    .invalidOption,
                    "\(count) words are asked for at \(places) of \(tokens.count) tokens: ask for 1 or more, at a token of the text",
                    field: "count")
            }
        case .labels(let labels, let branch, _):
            guard model.layers.head != nil, model.layers.stack.isCausal else { throw .writesNoText }
            guard labels.count <= Self.maxLabels else {
                throw EngineError(
                    .invalidOption,
                    "the logits of \(labels.count) labels are asked for: at most \(Self.maxLabels) are computed for a text, so ask for fewer",
                    field: "labels")
            }
            try model.validate(labels)
            guard (0..<tokens.count).contains(branch) else {
                throw EngineError(
                    .invalidOption,
                    "\(branch) tokens are shared of \(tokens.count): at least one has to be the text's own",
                    field: "branch")
            }
        case .options(let places, let type):
            guard model.layers.decisionHead != nil else { throw .scoresNoOptions }
            guard !places.isEmpty, zip(places, places.dropFirst()).allSatisfy(<),
                places.allSatisfy({ (mediaCount..<tokens.count).contains($0) }),
                (0..<DecisionHead.typeCount).contains(type)
            else {
                throw EngineError(
                    .invalidOption,
                    "\(places.count) options of a question of type \(type) in \(tokens.count) tokens: each needs a mask of its own in the text, and the type is 0 to \(DecisionHead.typeCount - 1)",
                    field: "options")
            }
        case .scores(nil):
            guard model.layers.classifier != nil else { throw .ranksNothing }
        }
    }
}

extension ScoringRequest {
    /// Refuses pictures and sounds that do not stand side by side in front of a text with options.
    private func validateMedia() throws(EngineError) {
        var end = 0
        for input in media {
            guard input.positions.lowerBound == end, input.positions.upperBound < tokens.count,
                tokens[input.positions].allSatisfy({ $0 < 0 })
            else {
                throw EngineError(
                    .invalidOption,
                    "a \(input.medium.rawValue) stands at \(input.positions) of \(tokens.count) tokens: pictures and sounds stand in front of a text, without gaps",
                    field: "media")
            }
            end = input.positions.upperBound
        }
        guard end > 0 else { return }
        guard case .options = purpose else {
            throw EngineError(
                .unsupportedTask, "pictures and sounds are read where options are scored only", field: "media")
        }
    }

    /// Refuses tokens whose likelihoods are asked for and would be minus infinity.
    private func refuseSuppressed(of model: Model, from first: Int) throws(EngineError) {
        guard !model.suppressedTokens.isEmpty else { return }
        let suppressed = Set(model.suppressedTokens)
        guard let index = tokens.indices.dropFirst(first).first(where: { suppressed.contains(tokens[$0]) }) else {
            return
        }
        throw EngineError(
            .unsupportedTask,
            "token \(tokens[index]) ('\(model.tokenizer.text(of: tokens[index]))') at index \(index) is one that the model never writes (tokenizer.ggml.suppress_tokens), so it has no likelihood: leave it out of the text",
            field: "text")
    }
}

/// The result of scoring a text.
package enum ScoringResult: Sendable {
    /// The likelihoods of the tokens that were asked for.
    case likelihoods([TokenLikelihood])
    /// The vector that stands for the text, or one for each token.
    case vectors([[Float]])
    /// The scores that were asked for.
    case scores([Float])
    /// The logits of labels, the logarithm of the sum of all exponentials if it was asked for, and the number of tokens
    /// that did not have to be computed.
    case labels([Float], normalizer: Float?, cachedCount: Int)
}

extension EngineError {
    /// There is nothing that makes scores.
    static let ranksNothing = EngineError(
        .unsupportedTask, "the model has no classifier: it cannot rank texts", field: "cls.output.weight")

    /// There is no head that scores options.
    static let scoresNoOptions = EngineError(
        .unsupportedTask, "the model has no head that scores options at masks: it is no decision model of that kind",
        field: "decision.type")

    /// The head of a decision model does nothing else.
    static let answersOnly = EngineError(
        .unsupportedTask,
        "the model is a decision model: it answers questions (decide), and makes no vectors, ranks or words",
        field: "decision.type")

    /// The first token of a sequence has nothing before it.
    static let nothingToScore = EngineError(
        .emptyPrompt,
        "no token of the text follows another: likelihoods need two tokens or more, or a BOS token",
        field: "text")
}

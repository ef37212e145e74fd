import LeapChat
import LeapEngine
import LeapTokenizer

extension LiquidInferenceEngineRunner {
    /// Returns the likelihood of a text under the model.
    ///
    /// See ``ModelRunner/score(_:after:topLogprobs:)-(_,ScoreContext,_)``.
    public func score(_ text: String, after context: ScoreContext, topLogprobs: Int) async throws -> TextScore {
        let source = try promptSource()
        let (tokens, first) = try await WorkQueue.prompts.run {
            try Self.tokens(of: text, after: context, builder: source.builder)
        }
        let request = ScoringRequest(
            tokens: tokens, purpose: .likelihoods(from: first, alternatives: topLogprobs))
        guard case .likelihoods(let likelihoods)? = try await read([request]).first else {
            throw LeapGenerationException("the model \(modelId) gave no likelihoods")
        }
        let tokenizer = source.builder.tokenizer
        return TextScore(
            tokens: likelihoods.map { TokenLogprob($0, tokenizer) }, contextTokens: tokens.count - likelihoods.count)
    }

    /// All tokens, and the index of the first that is scored.
    private static func tokens(
        of text: String, after context: ScoreContext, builder: PromptBuilder
    ) throws -> (tokens: [TokenID], first: Int) {
        let tokenizer = builder.tokenizer
        guard !text.isEmpty else { throw LeapGenerationException("there is nothing to score: the text is empty") }
        switch context {
        case .none:
            let tokens = tokenizer.encode(text)
            let hasStart = tokenizer.addsBOS && tokenizer.bosToken != nil
            return (withoutEnd(tokens, tokenizer), max(hasStart ? 1 : 0, 1))
        case .text(let prompt):
            let before = withoutEnd(tokenizer.encode(prompt), tokenizer)
            let whole = withoutEnd(tokenizer.encode(prompt + text), tokenizer)
            if whole.count > before.count, whole.starts(with: before) { return (whole, max(before.count, 1)) }
            return (before + tokenizer.encode(text, addSpecial: false), max(before.count, 1))
        case .messages(let messages):
            let request = try PromptRequest(
                chat: messages, functions: [], parser: LeapFunctionCallParser.automatic, enableThinking: false)
            let before = try builder.build(request).tokens
            return (before + tokenizer.encode(text, addSpecial: false), max(before.count, 1))
        }
    }

    /// The token that the model ends texts with is no part of the text.
    private static func withoutEnd(_ tokens: [TokenID], _ tokenizer: Tokenizer) -> [TokenID] {
        tokenizer.addsEOS && !tokens.isEmpty ? tokens.dropLast() : tokens
    }

    /// Has the engine read texts; its errors become those of the API.
    func read(_ requests: [ScoringRequest]) async throws -> [ScoringResult] {
        do {
            return try await backend.score(requests)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw GenerationFailure.exception(for: error)
        }
    }
}

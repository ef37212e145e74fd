package import LeapChat
import LeapEngine
import LeapModel
import LeapTokenizer

/// The likelihoods of a prompt's tokens, each after those before it.
package struct PromptScore: Sendable {
    /// A token of the prompt.
    package struct Token: Sendable {
        /// Its text, of control tokens the name.
        package var text: String
        /// The bytes of text that it stands for.
        package var bytes: [UInt8]
        /// The token's likelihood; nil for the first one where nothing stands in front of it.
        package var likelihood: TokenLogprob?
    }

    /// The tokens, without what the tokenizer puts in front of texts.
    package var tokens: [Token]
    /// The text that they stand for.
    package var text: String
    /// All tokens that were computed.
    package var count: Int
}

extension LiquidInferenceEngineRunner {
    /// Scores a prompt.
    ///
    /// - Parameter topLogprobs: how many of the most likely tokens are reported for each place, 0 to 20.
    /// - Throws: as ``ModelRunner/score(_:topLogprobs:)``.
    package func score(_ prompt: RawPrompt, topLogprobs: Int) async throws -> PromptScore {
        let tokenizer = try tokenizer()
        let tokens = try await WorkQueue.prompts.run { try prompt.encoded(tokenizer) }
        var likelihoods: [TokenLikelihood] = []
        if tokens.count > 1 {
            let request = ScoringRequest(tokens: tokens, purpose: .likelihoods(from: 1, alternatives: topLogprobs))
            guard case .likelihoods(let read)? = try await read([request]).first else {
                throw LeapGenerationException("the model \(modelId) gave no likelihoods")
            }
            likelihoods = read
        }
        var scored = tokens.enumerated().map { index, token in
            let (text, bytes) = TokenLogprob.text(of: token, tokenizer)
            let likelihood = index > 0 && index <= likelihoods.count ? likelihoods[index - 1] : nil
            return PromptScore.Token(
                text: text, bytes: bytes, likelihood: likelihood.map { TokenLogprob($0, tokenizer) })
        }
        if case .text = prompt, tokenizer.addsBOS, let start = tokenizer.bosToken, tokens.first == start {
            scored.removeFirst()
        }
        return PromptScore(tokens: scored, text: try prompt.text(tokenizer), count: tokens.count)
    }
}

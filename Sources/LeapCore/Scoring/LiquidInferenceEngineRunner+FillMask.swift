import Foundation
import LeapChat
import LeapEngine
import LeapModel
import LeapTokenizer

extension LiquidInferenceEngineRunner {
    /// Returns the likeliest tokens for each mask in a text; see ``ModelRunner/fillMask(_:options:)``.
    public func fillMask(_ text: String, options: FillMaskOptions) async throws -> [MaskedWord] {
        let builder = try promptSource().builder
        let tokenizer = builder.tokenizer
        guard options.count >= 1 else {
            throw LeapGenerationException("count in the options is \(options.count): it has to be 1 or more")
        }
        if backend.textModel?.generatesText == true {
            throw GenerationFailure.exception(
                for: EngineError.fillsNoMasks(
                    path: files.modelPath, found: "a causal model, which reads a text from its start",
                    field: "attention.causal"))
        }
        let (tokens, places) = try await WorkQueue.prompts.run { [path = files.modelPath] in
            try Self.masked(text, tokenizer, builder.renderer.controlTokens, path: path)
        }
        guard tokens.count <= contextSize else {
            throw LeapGenerationPromptExceedContextLengthException(
                message: "the text has \(tokens.count) tokens, but the context holds \(contextSize): shorten the text",
                neededTokens: tokens.count, availableTokens: contextSize)
        }
        let request = ScoringRequest(tokens: tokens, purpose: .maskedWords(at: places, count: options.count))
        guard case .likelihoods(let words)? = try await read([request]).first else {
            throw LeapGenerationException("the model \(modelId) gave no words")
        }
        return words.map { word in
            MaskedWord(
                candidates: word.alternatives.map {
                    MaskedWord.Candidate(
                        token: TokenLogprob.text(of: $0.token, tokenizer).text,
                        probability: Float(exp(Double($0.logProbability))))
                })
        }
    }

    /// The tokens of a text in which only the mask's name is a control token, and the places of masks.
    private static func masked(
        _ text: String, _ tokenizer: Tokenizer, _ controlTokens: ControlTokenTable, path: String
    ) throws -> (tokens: [TokenID], places: [Int]) {
        guard let mask = tokenizer.maskToken else {
            throw GenerationFailure.exception(
                for: EngineError.fillsNoMasks(
                    path: path, found: "no mask token in its vocabulary (tokenizer.ggml.mask_token_id)",
                    field: "tokenizer.ggml.mask_token_id"))
        }
        let name = tokenizer.text(of: mask)
        let tokens = tokenizer.encode(
            utf8: Array(text.utf8), addSpecial: true,
            literalStarts: Set(controlTokens.occurrences(in: text, except: [name])))
        let places = tokens.indices.filter { tokens[$0] == mask }
        guard !places.isEmpty else {
            throw LeapGenerationException("the text has no mask: write \(name) in the place of each missing word")
        }
        return (tokens, places)
    }
}

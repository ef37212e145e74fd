package import LeapChat
import LeapEngine
import LeapModel
import LeapTokenizer

extension LiquidInferenceEngineRunner {
    /// Texts that are tokenised and computed before the next ones are.
    private static let textsAtOnce = 256

    /// Returns the embeddings of texts; see ``ModelRunner/embed(_:options:)``.
    public func embed(_ texts: [String], options: EmbeddingOptions) async throws -> [TextEmbedding] {
        try await embed(texts.map { .text($0) }, options: options)
    }

    /// The vectors that stand for texts, which may be given by their tokens.
    package func embed(_ texts: [RawPrompt], options: EmbeddingOptions) async throws -> [TextEmbedding] {
        try await embed(texts, options: options, name: { "text \($0)" })
    }

    /// The vectors that stand for texts, which errors name.
    func embed(
        _ texts: [RawPrompt], options: EmbeddingOptions, name: @escaping @Sendable (Int) -> String
    ) async throws -> [TextEmbedding] {
        let tokenizer = try promptSource().builder.tokenizer
        guard let model = backend.textModel else {
            throw LeapGenerationException("the model \(modelId) computes no embeddings")
        }
        let pooling = try pooling(of: model, options)
        let marking = try marking(options, tokenizer)
        let (limit, truncate) = (contextSize, options.truncate)
        var embeddings: [TextEmbedding] = []
        embeddings.reserveCapacity(texts.count)
        for start in stride(from: 0, to: texts.count, by: Self.textsAtOnce) {
            let slice = Array(texts[start..<min(start + Self.textsAtOnce, texts.count)])
            try Task.checkCancellation()
            let tokenised = try await WorkQueue.prompts.run {
                try slice.enumerated().map { index, text in
                    try Self.tokens(
                        of: text, named: name(start + index), tokenizer, limit: limit, truncate: truncate,
                        marking: marking)
                }
            }
            let readings = try await read(
                tokenised.map {
                    ScoringRequest(
                        tokens: $0.tokens, purpose: .vectors(pooling, isNormalized: options.normalize))
                })
            for (text, reading) in zip(tokenised, readings) {
                guard case .vectors(var vectors) = reading else { continue }
                if let (markers, role) = marking { vectors = markers.counted(vectors, of: text.tokens, role) }
                embeddings.append(
                    TextEmbedding(vectors: vectors, tokenCount: text.tokens.count, isTruncated: text.isTruncated))
            }
        }
        return embeddings
    }

    /// The markers for the role of the options; nil where they have none.
    private func marking(
        _ options: EmbeddingOptions, _ tokenizer: Tokenizer
    ) throws -> (markers: TextMarkers, role: EmbeddingOptions.Role)? {
        guard let role = options.role else { return nil }
        guard options.pooling == .perToken else {
            throw LeapGenerationException(
                "the options have the role \(role.rawValue), which needs a vector for each token: set pooling to .perToken"
            )
        }
        guard let markers = markers(tokenizer) else {
            throw LeapGenerationException(
                "the options have the role \(role.rawValue), but the model \(modelId) has no markers of queries and documents: leave out role"
            )
        }
        return (markers, role)
    }

    /// Returns the pooling of the options, else of the file, else the one that suits the model.
    private func pooling(of model: TextModel, _ options: EmbeddingOptions) throws -> Pooling {
        if let pooling = options.pooling.flatMap({ Pooling(rawValue: $0.rawValue) }) { return pooling }
        switch model.pooling {
        case Pooling.none?:
            throw LeapGenerationException(
                "the model \(modelId) has one vector for each token of a text and no pooling: set pooling in the options to .perToken or .mean"
            )
        case let pooling?: return pooling
        case nil where model.ranking != nil && !model.generatesText:
            throw LeapGenerationException(
                "the model \(modelId) is a reranker without pooling: use rank, or set pooling in the options"
            )
        case nil: return model.generatesText ? .last : .mean
        }
    }

    /// The tokens of a text, cut where that is allowed.
    ///
    /// The token that the model ends texts with stays the last one.
    private static func tokens(
        of text: RawPrompt, named name: String, _ tokenizer: Tokenizer, limit: Int, truncate: Bool,
        marking: (markers: TextMarkers, role: EmbeddingOptions.Role)?
    ) throws -> (tokens: [TokenID], isTruncated: Bool) {
        // The end of a text is part of it here.
        var tokens = if case .text(let text) = text { tokenizer.encode(text) } else { try text.encoded(tokenizer) }
        guard !tokens.isEmpty else {
            throw LeapGenerationException("\(name) has no tokens: there is nothing to embed")
        }
        if let (markers, role) = marking { tokens = markers.marked(tokens, role) }
        guard tokens.count > limit else { return (tokens, false) }
        guard truncate else {
            throw LeapGenerationPromptExceedContextLengthException(
                message:
                    "\(name) has \(tokens.count) tokens, but the context holds \(limit): split the text, or set truncate in the options",
                neededTokens: tokens.count, availableTokens: limit)
        }
        if tokenizer.addsEOS, let end = tokens.last {
            tokens = tokens.prefix(limit - 1) + [end]
        } else {
            tokens = Array(tokens.prefix(limit))
        }
        return (tokens, true)
    }
}

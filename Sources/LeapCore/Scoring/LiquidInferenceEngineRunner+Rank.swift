import LeapChat
import LeapEngine
import LeapModel
import LeapTokenizer

extension LiquidInferenceEngineRunner {
    /// Documents that are tokenised and computed before the next ones are.
    private static let documentsAtOnce = 256

    /// Ranks documents by how well they answer a query; see ``ModelRunner/rank(query:documents:options:)``.
    public func rank(query: String, documents: [String], options: RankingOptions) async throws -> [Ranking] {
        let builder = try promptSource().builder
        guard let method = backend.textModel?.ranking else {
            if backend.textModel?.comparesTokens == true {
                return try await compare(query, with: documents, options: options)
            }
            throw LeapGenerationException(
                "the model \(modelId) does not rank documents: use a reranker, or compare embeddings if the model computes them"
            )
        }
        let (limit, truncate) = (contextSize, options.truncate)
        let prompt = RankingPrompt(
            method, tokenizer: builder.tokenizer, controlTokens: builder.renderer.controlTokens)
        var rankings: [Ranking] = []
        rankings.reserveCapacity(documents.count)
        for start in stride(from: 0, to: documents.count, by: Self.documentsAtOnce) {
            let slice = Array(documents[start..<min(start + Self.documentsAtOnce, documents.count)])
            try Task.checkCancellation()
            let pairs = try await WorkQueue.prompts.run {
                try slice.enumerated().map { index, document in
                    let pair = prompt.pair(query: query, document: document, limit: limit, truncate: truncate)
                    guard pair.tokens.count <= limit else {
                        throw LeapGenerationPromptExceedContextLengthException(
                            message:
                                "document \(start + index) has \(pair.tokens.count) tokens with the query, but the context holds \(limit): \(truncate ? "shorten the query" : "split the document, or set truncate in the options")",
                            neededTokens: pair.tokens.count, availableTokens: limit)
                    }
                    return pair
                }
            }
            let readings = try await read(
                pairs.map {
                    ScoringRequest(tokens: $0.tokens, purpose: .scores(of: method.words), secondText: $0.secondText)
                })
            for (index, (pair, reading)) in zip(pairs, readings).enumerated() {
                guard case .scores(let scores) = reading, let logit = method.logit(of: scores) else {
                    throw LeapGenerationException("the model \(modelId) gave no scores")
                }
                rankings.append(
                    Ranking(
                        index: start + index, logit: logit, tokenCount: pair.tokens.count,
                        isTruncated: pair.isTruncated))
            }
        }
        return rankings.sorted(by: Ranking.precedes)
    }

    /// Ranks documents by their tokens' vectors, which are kept only until they are compared.
    private func compare(
        _ query: String, with documents: [String], options: RankingOptions
    ) async throws -> [Ranking] {
        let isMarked = options.marksRoles && marksRoles
        var asking = EmbeddingOptions(pooling: .perToken)
        if isMarked { asking.role = .query }
        let queries = try await embed([.text(query)], options: asking, name: { _ in "the query" })
        guard let asked = queries.first else {
            throw LeapGenerationException("the model \(modelId) gave no vectors of the query")
        }
        var rankings: [Ranking] = []
        rankings.reserveCapacity(documents.count)
        var reading = EmbeddingOptions(pooling: .perToken, truncate: options.truncate)
        if isMarked { reading.role = .document }
        for start in stride(from: 0, to: documents.count, by: Self.documentsAtOnce) {
            let slice = documents[start..<min(start + Self.documentsAtOnce, documents.count)]
            let embeddings = try await embed(
                slice.map { .text($0) }, options: reading, name: { "document \(start + $0)" })
            rankings += try await WorkQueue.prompts.run {
                embeddings.enumerated().map { asked.ranking(of: $1, index: start + $0) }
            }
        }
        return rankings.sorted(by: Ranking.precedes)
    }
}

import LeapChat

extension TextEmbedding {
    /// Returns the late-interaction score (MaxSim) of this query for a document: the sum over the query's tokens of the
    /// largest dot product with a token of the document.
    ///
    /// Both have a vector for each token (``EmbeddingOptions/Pooling/perToken``). With vectors of length 1, the score is
    /// at most the number of the query's tokens. A document without vectors has the score 0.
    public func lateInteraction(with document: TextEmbedding) -> Float {
        guard !document.vectors.isEmpty else { return 0 }
        return vectors.reduce(0) { sum, vector in
            sum + document.vectors.reduce(-Float.infinity) { max($0, Self.dotProduct(vector, $1)) }
        }
    }

    /// The ranking of a document for this query.
    func ranking(of document: TextEmbedding, index: Int) -> Ranking {
        Ranking(
            index: index, similarity: lateInteraction(with: document), queryTokenCount: vectors.count,
            tokenCount: document.tokenCount, isTruncated: document.isTruncated)
    }

    /// The dot product of two vectors, eight products at a time.
    private static func dotProduct(_ a: [Float], _ b: [Float]) -> Float {
        let count = min(a.count, b.count)
        return a.withUnsafeBytes { a in
            b.withUnsafeBytes { b in
                var sums = SIMD8<Float>()
                var index = 0
                while index + 8 <= count {
                    let left = a.loadUnaligned(fromByteOffset: 4 * index, as: SIMD8<Float>.self)
                    sums += left * b.loadUnaligned(fromByteOffset: 4 * index, as: SIMD8<Float>.self)
                    index += 8
                }
                var sum = sums.sum()
                while index < count {
                    let left = a.loadUnaligned(fromByteOffset: 4 * index, as: Float.self)
                    sum += left * b.loadUnaligned(fromByteOffset: 4 * index, as: Float.self)
                    index += 1
                }
                return sum
            }
        }
    }
}

extension ModelRunner {
    /// Ranks documents whose vectors were made before, by late interaction.
    ///
    /// For each token of the query, the most similar token of a document counts; see
    /// ``TextEmbedding/lateInteraction(with:)``. Only the query is computed. Make the documents' vectors once, with the
    /// same model, and keep them:
    ///
    /// ```swift
    /// var options = EmbeddingOptions(pooling: .perToken)
    /// if runner.marksRoles { options.role = .document }
    /// let kept = try await runner.embed(documents, options: options)
    /// let best = try await runner.rank(query: "When can I borrow a book?", embeddings: kept).first
    /// ```
    /// - Parameters:
    ///   - query: the query; control tokens in it count as text.
    ///   - embeddings: the documents, each with a vector for each of its tokens.
    /// - Returns: one ranking for each document, best first; equal ones in the order of the documents.
    /// - Throws: ``LeapGenerationPromptExceedContextLengthException`` if the query does not fit into the context.
    ///   ``LeapGenerationException`` if a document has another number of vectors than tokens, or vectors of another
    ///   length than the model's. `CancellationError` if the task is cancelled.
    public func rank(query: String, embeddings: [TextEmbedding]) async throws -> [Ranking] {
        try await rank(query: query, embeddings: embeddings, options: RankingOptions())
    }

    /// Ranks documents whose vectors were made before; see ``rank(query:embeddings:)``.
    ///
    /// - Parameters:
    ///   - query: The question.
    ///   - embeddings: The documents' vectors, one for each token.
    ///   - options: ``RankingOptions/marksRoles`` says whether the query has its marker. The documents have theirs if
    ///     they were made with ``EmbeddingOptions/role``. ``RankingOptions/truncate`` has no effect.
    public func rank(
        query: String, embeddings: [TextEmbedding], options: RankingOptions
    ) async throws -> [Ranking] {
        var reading = EmbeddingOptions(pooling: .perToken)
        if options.marksRoles, marksRoles { reading.role = .query }
        let asked = try await embed(query, options: reading)
        let length = asked.vector.count
        return try await WorkQueue.prompts.run {
            try embeddings.enumerated().map { index, document in
                // A document has no vectors of its punctuation, and always one of its start and of its marker.
                guard
                    document.vectors.count == document.tokenCount
                        || (2..<document.tokenCount).contains(document.vectors.count)
                else {
                    throw LeapGenerationException(
                        "document \(index) has \(document.vectors.count) vectors for \(document.tokenCount) tokens: make its embedding with the pooling .perToken"
                    )
                }
                guard document.vectors.allSatisfy({ $0.count == length }) else {
                    throw LeapGenerationException(
                        "document \(index) has vectors of \(document.vector.count) numbers, but the model makes vectors of \(length): make its embedding with this model"
                    )
                }
                return asked.ranking(of: document, index: index)
            }.sorted(by: Ranking.precedes)
        }
    }
}

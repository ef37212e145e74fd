import Foundation

/// The rank of a document for a query; see ``ModelRunner/rank(query:documents:options:)``.
public struct Ranking: Sendable, Hashable, Codable {
    /// The document's index in the input, from 0.
    public let index: Int
    /// The model's output, by which documents are ordered.
    ///
    /// Of a reranker, it is the log-odds that the document answers the query, without bounds. Of a late-interaction
    /// model, it is ``TextEmbedding/lateInteraction(with:)``, at most ``queryTokenCount``.
    public let logit: Float
    /// The number of tokens of the document, with those that the model needs around it.
    ///
    /// A reranker reads the query with each document, so its tokens count too. With a late-interaction model,
    /// ``queryTokenCount`` has those of the query, which is computed once for all documents.
    public let tokenCount: Int
    /// The number of tokens of the query, each of which has a part in ``logit``; nil of a reranker.
    public let queryTokenCount: Int?
    /// A Boolean value that indicates whether the document was truncated at its end because it did not fit into the
    /// context.
    public let isTruncated: Bool

    /// The relevance of the document, from 0 to 1.
    ///
    /// Of a reranker, it is the logistic function of ``logit``. Of a late-interaction model, it is the mean over the
    /// query's tokens of the largest similarity; negative means count as 0.
    public var relevance: Float {
        guard let queryTokenCount else { return Float(1 / (1 + exp(-Double(logit)))) }
        return min(max(logit / Float(max(queryTokenCount, 1)), 0), 1)
    }

    /// Creates a ranking, for tests and your own runners.
    public init(index: Int, logit: Float, tokenCount: Int, isTruncated: Bool = false) {
        self.index = index
        self.logit = logit
        self.tokenCount = tokenCount
        self.isTruncated = isTruncated
        queryTokenCount = nil
    }

    /// Creates a ranking by late interaction.
    ///
    /// - Parameters:
    ///   - index: the document's index in the input, from 0.
    ///   - similarity: the sum over the query's tokens of the largest similarity with a token of the document.
    ///   - queryTokenCount: the number of tokens of the query.
    ///   - tokenCount: the number of tokens of the document.
    ///   - isTruncated: whether the document was truncated at its end.
    public init(index: Int, similarity: Float, queryTokenCount: Int, tokenCount: Int, isTruncated: Bool = false) {
        self.index = index
        logit = similarity
        self.tokenCount = tokenCount
        self.queryTokenCount = queryTokenCount
        self.isTruncated = isTruncated
    }

    /// The best first, equal ones by their index.
    static func precedes(_ a: Ranking, _ b: Ranking) -> Bool {
        a.logit > b.logit || (a.logit == b.logit && a.index < b.index)
    }
}

/// Options of ``ModelRunner/rank(query:documents:options:)``.
public struct RankingOptions: Sendable, Hashable {
    /// A Boolean value that indicates whether a document is truncated at its end if it does not fit with the query.
    ///
    /// If false, such a document is an error.
    public var truncate: Bool
    /// A Boolean value that indicates whether a late-interaction model with markers (``ModelRunner/marksRoles``) reads
    /// them in front of the query and the documents.
    ///
    /// It counts for the query alone where documents were read before. Other models have no markers.
    public var marksRoles = true

    /// Creates options with or without markers.
    public init(truncate: Bool = false, marksRoles: Bool) {
        self.truncate = truncate
        self.marksRoles = marksRoles
    }

    /// Creates options; by default, a document that is too long is an error.
    public init(truncate: Bool = false) { self.truncate = truncate }
}

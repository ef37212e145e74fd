import Foundation

/// The rank of a document for a query, from a reranker; see ``ModelRunner/rank(query:documents:options:)``.
public struct Ranking: Sendable, Hashable, Codable {
    /// The document's index in the input, from 0.
    public let index: Int
    /// The log-odds that the document answers the query: the model's output, without bounds.
    public let logit: Float
    /// The number of computed tokens: the query, the document, and the tokens that the model needs around them.
    public let tokenCount: Int
    /// A Boolean value that indicates whether the document was truncated at its end because it did not fit into the
    /// context.
    public let isTruncated: Bool

    /// The relevance of the document, from 0 to 1: the logistic function of ``logit``.
    public var relevance: Float { Float(1 / (1 + exp(-Double(logit)))) }

    /// Creates a ranking, for tests and your own runners.
    public init(index: Int, logit: Float, tokenCount: Int, isTruncated: Bool = false) {
        self.index = index
        self.logit = logit
        self.tokenCount = tokenCount
        self.isTruncated = isTruncated
    }
}

/// Options for the documents of ``ModelRunner/rank(query:documents:options:)``.
public struct RankingOptions: Sendable, Hashable {
    /// A Boolean value that indicates whether a document is truncated at its end if it does not fit with the query.
    ///
    /// If false, such a document is an error.
    public var truncate: Bool

    /// Creates options; by default, a document that is too long is an error.
    public init(truncate: Bool = false) { self.truncate = truncate }
}

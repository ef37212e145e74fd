import Foundation

/// The rank of a document for a query, as a reranker finds; see ``ModelRunner/rank(query:documents:options:)``.
public struct Ranking: Sendable, Hashable, Codable {
    /// The document's place among those that were given, from 0.
    public let index: Int
    /// The logarithm of the odds that the document answers the query: what the model says, without bounds.
    public let logit: Float
    /// The number of tokens that were computed: those of the query and the document, and those that the model wants
    /// around them.
    public let tokenCount: Int
    /// A Boolean value that tells whether the end of the document was left out, as it did not fit into the context.
    public let isTruncated: Bool

    /// The relevance of the document, from 0 to 1: the logistic function of ``logit``.
    public var relevance: Float { Float(1 / (1 + exp(-Double(logit)))) }

    /// Makes a ranking, for tests and runners of one's own.
    public init(index: Int, logit: Float, tokenCount: Int, isTruncated: Bool = false) {
        self.index = index
        self.logit = logit
        self.tokenCount = tokenCount
        self.isTruncated = isTruncated
    }
}

/// Options of how ``ModelRunner/rank(query:documents:options:)`` reads documents.
public struct RankingOptions: Sendable, Hashable {
    /// A Boolean value that tells whether a document that does not fit into the context with the query is cut at its
    /// end; otherwise it is an error.
    public var truncate: Bool

    /// Makes options; the default is an error for documents that are too long.
    public init(truncate: Bool = false) { self.truncate = truncate }
}

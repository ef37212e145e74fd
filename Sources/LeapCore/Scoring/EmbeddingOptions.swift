import LeapEngine
import LeapModel

/// Options for the embeddings of ``ModelRunner/embed(_:options:)``.
public struct EmbeddingOptions: Sendable, Hashable {
    /// The method that combines the vectors of a text's tokens into one.
    public enum Pooling: String, Sendable, Hashable, CaseIterable {
        /// The mean of the vectors.
        case mean
        /// The vector of the first token, which BERT calls `[CLS]`.
        case cls
        /// The vector of the last token.
        case last
        /// One vector for each token, for late-interaction models (ColBERT); see
        /// ``ModelRunner/rank(query:embeddings:)``.
        case perToken = "none"
    }

    /// The part of a text in a search, which some late-interaction models are told by a marker in front of it.
    ///
    /// These are models with the tokens `[Q] ` and `[D] ` in their vocabularies (``ModelRunner/marksRoles``).
    public enum Role: String, Sendable, Hashable, CaseIterable {
        /// A query: `[Q] ` stands in front of it.
        case query
        /// A document: `[D] ` stands in front of it, and tokens of ASCII punctuation have no vectors.
        case document
    }

    /// The method that combines the vectors of tokens into one; nil for the method named in the model's file.
    ///
    /// If the file names none, models that see a whole text at once use the mean, and models that generate text use the
    /// last token's vector.
    public var pooling: Pooling?
    /// A Boolean value that indicates whether vectors are scaled to length 1, which makes their dot product the cosine.
    public var normalize: Bool
    /// A Boolean value that indicates whether a text that exceeds the context is truncated at its end.
    ///
    /// If false, such a text is an error.
    public var truncate: Bool
    /// The part of the texts in a search; nil for texts as they are.
    ///
    /// A role needs the pooling ``Pooling/perToken`` and a model with markers (``ModelRunner/marksRoles``). Otherwise it
    /// is an error.
    public var role: Role?

    /// Creates options for texts of a search, with a vector for each token.
    public init(role: Role, normalize: Bool = true, truncate: Bool = false) {
        self.init(pooling: .perToken, normalize: normalize, truncate: truncate)
        self.role = role
    }

    /// Creates options; by default, the file's pooling, vectors of length 1, and an error for texts that are too long.
    public init(pooling: Pooling? = nil, normalize: Bool = true, truncate: Bool = false) {
        self.pooling = pooling
        self.normalize = normalize
        self.truncate = truncate
    }
}

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

    /// Creates options; by default, the file's pooling, vectors of length 1, and an error for texts that are too long.
    public init(pooling: Pooling? = nil, normalize: Bool = true, truncate: Bool = false) {
        self.pooling = pooling
        self.normalize = normalize
        self.truncate = truncate
    }
}

import LeapEngine
import LeapModel

/// Options of how ``ModelRunner/embed(_:options:)`` makes vectors of texts.
public struct EmbeddingOptions: Sendable, Hashable {
    /// A method by which the vectors of a text's tokens become one.
    public enum Pooling: String, Sendable, Hashable, CaseIterable {
        /// The mean of the vectors.
        case mean
        /// The vector of the first token, which BERT calls `[CLS]`.
        case cls
        /// The vector of the last token.
        case last
        /// One vector for each token, as models for late interaction (ColBERT) want it.
        case perToken = "none"
    }

    /// The method by which the vectors of tokens become one; nil takes what the file says, else the mean for models
    /// that see a text as a whole and the last token's for models that write text.
    public var pooling: Pooling?
    /// A Boolean value that tells whether vectors are scaled to length 1, so that the cosine of two is their dot
    /// product.
    public var normalize: Bool
    /// A Boolean value that tells whether a text that is longer than the context is cut at its end; otherwise it is an
    /// error.
    public var truncate: Bool

    /// Makes options; the defaults are what the file says, length 1, and an error for texts that are too long.
    public init(pooling: Pooling? = nil, normalize: Bool = true, truncate: Bool = false) {
        self.pooling = pooling
        self.normalize = normalize
        self.truncate = truncate
    }
}

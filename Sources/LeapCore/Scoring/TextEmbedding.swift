/// The embedding of a text.
public struct TextEmbedding: Sendable, Hashable, Codable {
    /// The vector, or one for each token with ``EmbeddingOptions/Pooling/perToken``.
    public let vectors: [[Float]]
    /// The number of computed tokens of the text, with those that the model adds around it.
    public let tokenCount: Int
    /// A Boolean value that indicates whether the text was truncated at its end because it did not fit into the
    /// context.
    public let isTruncated: Bool

    /// The only vector, or the first token's.
    public var vector: [Float] { vectors.first ?? [] }

    /// Returns the dot product with another vector: the cosine of the angle between the two if both have length 1.
    public func similarity(to other: TextEmbedding) -> Float {
        zip(vector, other.vector).reduce(0) { $0 + $1.0 * $1.1 }
    }
}

extension TextEmbedding {
    /// The first numbers of each vector, brought to length 1 again.
    package func shortened(to count: Int) -> TextEmbedding {
        let shorter = vectors.map { vector in
            let head = vector.prefix(count)
            let length = head.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
            return length > 0 ? head.map { Float(Double($0) / length) } : Array(head)
        }
        return TextEmbedding(vectors: shorter, tokenCount: tokenCount, isTruncated: isTruncated)
    }
}

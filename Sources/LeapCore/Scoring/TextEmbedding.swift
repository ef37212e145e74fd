/// The vector that stands for a text.
public struct TextEmbedding: Sendable, Hashable, Codable {
    /// The vector, or with ``EmbeddingOptions/Pooling/perToken`` one for each token.
    public let vectors: [[Float]]
    /// The number of the text's tokens that were computed, those that the model adds around it included.
    public let tokenCount: Int
    /// A Boolean value that tells whether the end of the text was left out, as it did not fit into the context.
    public let isTruncated: Bool

    /// The only vector, or the first token's.
    public var vector: [Float] { vectors.first ?? [] }

    /// The dot product with another vector: the cosine of the angle between the two, where both have length 1.
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

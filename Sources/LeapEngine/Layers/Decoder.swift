/// A model as its layers: what an architecture makes of a file, and what the forward pass runs.
struct Decoder: Sendable {
    /// One row for each token id.
    var embedding: WeightMatrix
    /// Multiplies embeddings before the first layer.
    var embeddingScale: Float = 1
    /// The layers, in order.
    var layers: [DecoderLayer]
    /// The norm before the output head; nil where the last layer ends with one.
    var outputNorm: Norm?
    /// One row for each token id; the embedding matrix itself where the two are tied.
    var output: WeightMatrix
    /// Multiplies the logits.
    var logitScale: Float = 1
    /// Logits are cap·tanh(logit / cap); 0 leaves them.
    var logitSoftcap: Float = 0
    /// The rotations that attention layers refer to by index.
    var ropes: [RopeSpecification]
    /// Whether a position sees those before it only; without that a model reads texts but cannot write them.
    var isCausal = true
    /// One row for each position, added to the embeddings.
    var positionEmbedding: WeightMatrix?
    /// Added to the embeddings of all tokens.
    var typeEmbedding: FloatVector?
    /// A norm of the embeddings before the first layer.
    var embeddingNorm: Norm?
    /// Projects vectors that stand for texts to their final length.
    var projection: WeightMatrix?

    /// Layers over vectors that come from elsewhere: no token is ever looked up, and the tables have no rows.
    ///
    /// - Parameter matrix: any matrix of the same file.
    static func withoutLayers(width: Int, like matrix: WeightMatrix) -> Decoder {
        let none = WeightMatrix(
            data: matrix.kernel.data, type: matrix.kernel.type, rows: 0, columns: width, rowBytes: 0)
        return Decoder(embedding: none, layers: [], outputNorm: nil, output: none, ropes: [])
    }
}

/// Root mean square layer normalisation (Zhang and Sennrich 2019): x / sqrt(mean(x²) + epsilon) · weight.
struct RMSNorm: Sendable {
    var weight: FloatVector
    var epsilon: Float
}

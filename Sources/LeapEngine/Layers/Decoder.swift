/// A decoder-only model as its layers: what an architecture makes of a file, and what the forward pass runs.
struct Decoder: Sendable {
    /// One row for each token id.
    var embedding: WeightMatrix
    /// Multiplies embeddings before the first layer.
    var embeddingScale: Float = 1
    /// The layers, in order.
    var layers: [DecoderLayer]
    /// The norm before the output head.
    var outputNorm: RMSNorm
    /// One row for each token id; the embedding matrix itself where the two are tied.
    var output: WeightMatrix
    /// Multiplies the logits.
    var logitScale: Float = 1
    /// Logits are cap·tanh(logit / cap); 0 leaves them.
    var logitSoftcap: Float = 0
    /// The rotations that attention layers refer to by index.
    var ropes: [RopeSpecification]
}

/// One layer: a mixer of positions and a feed-forward network, each added to the stream behind a norm.
struct DecoderLayer: Sendable {
    /// What looks at other positions.
    enum Mixer: Sendable {
        case attention(AttentionBlock)
        case shortConvolution(ShortConvolutionBlock)
    }

    /// What works on one position.
    enum FeedForward: Sendable {
        case dense(DenseFeedForward)
        case mixture(MixtureFeedForward)
    }

    /// The norm in front of the mixer.
    var mixerNorm: RMSNorm
    var mixer: Mixer
    /// A norm of the mixer's result, before it is added.
    var mixerPostNorm: RMSNorm?
    /// The norm in front of the feed-forward network.
    var feedForwardNorm: RMSNorm
    var feedForward: FeedForward
    /// A norm of the network's result, before it is added.
    var feedForwardPostNorm: RMSNorm?
    /// Multiplies both results before they are added.
    var residualScale: Float = 1
}

/// Root mean square layer normalisation (Zhang and Sennrich 2019): x / sqrt(mean(x²) + epsilon) · weight.
struct RMSNorm: Sendable {
    var weight: FloatVector
    var epsilon: Float
}

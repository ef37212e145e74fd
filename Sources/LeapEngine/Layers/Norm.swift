/// A norm over the vectors of the stream.
enum Norm: Sendable {
    case rms(RMSNorm)
    case layer(LayerNorm)
}

/// Layer normalisation (Ba, Kiros and Hinton 2016): (x - mean(x)) / sqrt(variance(x) + epsilon) · weight + bias.
struct LayerNorm: Sendable {
    var weight: FloatVector
    var bias: FloatVector?
    var epsilon: Float
}

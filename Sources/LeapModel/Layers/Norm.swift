/// A norm over vectors.
package enum Norm: Sendable {
    case rms(RMSNorm)
    case layer(LayerNorm)
}

/// Root mean square layer normalisation (Zhang and Sennrich 2019): x / sqrt(mean(x²) + epsilon) · weight.
package struct RMSNorm: Sendable {
    /// One number for each element; nil for 1.
    package var weight: Vector?
    package var epsilon: Float

    /// The norm over some of the elements alone.
    package func part(_ range: Range<Int>) -> RMSNorm {
        RMSNorm(weight: weight.map { $0.slice(range) }, epsilon: epsilon)
    }
}

/// Layer normalisation (Ba, Kiros and Hinton 2016): (x - mean(x)) / sqrt(variance(x) + epsilon) · weight + bias.
package struct LayerNorm: Sendable {
    package var weight: Vector
    package var bias: Vector?
    package var epsilon: Float
}

import LeapGGUF

/// A layer of a Conformer (arXiv:2005.08100): half a feed-forward network, attention, a convolution, the other half,
/// and a norm.
package struct ConformerLayer: Sendable {
    package let firstNorm: Norm
    package let first: ConformerFeedForward
    package let attentionNorm: Norm
    package let attention: RelativeAttention
    package let convolutionNorm: Norm
    package let convolution: ConformerConvolution
    package let secondNorm: Norm
    package let second: ConformerFeedForward
    package let outputNorm: Norm

    init(_ binder: WeightBinder, prefix: String, length: Int, heads: Int, epsilon: Float) throws {
        func norm(_ name: String) throws -> Norm {
            try binder.layerNorm(prefix + name, count: length, epsilon: epsilon)
        }
        firstNorm = try norm("ffn_norm")
        first = try ConformerFeedForward(binder, prefix: prefix, suffix: "", length: length)
        attentionNorm = try norm("ln1")
        attention = try RelativeAttention(binder, prefix: prefix, length: length, heads: heads)
        convolutionNorm = try norm("norm_conv")
        convolution = try ConformerConvolution(binder, prefix: prefix, length: length)
        secondNorm = try norm("ffn_norm_1")
        second = try ConformerFeedForward(binder, prefix: prefix, suffix: "_1", length: length)
        outputNorm = try norm("ln2")
    }
}

/// A feed-forward network with SiLU.
package struct ConformerFeedForward: Sendable {
    package let up: Matrix
    package let down: Matrix

    init(_ binder: WeightBinder, prefix: String, suffix: String, length: Int) throws {
        // Metadata of released files name another width.
        let inner = max(1, binder.rowCount("\(prefix)ffn_up\(suffix).weight"))
        up = try binder.matrix("\(prefix)ffn_up\(suffix)", rows: inner, columns: length, bias: true)
        down = try binder.matrix("\(prefix)ffn_down\(suffix)", rows: length, columns: inner, bias: true)
    }
}

/// A gated linear unit, a convolution over time of each channel for itself, a batch norm and SiLU, between two
/// products.
package struct ConformerConvolution: Sendable {
    package let input: Matrix
    /// With the batch norm's factors and terms in it, which files have of its statistics.
    package let filters: DepthwiseFilters
    package let output: Matrix

    init(_ binder: WeightBinder, prefix: String, length: Int) throws {
        input = try binder.matrix(prefix + "conv_pw1", rows: 2 * length, columns: length, bias: true)
        output = try binder.matrix(prefix + "conv_pw2", rows: length, columns: length, bias: true)
        let name = prefix + "conv_dw.weight"
        let taps = binder.file.tensor(name)?.shape.first ?? 1
        guard taps % 2 == 1, taps < 256 else {
            throw EngineError(
                .invalidTensor, "tensor \(name) has filters of \(taps) taps: it needs an odd number up to 255",
                field: name)
        }
        filters = DepthwiseFilters(
            try binder.floats(name, shape: [taps, length]),
            bias: try binder.vector(prefix + "conv_dw.bias", count: length), taps: taps, channels: length,
            scale: try binder.vector(prefix + "conv_norm.weight", count: length),
            shift: try binder.vector(prefix + "conv_norm.bias", count: length))
    }
}

/// Layers of LFM2 and LFM3 under the names of projector files: encoders and decoders of sound have them.
///
/// A layer is what its tensors make of it: a convolution where there are its filters, else attention. Where there are
/// LFM3's norms of both results, or its gates of heads, they are read too.
struct LFMLayers {
    /// Length of the vectors between the layers.
    let length: Int
    /// Query heads of attention layers.
    let heads: Int
    let epsilon: Float
    /// Positions that a position of an attention layer sees, its own included; 0 is all.
    let window: Int
    private let binder: WeightBinder
    private var attentions = 0
    private var convolutions = 0

    private static let mixerPostNorms = ["attn_post_norm", "post_attention_norm"]
    private static let feedForwardPostNorms = ["ffn_post_norm", "post_ffw_norm"]

    init(_ binder: WeightBinder, length: Int, heads: Int, epsilon: Float, window: Int = 0) {
        self.binder = binder
        (self.length, self.heads, self.epsilon, self.window) = (length, heads, epsilon, window)
    }

    /// Reads the next layer.
    ///
    /// - Parameters:
    ///   - prefix: what the names of its tensors begin with, such as `a.blk.0.`.
    ///   - inner: the inner length of its feed-forward network.
    mutating func next(_ prefix: String, inner: Int) throws(EngineError) -> DecoderLayer {
        let mixer: DecoderLayer.Mixer
        if let names = ConvolutionNames.found(binder, prefix) {
            mixer = .shortConvolution(
                try binder.shortConvolution(
                    input: prefix + names.input, filters: prefix + names.filters, output: prefix + names.output,
                    length: length, cacheIndex: convolutions))
            convolutions += 1
        } else {
            var block = try binder.groupedAttention(prefix, length: length, heads: heads, epsilon: epsilon)
            block.headGate = try binder.optionalMatrix(prefix + "attn_gate", rows: heads, columns: length)
            (block.window, block.cacheIndex) = (window, attentions)
            mixer = .attention(block)
            attentions += 1
        }
        return DecoderLayer(
            mixerNorm: try norm(prefix + "ln1"), mixer: mixer,
            mixerPostNorm: try optionalNorm(prefix, Self.mixerPostNorms),
            feedForwardNorm: try norm(prefix + "ln2"),
            feedForward: .dense(
                DenseFeedForward(
                    gate: try binder.matrix(prefix + "ffn_gate", rows: inner, columns: length),
                    up: try binder.matrix(prefix + "ffn_up", rows: inner, columns: length),
                    down: try binder.matrix(prefix + "ffn_down", rows: length, columns: inner))),
            feedForwardPostNorm: try optionalNorm(prefix, Self.feedForwardPostNorms))
    }

    private func norm(_ name: String) throws(EngineError) -> Norm {
        .rms(try binder.rmsNorm(name, count: length, epsilon: epsilon))
    }

    private func optionalNorm(_ prefix: String, _ names: [String]) throws(EngineError) -> Norm? {
        guard let name = names.first(where: { binder.has("\(prefix)\($0).weight") }) else { return nil }
        return try norm(prefix + name)
    }
}

/// The names of a convolution's products and filters, behind a layer's prefix.
struct ConvolutionNames {
    let input: String
    let filters: String
    let output: String

    private static let all = [
        ConvolutionNames(input: "conv_pw1", filters: "conv_dw", output: "conv_pw2"),
        ConvolutionNames(input: "shortconv.in_proj", filters: "shortconv.conv", output: "shortconv.out_proj"),
    ]

    /// The names of a layer's convolution; nil for a layer that has none.
    static func found(_ binder: WeightBinder, _ prefix: String) -> ConvolutionNames? {
        all.first { binder.has("\(prefix)\($0.filters).weight") }
    }
}

/// LFM2 (Liquid AI): gated short convolutions, and attention with normed queries and keys in some layers.
enum LFM2: Architecture {
    static let name = "lfm2"

    static func decoder(_ parts: DecoderParts) throws -> Decoder {
        try decoder(parts) { .dense(try parts.dense(layer: $0)) }
    }

    /// The decoder with a given choice of feed-forward networks; the mixture variant shares the rest.
    static func decoder(
        _ parts: DecoderParts, feedForward: (Int) throws -> DecoderLayer.FeedForward
    ) throws -> Decoder {
        let causal = try parts.reader.optionalBool("attention.causal") ?? true
        guard causal else {
            throw EngineError(
                .unsupportedArchitecture,
                "\(parts.reader.key("attention.causal")) is false: this is a retrieval model, which does not generate text",
                field: parts.reader.key("attention.causal"))
        }
        let window = try parts.reader.optionalInt("attention.sliding_window", in: 0...Int(Int32.max)) ?? 0
        var attentionLayers = 0
        var convolutionLayers = 0
        let layers = try (0..<parts.common.layers).map { layer in
            let mixer: DecoderLayer.Mixer
            if parts.common.keyValueHeads[layer] == 0 {
                mixer = .shortConvolution(try convolution(parts, layer: layer, cacheIndex: convolutionLayers))
                convolutionLayers += 1
            } else {
                var block = try parts.attention(layer: layer, cacheIndex: attentionLayers, rope: 0)
                block.window = window
                mixer = .attention(block)
                attentionLayers += 1
            }
            return DecoderLayer(
                mixerNorm: try parts.norm(parts.prefix(layer) + "attn_norm"), mixer: mixer,
                feedForwardNorm: try parts.norm(parts.prefix(layer) + "ffn_norm"), feedForward: try feedForward(layer))
        }
        // Despite its name in the file, this norm stands before the output head.
        let outputNorm = try parts.norm(
            parts.binder.has("token_embd_norm.weight") ? "token_embd_norm" : "output_norm")
        return Decoder(
            embedding: try parts.embedding(), layers: layers, outputNorm: outputNorm, output: try parts.output(),
            ropes: [try parts.rope(interleaved: false)])
    }

    private static func convolution(_ parts: DecoderParts, layer: Int, cacheIndex: Int) throws -> ShortConvolutionBlock
    {
        let prefix = parts.prefix(layer) + "shortconv."
        let channels = parts.common.embedding
        let taps = try parts.reader.int("shortconv.l_cache", in: 1...ShortConvolutionBlock.maxTaps)
        return ShortConvolutionBlock(
            input: try parts.binder.matrix(prefix + "in_proj", rows: 3 * channels, columns: channels),
            output: try parts.binder.matrix(prefix + "out_proj", rows: channels, columns: channels),
            filters: try parts.binder.floats(prefix + "conv.weight", shape: [taps, channels]), taps: taps,
            cacheIndex: cacheIndex)
    }
}

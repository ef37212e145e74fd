/// LFM2 (Liquid AI): gated short convolutions, and attention with normed queries and keys in some layers.
enum LFM2: Architecture {
    static let name = "lfm2"

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        try describe(parts) { .dense(try parts.dense(layer: $0)) }
    }

    /// The model with a given choice of feed-forward networks; the mixture variant shares the rest.
    static func describe(
        _ parts: DecoderParts, feedForward: (Int) throws -> DecoderLayer.FeedForward
    ) throws -> LanguageModel {
        let causal = try parts.reader.optionalBool("attention.causal") ?? true
        let window = try self.window(parts)
        var attentionLayers = 0
        var convolutionLayers = 0
        // Despite its name in the file, this norm stands before the output head.
        let outputNorm = parts.binder.has("token_embd_norm.weight") ? "token_embd_norm" : "output_norm"
        var model = try parts.model(
            ropes: [try parts.rope(interleaved: false)], outputNorm: outputNorm
        ) { layer in
            let mixer: DecoderLayer.Mixer
            if parts.common.keyValueHeads[layer] == 0 {
                mixer = .shortConvolution(try convolution(parts, layer: layer, cacheIndex: convolutionLayers))
                convolutionLayers += 1
            } else {
                mixer = .attention(
                    try attention(parts, layer: layer, cacheIndex: attentionLayers, window: window))
                attentionLayers += 1
            }
            return try self.layer(parts, layer, mixer: mixer, feedForward: try feedForward(layer))
        }
        model.stack.isCausal = causal
        try refuseUnsupported(model.stack, window: window, parts)
        return model
    }

    /// A block that predicts further tokens is a layer with attention.
    static func draftLayer(_ parts: DecoderParts, layer: Int, cacheIndex: Int) throws -> DecoderLayer? {
        let block = try attention(parts, layer: layer, cacheIndex: cacheIndex, window: try window(parts))
        return try self.layer(
            parts, layer, mixer: .attention(block), feedForward: .dense(try parts.dense(layer: layer)))
    }

    private static func layer(
        _ parts: DecoderParts, _ layer: Int, mixer: DecoderLayer.Mixer, feedForward: DecoderLayer.FeedForward
    ) throws -> DecoderLayer {
        DecoderLayer(
            mixerNorm: try parts.norm(parts.prefix(layer) + "attn_norm"), mixer: mixer,
            feedForwardNorm: try parts.norm(parts.prefix(layer) + "ffn_norm"), feedForward: feedForward)
    }

    private static func attention(
        _ parts: DecoderParts, layer: Int, cacheIndex: Int, window: Int
    ) throws -> AttentionBlock {
        var block = try parts.attention(layer: layer, cacheIndex: cacheIndex, rope: 0)
        block.window = window
        return block
    }

    /// The positions that a query sees; 0 for all.
    private static func window(_ parts: DecoderParts) throws -> Int {
        try parts.reader.optionalInt("attention.sliding_window", in: 0...Int(Int32.max)) ?? 0
    }

    /// Retrieval models see all positions: their filters have a middle, and attention has no window.
    private static func refuseUnsupported(_ stack: LayerStack, window: Int, _ parts: DecoderParts) throws {
        guard !stack.isCausal else { return }
        if window > 0 {
            throw EngineError(
                .unsupportedArchitecture,
                "\(parts.reader.key("attention.sliding_window")) is \(window): windows are not supported if \(parts.reader.key("attention.causal")) is false",
                field: parts.reader.key("attention.sliding_window"))
        }
        for layer in stack.layers {
            guard case .shortConvolution(let block) = layer.mixer, block.taps % 2 == 0 else { continue }
            throw EngineError(
                .unsupportedArchitecture,
                "\(parts.reader.key("shortconv.l_cache")) is \(block.taps): filters of even length are not supported if \(parts.reader.key("attention.causal")) is false",
                field: parts.reader.key("shortconv.l_cache"))
        }
    }

    /// A layer's convolution.
    static func convolution(_ parts: DecoderParts, layer: Int, cacheIndex: Int) throws -> ShortConvolutionBlock {
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

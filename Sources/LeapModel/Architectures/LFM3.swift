/// LFM3 (Liquid AI): gated short convolutions, attention within a window and attention to everything, each head behind
/// a gate, and norms before and after each block.
///
/// Layers without key/value heads are convolutions. The two kinds of attention have rotations of their own: within the
/// window all of a head turns, elsewhere the faster half of the frequencies.
enum LFM3: Architecture {
    static let name = "lfm3"
    static let harmlessKeys: [String]? = HarmlessKeys.common + ["rope.scaling."]
    static let refusesOtherTensors = true

    /// Stands for a frequency that does not turn.
    private static let still: Float = 1e30

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        let reader = parts.reader
        try parts.refuseExperts()
        guard try reader.optionalBool("attention.causal") ?? true else {
            guard try reader.optionalString("decision.type") == nil else {
                throw EngineError(
                    .unsupportedArchitecture,
                    "\(reader.key("decision.type")): two-way decision models of the architecture lfm3 are not read yet; use one of lfm2, such as d1-3B",
                    field: reader.key("decision.type"))
            }
            throw EngineError(
                .unsupportedArchitecture,
                "\(reader.key("attention.causal")) is false: lfm3 models that classify instead of generating text are not supported",
                field: reader.key("attention.causal"))
        }
        let window = try reader.int("attention.sliding_window", in: 1...Int(Int32.max))
        let slides = try reader.flags("attention.sliding_window_pattern", layers: parts.common.layers)
        var attentionLayers = 0
        var convolutionLayers = 0
        return try parts.model(ropes: try ropes(parts)) { layer in
            let prefix = parts.prefix(layer)
            let mixer: DecoderLayer.Mixer
            if parts.common.keyValueHeads[layer] == 0 {
                mixer = .shortConvolution(try LFM2.convolution(parts, layer: layer, cacheIndex: convolutionLayers))
                convolutionLayers += 1
            } else {
                var block = try attention(parts, layer: layer, cacheIndex: attentionLayers, rope: slides[layer] ? 1 : 0)
                if slides[layer] { block.window = window }
                mixer = .attention(block)
                attentionLayers += 1
            }
            return DecoderLayer(
                mixerNorm: try parts.norm(prefix + "attn_norm"), mixer: mixer,
                mixerPostNorm: try parts.norm(prefix + "post_attention_norm"),
                feedForwardNorm: try parts.norm(prefix + "ffn_norm"),
                feedForward: .dense(try parts.dense(layer: layer)),
                feedForwardPostNorm: try parts.norm(prefix + "post_ffw_norm"))
        }
    }

    private static func attention(
        _ parts: DecoderParts, layer: Int, cacheIndex: Int, rope: Int
    ) throws -> AttentionBlock {
        let (prefix, common) = (parts.prefix(layer), parts.common)
        var block = try parts.attention(layer: layer, cacheIndex: cacheIndex, rope: rope)
        block.queryNorm = try parts.binder.rmsNorm(
            prefix + "attn_q_norm", count: common.headDimension, epsilon: common.epsilon)
        block.keyNorm = try parts.binder.rmsNorm(
            prefix + "attn_k_norm", count: common.headDimension, epsilon: common.epsilon)
        block.headGate = try parts.binder.matrix(
            prefix + "attn_gate", rows: common.heads[layer], columns: common.embedding)
        return block
    }

    /// The rotations of layers that see everything and of those with a window.
    private static func ropes(_ parts: DecoderParts) throws -> [RopeSpecification] {
        let reader = parts.reader
        let head = parts.common.headDimension
        let dimensions = try reader.optionalInt("rope.dimension_count", in: 0...head) ?? head
        guard dimensions == head else {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("rope.dimension_count")) is \(dimensions) but heads have \(head) elements: in lfm3 models both have to be equal",
                field: reader.key("rope.dimension_count"))
        }
        var everywhere = try parts.rope(interleaved: false)
        everywhere.base = try reader.float("rope.freq_base", in: 1...1e12)
        let pairs = everywhere.dimensions / 2
        everywhere.divisors = everywhere.divisors ?? (0..<pairs).map { $0 < pairs / 2 ? 1 : still }
        let local = RopeSpecification(
            base: try reader.float("rope.freq_base_swa", in: 1...1e12), dimensions: everywhere.dimensions,
            interleaved: false, isLocal: true)
        return [everywhere, local]
    }
}

import LeapBase
import LeapGGUF

/// ModernBERT (Answer.AI and LightOn): norms without biases in front of each block, rotary positions, gated GELU, and
/// every third layer that sees the whole text among others that see a window to both sides.
enum ModernBERT: Architecture {
    static let name = "modern-bert"
    static let isEncoder = true
    static let harmlessKeys: [String]? = HarmlessKeys.common + HarmlessKeys.encoder

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        let reader = parts.reader
        let common = parts.common
        try parts.refuseCausalAttention()
        let reach = try parts.symmetricReach()
        let period = try reader.optionalInt("attention.sliding_window_pattern", in: 1...4096) ?? 3
        let activation = try activation(reader)
        var everywhere = try parts.rope(interleaved: false)
        if reader.metadata[reader.key("rope.freq_base")] == nil { everywhere.base = 160_000 }
        var local = everywhere
        local.base = try reader.optionalFloat("rope.freq_base_swa", in: 1...1e12) ?? 10_000
        local.scaling = .none
        local.isLocal = true

        let layers = try (0..<common.layers).map { layer in
            let prefix = parts.prefix(layer)
            let slides = layer % period != 0
            var block = try parts.fusedOrSeparateAttention(layer: layer, cacheIndex: layer, rope: slides ? 1 : 0)
            if slides { block.reach = reach }
            // The embeddings that the first layer reads are normed already.
            let isNormed = layer > 0 || parts.binder.has(prefix + "attn_norm.weight")
            return DecoderLayer(
                mixerNorm: isNormed ? try parts.layerNorm(prefix + "attn_norm") : nil, mixer: .attention(block),
                feedForwardNorm: try parts.layerNorm(prefix + "ffn_norm"),
                feedForward: .dense(try feedForward(parts, layer: layer, activation)))
        }
        var embedding = TokenEmbedding(table: try parts.embedding())
        embedding.norm = try parts.layerNorm("token_embd_norm")
        return LanguageModel(
            embedding: embedding,
            stack: LayerStack(
                width: common.embedding, layers: layers, outputNorm: try parts.layerNorm("output_norm"),
                ropes: [everywhere, local], isCausal: false))
    }

    /// Gate and values in one projection, the gate first.
    private static func feedForward(
        _ parts: DecoderParts, layer: Int, _ activation: GateActivation
    ) throws -> DenseFeedForward {
        let prefix = parts.prefix(layer)
        let (width, inner) = (parts.common.embedding, try parts.innerLength(layer))
        let fused = try parts.binder.matrix(prefix + "ffn_up", rows: 2 * inner, columns: width, bias: true)
        return DenseFeedForward(
            gate: fused.rows(0..<inner), up: fused.rows(inner..<2 * inner),
            down: try parts.binder.matrix(prefix + "ffn_down", rows: width, columns: inner, bias: true),
            activation: activation)
    }

    private static func activation(_ reader: HyperparameterReader) throws -> GateActivation {
        switch try reader.optionalString("hidden_act") ?? "gelu" {
        case "gelu": return .exactGELU
        case "gelu_pytorch_tanh": return .gelu
        case "silu": return .silu
        case let other:
            throw EngineError(
                .unsupportedArchitecture,
                "\(reader.key("hidden_act")) is \"\(ShownText.of(other))\": gelu, gelu_pytorch_tanh and silu are supported",
                field: reader.key("hidden_act"))
        }
    }
}

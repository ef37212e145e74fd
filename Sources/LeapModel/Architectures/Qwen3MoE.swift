/// Qwen 3 (Alibaba) with mixtures of experts in place of the dense networks: Qwen3-30B-A3B, Qwen3-Coder.
enum Qwen3MoE: Architecture {
    static let name = "qwen3moe"
    static let harmlessKeys: [String]? = HarmlessKeys.common

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        try parts.refuseOtherMixtures()
        return try parts.model(ropes: [try parts.rope(interleaved: false)]) { layer in
            DecoderLayer(
                mixerNorm: try parts.norm(parts.prefix(layer) + "attn_norm"),
                mixer: .attention(try parts.attention(layer: layer, cacheIndex: layer, rope: 0)),
                feedForwardNorm: try parts.norm(parts.prefix(layer) + "ffn_norm"),
                feedForward: .mixture(try parts.softmaxMixture(layer: layer)))
        }
    }
}

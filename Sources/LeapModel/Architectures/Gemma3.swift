import LeapBase
import LeapGGUF

/// Gemma 3 (Google): five layers with a sliding window to one that sees everything, norms before and after each block,
/// GELU gates and scaled embeddings.
///
/// Norm weights in the file have their 1 added already.
enum Gemma3: Architecture {
    static let name = "gemma3"

    /// The one size whose scores are scaled by embedding length over heads rather than by head length.
    private static let layersOf27B = 62

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        let reader = parts.reader
        let common = parts.common
        let window = try reader.optionalInt("attention.sliding_window", in: 0...Int(Int32.max)) ?? 0
        var model = try describe(parts) { layer, slides, block in
            if slides { block.window = window }
            if common.layers == layersOf27B, reader.metadata[reader.key("attention.scale")] == nil {
                block.scale = 1 / sqrtf(Float(common.embedding) / Float(common.heads[layer]))
            }
        }
        model.head?.softcap = try reader.optionalFloat("final_logit_softcapping", in: 0...1e6) ?? 0
        return model
    }

    /// The model but for what its attention sees; the variant that makes embeddings shares it.
    ///
    /// - Parameter adjust: takes a layer, whether it slides, and its attention, which is changed in place.
    static func describe(
        _ parts: DecoderParts, adjust: (_ layer: Int, _ slides: Bool, _ block: inout AttentionBlock) throws -> Void
    ) throws -> LanguageModel {
        let reader = parts.reader
        let common = parts.common
        let slides = try parts.slidingLayers(period: 6)
        var everywhere = try parts.rope(interleaved: false)
        if reader.metadata[reader.key("rope.freq_base")] == nil { everywhere.base = 1_000_000 }
        var local = everywhere
        local.base = try reader.optionalFloat("rope.freq_base_swa", in: 1...1e12) ?? 10_000
        local.scaling = .none
        local.isLocal = true

        var model = try parts.model(ropes: [everywhere, local]) { layer in
            let prefix = parts.prefix(layer)
            var block = try parts.attention(layer: layer, cacheIndex: layer, rope: slides[layer] ? 1 : 0)
            try adjust(layer, slides[layer], &block)
            return DecoderLayer(
                mixerNorm: try parts.norm(prefix + "attn_norm"), mixer: .attention(block),
                mixerPostNorm: try parts.norm(prefix + "post_attention_norm"),
                feedForwardNorm: try parts.norm(prefix + "ffn_norm"),
                feedForward: .dense(try parts.dense(layer: layer, activation: .gelu)),
                feedForwardPostNorm: try parts.norm(prefix + "post_ffw_norm"))
        }
        model.embedding.scale = sqrtf(Float(common.embedding))
        return model
    }
}

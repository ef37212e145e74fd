import LeapBase
import LeapGGUF

/// Muse Glimmer (Meta): three layers with a sliding window to one that sees everything, a gate for each element that
/// heads gather, norms before and after each block, and embeddings that are normed.
///
/// Only layers with a window have rotations. Norm weights in the file have their 1 added already, but for the norm in
/// front of the head, which has none.
enum MuseGlimmer: Architecture {
    static let name = "muse-glimmer"
    static let harmlessKeys: [String]? = HarmlessKeys.common
    static let refusesOtherTensors = true

    /// The epsilon of norms behind blocks, which files do not have.
    private static let postNormEpsilon: Float = 1e-8

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        let (reader, common) = (parts.reader, parts.common)
        try parts.refuseExperts()
        let window = try reader.int("attention.sliding_window", in: 1...Int(Int32.max))
        let slides = try parts.slidingLayers(period: 4)
        var model = try parts.model(ropes: [try rope(parts)]) { layer in
            let prefix = parts.prefix(layer)
            var block = try attention(parts, layer: layer, rope: slides[layer] ? 0 : nil)
            if slides[layer] { block.window = window }
            return DecoderLayer(
                mixerNorm: try parts.norm(prefix + "attn_norm"), mixer: .attention(block),
                mixerPostNorm: try postNorm(prefix + "post_attention_norm", parts),
                feedForwardNorm: try parts.norm(prefix + "ffn_norm"),
                feedForward: .dense(try parts.dense(layer: layer)),
                feedForwardPostNorm: try postNorm(prefix + "post_ffw_norm", parts))
        }
        model.embedding.norm = .rms(RMSNorm(weight: nil, epsilon: common.epsilon))
        model.head?.scale = try reader.float("logit_scale", in: 1e-6...1e6)
        model.head?.softcap = try reader.optionalFloat("final_logit_softcapping", in: 0...1e6) ?? 0
        return model
    }

    private static func attention(_ parts: DecoderParts, layer: Int, rope: Int?) throws -> AttentionBlock {
        let (prefix, common) = (parts.prefix(layer), parts.common)
        var block = try parts.attention(layer: layer, cacheIndex: layer, rope: rope)
        block.queryNorm = try parts.binder.rmsNorm(
            prefix + "attn_q_norm", count: common.headDimension, epsilon: common.epsilon)
        block.keyNorm = try parts.binder.rmsNorm(
            prefix + "attn_k_norm", count: common.headDimension, epsilon: common.epsilon)
        block.headGate = try parts.binder.matrix(
            prefix + "attn_gate", rows: common.heads[layer] * common.headDimension, columns: common.embedding)
        return block
    }

    private static func postNorm(_ name: String, _ parts: DecoderParts) throws -> Norm {
        .rms(try parts.binder.rmsNorm(name, count: parts.common.embedding, epsilon: postNormEpsilon))
    }

    /// The rotation of layers with a window, which needs no stretching.
    private static func rope(_ parts: DecoderParts) throws -> RopeSpecification {
        var rope = try parts.rope(interleaved: true)
        rope.base = try parts.reader.optionalFloat("rope.freq_base_swa", in: 1...1e12) ?? rope.base
        rope.scaling = .none
        rope.isLocal = true
        return rope
    }
}

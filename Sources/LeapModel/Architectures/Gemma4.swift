import LeapBase

/// Gemma 4 (Google): as Gemma 3, with heads of two sizes, values that are normed, vectors of the token for every layer,
/// last layers that read the keys and values of earlier ones, and in some sizes a mixture of experts next to each dense
/// network.
enum Gemma4: Architecture {
    static let name = "gemma4"
    static let harmlessKeys: [String]? =
        HarmlessKeys.common + ["expert_feed_forward_length", "expert_used_count"]

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        let common = parts.common
        let width = try parts.reader.int("embedding_length_per_layer_input", in: 0...(1 << 16))
        // Files do not tell. E2B and E4B, which alone have vectors for each layer, were trained to read pictures like
        // text; the others were not.
        let attention = try GemmaAttention(parts, seesWholeImages: width == 0)
        let experts = try parts.reader.optionalInt("expert_count", in: 0...4096) ?? 0
        var model = try parts.model(ropes: try attention.ropes()) { layer in
            let prefix = parts.prefix(layer)
            let dense = try parts.dense(layer: layer, activation: .gelu)
            let feedForward: DecoderLayer.FeedForward =
                experts > 0
                ? .sideBySide(try sideBySide(parts, layer: layer, dense: dense, experts: experts)) : .dense(dense)
            return DecoderLayer(
                mixerNorm: try parts.norm(prefix + "attn_norm"), mixer: .attention(try attention.block(layer)),
                mixerPostNorm: try parts.norm(prefix + "post_attention_norm"),
                feedForwardNorm: try parts.norm(prefix + "ffn_norm"), feedForward: feedForward,
                feedForwardPostNorm: try parts.norm(prefix + "post_ffw_norm"),
                tokenInput: width > 0 ? try parts.tokenInput(layer: layer, width: width) : nil,
                outputScale: try parts.binder.optionalValues(prefix + "layer_output_scale.weight", count: 1)?[0] ?? 1)
        }
        model.embedding.scale = sqrtf(Float(common.embedding))
        if width > 0 { model.embedding.perLayer = try parts.perLayerEmbedding(width: width) }
        model.head?.softcap = try parts.reader.optionalFloat("final_logit_softcapping", in: 0...1e6) ?? 0
        return model
    }

    private static func sideBySide(
        _ parts: DecoderParts, layer: Int, dense: DenseFeedForward, experts: Int
    ) throws -> SideBySideFeedForward {
        let prefix = parts.prefix(layer)
        let (binder, width) = (parts.binder, parts.common.embedding)
        let inner = try parts.reader.int("expert_feed_forward_length", in: CommonHyperparameters.lengthRange)
        let matrices = try parts.experts(layer: layer, count: experts, inner: inner, isScaled: false)
        var router = Router(
            matrix: try binder.matrix(prefix + "ffn_gate_inp", rows: experts, columns: width, isScaled: false),
            score: .softmax,
            used: try parts.reader.int("expert_used_count", in: 1...experts), normalization: 0)
        router.expertScales = try binder.optionalVector(prefix + "ffn_down_exps.scale", count: experts)
        return SideBySideFeedForward(
            dense: dense, densePostNorm: try parts.norm(prefix + "post_ffw_norm_1"),
            mixtureNorm: try parts.norm(prefix + "pre_ffw_norm_2"),
            mixture: MixtureFeedForward(
                router: router, gates: matrices.gates, ups: matrices.ups, downs: matrices.downs, activation: .gelu),
            mixturePostNorm: try parts.norm(prefix + "post_ffw_norm_2"),
            routerNorm: RMSNorm(
                weight: try binder.vector(prefix + "ffn_gate_inp.scale", count: width), epsilon: parts.common.epsilon),
            routerScale: 1 / sqrtf(Float(width)))
    }
}

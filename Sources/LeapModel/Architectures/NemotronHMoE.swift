/// Nemotron 3 Nano (NVIDIA): as ``NemotronH``, with mixtures of experts and a shared one, all without gates, in place
/// of the networks.
///
/// The router scores experts by a sigmoid, chooses by score plus a learnt bias, and weighs by the score without the
/// bias. Models whose experts work on shorter vectors (`moe_latent_size`) are refused.
enum NemotronHMoE: Architecture {
    static let name = "nemotron_h_moe"
    static let harmlessKeys: [String]? = HarmlessKeys.common + ["expert_shared_count"]
    static let refusesOtherTensors = true

    private static let sigmoid = 2
    /// The number that is added to the sum that weights are divided by, as in the reference implementation.
    private static let smallest: Float = 1e-20

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        parts.binder.passOver(layersFrom: parts.common.layers)
        return try NemotronH.describe(parts) { layer in .mixture(try mixture(parts, layer: layer)) }
    }

    /// Attention and then experts, with a norm each: two of the model's layers in one block.
    static func draftLayer(_ parts: DecoderParts, layer: Int, cacheIndex: Int) throws -> DecoderLayer? {
        let prefix = parts.prefix(layer)
        let second = parts.binder.first(
            of: ["post_attention_norm", "ffn_norm"], behind: prefix, ending: ".weight")
        return DecoderLayer(
            mixerNorm: try parts.norm(prefix + "attn_norm"),
            mixer: .attention(try parts.attention(layer: layer, cacheIndex: cacheIndex, rope: nil)),
            feedForwardNorm: try parts.norm(second),
            feedForward: .mixture(try mixture(parts, layer: layer)))
    }

    private static func mixture(_ parts: DecoderParts, layer: Int) throws -> MixtureFeedForward {
        let (reader, binder, width) = (parts.reader, parts.binder, parts.common.embedding)
        let count = try reader.int("expert_count", in: 1...4096)
        let used = try reader.int("expert_used_count", in: 1...count)
        let inner = try reader.int("expert_feed_forward_length", in: CommonHyperparameters.lengthRange)
        let shared = try reader.int("expert_shared_feed_forward_length", in: CommonHyperparameters.lengthRange)
        let isNormed = try reader.optionalBool("expert_weights_norm") ?? false
        let scale = try reader.optionalFloat("expert_weights_scale", in: 0...1e6) ?? 1
        let gating = try reader.optionalInt("expert_gating_func", in: 0...1000) ?? sigmoid
        try parts.refuse("expert_gating_func", "\(gating)", unless: gating == sigmoid, "\(sigmoid) (sigmoid)")
        for name in ["expert_group_count", "expert_group_used_count"] {
            let groups = try reader.optionalInt(name, in: 0...65536) ?? 0
            try parts.refuse(name, "\(groups)", unless: groups <= 1, "1")
        }
        let prefix = parts.prefix(layer)
        return MixtureFeedForward(
            router: Router(
                matrix: try binder.matrix(prefix + "ffn_gate_inp", rows: count, columns: width),
                score: .sigmoid,
                choiceBias: try binder.optionalVector(prefix + "exp_probs_b.bias", count: count), used: used,
                normalization: isNormed ? smallest : nil, scale: scale == 0 ? 1 : scale),
            gates: [],
            ups: try binder.stack(prefix + "ffn_up_exps", count: count, rows: inner, columns: width),
            downs: try binder.stack(prefix + "ffn_down_exps", count: count, rows: width, columns: inner),
            plainActivation: .squaredReLU,
            shared: MixtureFeedForward.SharedExpert(
                network: .plain(
                    PlainFeedForward(
                        up: try binder.matrix(prefix + "ffn_up_shexp", rows: shared, columns: width),
                        down: try binder.matrix(prefix + "ffn_down_shexp", rows: width, columns: shared),
                        activation: .squaredReLU))))
    }
}

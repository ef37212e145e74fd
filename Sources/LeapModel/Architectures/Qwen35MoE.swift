/// Qwen 3.5 and 3.6 (Alibaba) with mixtures of experts, one of which every token goes through, in place of the dense
/// networks.
enum Qwen35MoE: Architecture {
    static let name = "qwen35moe"
    static let harmlessKeys: [String]? = HarmlessKeys.common

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        try parts.refuseOtherMixtures()
        return try Qwen35.describe(parts, ropes: [try parts.sectionedRope()]) { layer in
            try mixture(parts, layer: layer)
        }
    }

    static func draftLayer(_ parts: DecoderParts, layer: Int, cacheIndex: Int) throws -> DecoderLayer? {
        try parts.refuseOtherMixtures(layer: layer)
        return try Qwen35.attentionLayer(
            parts, layer: layer, cacheIndex: cacheIndex, feedForward: try mixture(parts, layer: layer))
    }

    /// A layer's experts, with the one that every token goes through.
    static func mixture(_ parts: DecoderParts, layer: Int) throws -> DecoderLayer.FeedForward {
        var mixture = try parts.softmaxMixture(layer: layer)
        mixture.shared = try sharedExpert(parts, layer: layer)
        return .mixture(mixture)
    }

    private static func sharedExpert(_ parts: DecoderParts, layer: Int) throws -> MixtureFeedForward.SharedExpert {
        let (binder, prefix, width) = (parts.binder, parts.prefix(layer), parts.common.embedding)
        let inner = try parts.reader.int("expert_shared_feed_forward_length", in: CommonHyperparameters.lengthRange)
        return MixtureFeedForward.SharedExpert(
            network: .dense(
                DenseFeedForward(
                    gate: try binder.matrix(prefix + "ffn_gate_shexp", rows: inner, columns: width),
                    up: try binder.matrix(prefix + "ffn_up_shexp", rows: inner, columns: width),
                    down: try binder.matrix(prefix + "ffn_down_shexp", rows: width, columns: inner))),
            gate: try binder.matrix(prefix + "ffn_gate_inp_shexp", rows: 1, columns: width))
    }
}

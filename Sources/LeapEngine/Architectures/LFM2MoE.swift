/// LFM2 with mixtures of experts: as ``LFM2``, with dense networks in the leading layers only.
enum LFM2MoE: Architecture {
    static let name = "lfm2moe"

    private static let sigmoid = 2

    static func decoder(_ parts: DecoderParts) throws -> Decoder {
        let reader = parts.reader
        let experts = try reader.int("expert_count", in: 1...4096)
        let used = try reader.int("expert_used_count", in: 1...experts)
        let inner = try reader.int("expert_feed_forward_length", in: CommonHyperparameters.lengthRange)
        let leading = try reader.optionalInt("leading_dense_block_count", in: 0...4096) ?? 0
        let gating = try reader.optionalInt("expert_gating_func", in: 0...1000) ?? sigmoid
        guard gating == sigmoid else {
            throw EngineError(
                .invalidMetadata, "\(reader.key("expert_gating_func")) is \(gating): lfm2moe routes with 2 (sigmoid)",
                field: reader.key("expert_gating_func"))
        }
        return try LFM2.decoder(parts) { layer in
            guard layer >= leading else { return .dense(try parts.dense(layer: layer)) }
            let prefix = parts.prefix(layer)
            let width = parts.common.embedding
            let binder = parts.binder
            return .mixture(
                MixtureFeedForward(
                    router: try binder.matrix(prefix + "ffn_gate_inp", rows: experts, columns: width),
                    choiceBias: try binder.optionalVector(prefix + "exp_probs_b.bias", count: experts),
                    gates: try binder.stack(prefix + "ffn_gate_exps", count: experts, rows: inner, columns: width),
                    ups: try binder.stack(prefix + "ffn_up_exps", count: experts, rows: inner, columns: width),
                    downs: try binder.stack(prefix + "ffn_down_exps", count: experts, rows: width, columns: inner),
                    used: used))
        }
    }
}

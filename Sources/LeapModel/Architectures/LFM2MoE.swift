/// LFM2 with mixtures of experts: as ``LFM2``, with dense networks in the leading layers only.
///
/// The router scores experts with a sigmoid, chooses by score plus a learned bias, and weighs by the score without the
/// bias, normalised over the chosen ones.
enum LFM2MoE: Architecture {
    static let name = "lfm2moe"

    private static let sigmoid = 2
    /// The number that is added to the sum that weights are divided by, as in the reference implementation.
    private static let smallest: Float = 1e-6

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
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
        return try LFM2.describe(parts) { layer in
            guard layer >= leading else { return .dense(try parts.dense(layer: layer)) }
            let prefix = parts.prefix(layer)
            let width = parts.common.embedding
            let binder = parts.binder
            return .mixture(
                MixtureFeedForward(
                    router: Router(
                        matrix: try binder.matrix(prefix + "ffn_gate_inp", rows: experts, columns: width),
                        score: .sigmoid,
                        choiceBias: try binder.optionalVector(prefix + "exp_probs_b.bias", count: experts), used: used,
                        normalization: smallest),
                    gates: try binder.stack(prefix + "ffn_gate_exps", count: experts, rows: inner, columns: width),
                    ups: try binder.stack(prefix + "ffn_up_exps", count: experts, rows: inner, columns: width),
                    downs: try binder.stack(prefix + "ffn_down_exps", count: experts, rows: width, columns: inner)))
        }
    }
}

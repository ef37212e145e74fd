/// gpt-oss (OpenAI): every layer a mixture of experts, every second one with a sliding window, and attention whose
/// heads may look at nothing (sinks).
///
/// `post_attention_norm` is the norm in front of the experts, despite its name.
enum GPTOSS: Architecture {
    static let name = "gpt-oss"
    static let harmlessKeys: [String]? = HarmlessKeys.common

    /// The limit to which gates and ups are clamped.
    private static let limit: Float = 7

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        let reader = parts.reader
        let experts = try reader.int("expert_count", in: 1...4096)
        let used = try reader.int("expert_used_count", in: 1...experts)
        let inner = try reader.int("expert_feed_forward_length", in: CommonHyperparameters.lengthRange)
        let window = try reader.int("attention.sliding_window", in: 1...Int(Int32.max))
        let slides = try parts.slidingLayers(period: 2)
        // One rotation for all layers: those with a window are stretched too.
        var rope = try parts.rope(interleaved: false)
        rope.roundsYaRN = false
        var model = try parts.model(ropes: [rope]) { layer in
            let prefix = parts.prefix(layer)
            var block = try parts.attention(layer: layer, cacheIndex: layer, rope: 0)
            if slides[layer] { block.window = window }
            block.sinks = try parts.binder.vector(prefix + "attn_sinks.weight", count: block.heads)
            let matrices = try parts.experts(layer: layer, count: experts, inner: inner)
            return DecoderLayer(
                mixerNorm: try parts.norm(prefix + "attn_norm"), mixer: .attention(block),
                feedForwardNorm: try parts.norm(prefix + "post_attention_norm"),
                feedForward: .mixture(
                    MixtureFeedForward(
                        router: Router(
                            matrix: try parts.binder.matrix(
                                prefix + "ffn_gate_inp", rows: experts, columns: parts.common.embedding, bias: true),
                            score: .softmaxOfChosen, used: used),
                        gates: matrices.gates, ups: matrices.ups, downs: matrices.downs,
                        activation: .clampedSilu(limit: limit))))
        }
        model.head = OutputHead(
            matrix: try parts.binder.matrix("output", rows: parts.vocabularySize, columns: parts.common.embedding))
        return model
    }
}

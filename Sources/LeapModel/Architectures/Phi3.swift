/// Phi 3 and 4 mini (Microsoft): Q, K and V in one tensor, gate and up in another, rotation of a part of each head, and
/// LongRoPE factors for long contexts.
enum Phi3: Architecture {
    static let name = "phi3"

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        try parts.refuseExperts()
        let window = try parts.reader.optionalInt("attention.sliding_window", in: 0...Int(Int32.max)) ?? 0
        return try parts.model(ropes: [try parts.rope(interleaved: false)]) { layer in
            DecoderLayer(
                mixerNorm: try parts.norm(parts.prefix(layer) + "attn_norm"),
                mixer: .attention(try attention(parts, layer: layer, window: window)),
                feedForwardNorm: try parts.norm(parts.prefix(layer) + "ffn_norm"),
                feedForward: .dense(try feedForward(parts, layer: layer)))
        }
    }

    private static func attention(_ parts: DecoderParts, layer: Int, window: Int) throws -> AttentionBlock {
        var block = try parts.fusedOrSeparateAttention(layer: layer, cacheIndex: layer, rope: 0)
        block.window = window
        return block
    }

    private static func feedForward(_ parts: DecoderParts, layer: Int) throws -> DenseFeedForward {
        let prefix = parts.prefix(layer)
        guard !parts.binder.has(prefix + "ffn_gate.weight") else { return try parts.dense(layer: layer) }
        let inner = try parts.innerLength(layer)
        let fused = try parts.binder.matrix(prefix + "ffn_up", rows: 2 * inner, columns: parts.common.embedding)
        return DenseFeedForward(
            gate: fused.rows(0..<inner), up: fused.rows(inner..<2 * inner),
            down: try parts.binder.matrix(prefix + "ffn_down", rows: parts.common.embedding, columns: inner))
    }
}

/// Qwen3-VL (Alibaba), the language model: Qwen 3 whose pairs turn by rows and columns of pictures, and whose first
/// layers add vectors from within the vision tower (DeepStack).
enum Qwen3VL: Architecture {
    static let name = "qwen3vl"
    static let harmlessKeys: [String]? = HarmlessKeys.common

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        try parts.refuseExperts()
        return try describe(parts) { .dense(try parts.dense(layer: $0)) }
    }

    /// The model with a given choice of feed-forward networks; the mixture variant shares the rest.
    static func describe(
        _ parts: DecoderParts, feedForward: (Int) throws -> DecoderLayer.FeedForward
    ) throws -> LanguageModel {
        var model = try parts.model(ropes: [try parts.sectionedRope()]) { layer in
            DecoderLayer(
                mixerNorm: try parts.norm(parts.prefix(layer) + "attn_norm"),
                mixer: .attention(try parts.attention(layer: layer, cacheIndex: layer, rope: 0)),
                feedForwardNorm: try parts.norm(parts.prefix(layer) + "ffn_norm"), feedForward: try feedForward(layer))
        }
        model.stack.additionCount = try parts.reader.optionalInt("n_deepstack_layers", in: 0...parts.common.layers) ?? 0
        return model
    }
}

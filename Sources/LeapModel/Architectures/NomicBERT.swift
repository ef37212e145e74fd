/// Nomic BERT (nomic-embed-text v1 and v1.5): BERT with rotary positions in place of learned ones, SiLU gates, and no
/// biases but those of norms.
enum NomicBERT: Architecture {
    static let name = "nomic-bert"
    static let isEncoder = true
    static let harmlessKeys: [String]? = HarmlessKeys.common + HarmlessKeys.encoder

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        return try describe(parts) { .dense(try parts.dense(layer: $0)) }
    }

    /// The model with a given choice of feed-forward networks; the mixture variant shares the rest.
    static func describe(
        _ parts: DecoderParts, feedForward: (Int) throws -> DecoderLayer.FeedForward
    ) throws -> LanguageModel {
        try parts.refuseCausalAttention()
        let layers = try (0..<parts.common.layers).map { layer in
            try parts.postNormLayer(layer: layer, rope: 0, feedForward: try feedForward(layer))
        }
        return LanguageModel(
            embedding: try parts.typedEmbedding(),
            stack: LayerStack(
                width: parts.common.embedding, layers: layers, ropes: [try parts.rope(interleaved: false)],
                isCausal: false))
    }
}

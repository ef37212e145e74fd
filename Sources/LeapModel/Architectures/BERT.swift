/// BERT (Google) as text encoders use it: attention to all positions, learned positions, norms after each block, GELU,
/// biases.
enum BERT: Architecture {
    static let name = "bert"
    static let isEncoder = true

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        try parts.refuseCausalAttention()
        let common = parts.common
        let layers = try (0..<common.layers).map { layer in
            try parts.postNormLayer(layer: layer, rope: nil, feedForward: .plain(try parts.plain(layer: layer)))
        }
        let positions = parts.binder.rowCount("position_embd.weight")
        guard positions >= common.contextLength else {
            throw EngineError(
                .invalidTensor,
                "tensor position_embd.weight has \(positions) rows but \(parts.reader.key("context_length")) is \(common.contextLength): it needs one row for each position",
                field: "position_embd.weight")
        }
        var embedding = try parts.typedEmbedding()
        embedding.positions = try parts.binder.lookupTable("position_embd", rows: positions, columns: common.embedding)
        return LanguageModel(
            embedding: embedding, stack: LayerStack(width: common.embedding, layers: layers, isCausal: false))
    }
}

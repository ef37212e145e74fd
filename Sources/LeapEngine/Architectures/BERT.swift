import LeapGGUF

/// BERT (Google) as text encoders use it: attention to all positions, learned positions, norms behind each block, GELU, biases.
enum BERT: Architecture {
    static let name = "bert"

    static func decoder(_ parts: DecoderParts) throws -> Decoder {
        let common = parts.common
        let layers = try (0..<common.layers).map { layer in
            let prefix = parts.prefix(layer)
            var attention = try parts.fusedOrSeparateAttention(layer: layer, cacheIndex: layer, rope: nil)
            attention.window = 0
            return DecoderLayer(
                mixerNorm: try norm(parts, prefix + "attn_output_norm"), mixer: .attention(attention),
                feedForwardNorm: try norm(parts, prefix + "layer_output_norm"),
                feedForward: .plain(
                    PlainFeedForward(
                        up: try parts.binder.matrix(
                            prefix + "ffn_up", rows: try parts.innerLength(layer), columns: common.embedding, bias: true
                        ),
                        down: try parts.binder.matrix(
                            prefix + "ffn_down", rows: common.embedding, columns: try parts.innerLength(layer),
                            bias: true)
                    )), isNormedAfter: true)
        }
        let positions = parts.binder.rowCount("position_embd.weight")
        guard positions >= common.contextLength else {
            throw EngineError(
                .invalidTensor,
                "tensor position_embd.weight has \(positions) rows but \(parts.reader.key("context_length")) is \(common.contextLength): each position needs one",
                field: "position_embd.weight")
        }
        var decoder = Decoder(
            embedding: try parts.embedding(), layers: layers, outputNorm: nil, output: try parts.embedding(), ropes: [])
        decoder.isCausal = false
        decoder.positionEmbedding = try parts.binder.matrix(
            "position_embd", rows: positions, columns: common.embedding)
        decoder.typeEmbedding = try typeEmbedding(parts)
        decoder.embeddingNorm = try norm(parts, "token_embd_norm")
        return decoder
    }

    private static func norm(_ parts: DecoderParts, _ name: String) throws -> Norm {
        let count = parts.common.embedding
        return .layer(
            LayerNorm(
                weight: try parts.binder.vector("\(name).weight", count: count),
                bias: try parts.binder.optionalVector("\(name).bias", count: count), epsilon: parts.common.epsilon))
    }

    /// What marks the tokens of the first of two texts; texts that are embedded are alone.
    private static func typeEmbedding(_ parts: DecoderParts) throws -> FloatVector? {
        guard parts.binder.has("token_types.weight") else { return nil }
        let rows = max(parts.binder.rowCount("token_types.weight"), 1)
        let table = try parts.binder.floats("token_types.weight", shape: [parts.common.embedding, rows])
        return table.slice(0..<parts.common.embedding)
    }
}

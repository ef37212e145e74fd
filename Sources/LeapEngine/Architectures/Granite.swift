/// Granite 3 (IBM): Llama's layers with multipliers on embeddings, scores, residuals and logits.
enum Granite: Architecture {
    static let name = "granite"

    static func decoder(_ parts: DecoderParts) throws -> Decoder {
        let reader = parts.reader
        var decoder = try parts.plainDecoder(interleaved: true)
        decoder.embeddingScale = try reader.optionalFloat("embedding_scale", in: 0...1e6) ?? 1
        decoder.logitScale = 1 / (try reader.float("logit_scale", in: 1e-6...1e6))
        let residual = try reader.optionalFloat("residual_scale", in: 0...1e6) ?? 1
        // The converter writes `finetuned: false` for the variants without positions.
        let rotates = try reader.optionalBool("rope.scaling.finetuned") ?? true
        for index in decoder.layers.indices {
            decoder.layers[index].residualScale = residual == 0 ? 1 : residual
            guard !rotates, case .attention(var block) = decoder.layers[index].mixer else { continue }
            block.rope = nil
            decoder.layers[index].mixer = .attention(block)
        }
        return decoder
    }
}

/// Granite 3 (IBM): Llama's layers with multipliers on embeddings, scores, residuals and logits.
enum Granite: Architecture {
    static let name = "granite"

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        let reader = parts.reader
        var model = try parts.plainModel(interleaved: true)
        model.embedding.scale = try reader.optionalFloat("embedding_scale", in: 0...1e6) ?? 1
        model.head?.scale = 1 / (try reader.float("logit_scale", in: 1e-6...1e6))
        let residual = try reader.optionalFloat("residual_scale", in: 0...1e6) ?? 1
        // The converter writes `finetuned: false` for the variants without positions.
        let rotates = try reader.optionalBool("rope.scaling.finetuned") ?? true
        for index in model.stack.layers.indices {
            model.stack.layers[index].residualScale = residual == 0 ? 1 : residual
            guard !rotates, case .attention(var block) = model.stack.layers[index].mixer else { continue }
            block.rope = nil
            model.stack.layers[index].mixer = .attention(block)
        }
        return model
    }
}

/// SmolLM 3 (Hugging Face): Llama's layers, every fourth of them without positions.
enum SmolLM3: Architecture {
    static let name = "smollm3"

    private static let period = 4

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        var model = try parts.plainModel(interleaved: true)
        for index in model.stack.layers.indices where (index + 1) % period == 0 {
            guard case .attention(var block) = model.stack.layers[index].mixer else { continue }
            block.rope = nil
            model.stack.layers[index].mixer = .attention(block)
        }
        return model
    }
}

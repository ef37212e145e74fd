/// Ministral 3 and later (Mistral AI): Llama's layers with YaRN, and queries that grow beyond the original context.
enum Mistral3: Architecture {
    static let name = "mistral3"
    static let harmlessKeys: [String]? = HarmlessKeys.common

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        var model = try parts.plainModel(interleaved: true)
        let scale = try parts.reader.optionalFloat("attention.temperature_scale", in: 0...1000) ?? 0
        guard scale > 0 else { return model }
        let step = try RopeSpecification.originalContext(parts.reader) ?? parts.common.contextLength
        for index in model.stack.layers.indices {
            guard case .attention(var block) = model.stack.layers[index].mixer else { continue }
            block.temperature = QueryTemperature(scale: scale, step: step)
            model.stack.layers[index].mixer = .attention(block)
        }
        return model
    }
}

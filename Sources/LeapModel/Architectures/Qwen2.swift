/// Qwen 2 and 2.5 (Alibaba): biases on Q, K and V.
enum Qwen2: Architecture {
    static let name = "qwen2"

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        try parts.plainModel(interleaved: false)
    }
}

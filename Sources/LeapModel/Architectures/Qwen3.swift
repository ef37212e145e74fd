/// Qwen 3 (Alibaba): norms over each head of Q and K in place of biases, and heads of a length of their own.
enum Qwen3: Architecture {
    static let name = "qwen3"

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        try parts.plainModel(interleaved: false)
    }
}

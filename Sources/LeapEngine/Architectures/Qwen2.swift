/// Qwen 2 and 2.5 (Alibaba): biases on Q, K and V.
enum Qwen2: Architecture {
    static let name = "qwen2"

    static func decoder(_ parts: DecoderParts) throws -> Decoder {
        try parts.plainDecoder(interleaved: false)
    }
}

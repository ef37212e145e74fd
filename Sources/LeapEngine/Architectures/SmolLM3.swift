/// SmolLM 3 (Hugging Face): Llama's layers, every fourth of them without positions.
enum SmolLM3: Architecture {
    static let name = "smollm3"

    private static let period = 4

    static func decoder(_ parts: DecoderParts) throws -> Decoder {
        var decoder = try parts.plainDecoder(interleaved: true)
        for index in decoder.layers.indices where (index + 1) % period == 0 {
            guard case .attention(var block) = decoder.layers[index].mixer else { continue }
            block.rope = nil
            decoder.layers[index].mixer = .attention(block)
        }
        return decoder
    }
}

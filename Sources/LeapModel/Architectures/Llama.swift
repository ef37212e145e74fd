/// Llama (Meta) and the many models that share its layers, such as Mistral 7B and SmolLM 2.
///
/// The converter interleaves the rows of Q and K, so the rotation pairs neighbours. Llama 3's frequency scaling comes
/// as the tensor `rope_freqs.weight`.
enum Llama: Architecture {
    static let name = "llama"

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        try parts.plainModel(interleaved: true)
    }
}

/// EmbeddingGemma (Google): the layers of ``Gemma3`` that see a text as a whole, the sliding ones half a window to each
/// side.
enum GemmaEmbedding: Architecture {
    static let name = "gemma-embedding"
    static let isEncoder = true
    static let harmlessKeys: [String]? = HarmlessKeys.common + HarmlessKeys.encoder

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        try parts.refuseCausalAttention()
        let reach = try parts.symmetricReach()
        var model = try Gemma3.describe(parts) { _, slides, block in
            if slides { block.reach = reach }
        }
        model.stack.isCausal = false
        model.head = nil
        return model
    }
}

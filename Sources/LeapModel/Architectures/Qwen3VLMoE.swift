/// Qwen3-VL (Alibaba) with mixtures of experts in place of the dense networks: Qwen3-VL-30B-A3B.
enum Qwen3VLMoE: Architecture {
    static let name = "qwen3vlmoe"
    static let harmlessKeys: [String]? = HarmlessKeys.common

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        try parts.refuseOtherMixtures()
        return try Qwen3VL.describe(parts) { .mixture(try parts.softmaxMixture(layer: $0)) }
    }
}

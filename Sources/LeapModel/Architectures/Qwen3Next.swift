/// Qwen3-Next and Qwen3-Coder-Next (Alibaba): the layers of Qwen 3.5 with mixtures of experts, stored in another order.
///
/// Value heads of one key head are neighbours. One projection has the betas and the time steps, and in older files
/// another one has queries, keys, values and gates.
enum Qwen3Next: Architecture {
    static let name = "qwen3next"
    static let harmlessKeys: [String]? = HarmlessKeys.common

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        try parts.refuseOtherMixtures()
        let isNormed = try parts.reader.optionalBool("norm_top_k_prob") ?? true
        try parts.refuse("norm_top_k_prob", "\(isNormed)", unless: isNormed, "true")
        return try Qwen35.describe(parts, ropes: [try parts.rope(interleaved: false)], isGrouped: true) { layer in
            try Qwen35MoE.mixture(parts, layer: layer)
        }
    }

    static func draftLayer(_ parts: DecoderParts, layer: Int, cacheIndex: Int) throws -> DecoderLayer? {
        try Qwen35MoE.draftLayer(parts, layer: layer, cacheIndex: cacheIndex)
    }
}

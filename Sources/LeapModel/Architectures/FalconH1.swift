/// Falcon-H1 (Technology Innovation Institute): attention and Mamba-2 side by side in every layer, in front of a dense
/// network.
///
/// The multipliers of the published models are in the weights already: the converter puts them there. It names the norm
/// in front of a network without the usual end.
enum FalconH1: Architecture {
    static let name = "falcon-h1"
    static let harmlessKeys: [String]? = HarmlessKeys.common
    static let refusesOtherTensors = true

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        try parts.refuseExperts()
        return try parts.model(ropes: [try parts.rope(interleaved: false)]) { layer in
            let prefix = parts.prefix(layer)
            let networkNorm = prefix + "ffn_norm"
            let weight = try parts.binder.vector(
                parts.binder.has(networkNorm) ? networkNorm : networkNorm + ".weight", count: parts.common.embedding)
            return DecoderLayer(
                mixerNorm: try parts.norm(prefix + "attn_norm"),
                mixer: .attentionAndMamba(
                    try parts.attention(layer: layer, cacheIndex: layer, rope: 0),
                    try parts.mamba(layer: layer, cacheIndex: layer, isNormed: false)),
                feedForwardNorm: .rms(RMSNorm(weight: weight, epsilon: parts.common.epsilon)),
                feedForward: .dense(try parts.dense(layer: layer)))
        }
    }
}

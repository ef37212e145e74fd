/// Nemotron-H and Nemotron Nano 2 (NVIDIA): each layer is Mamba-2, attention without positions, or a network without a
/// gate, after one norm.
///
/// Layers with a length of their network are networks, others with key/value heads are attention, and the rest is
/// Mamba-2.
enum NemotronH: Architecture {
    static let name = "nemotron_h"
    static let harmlessKeys: [String]? = HarmlessKeys.common
    static let refusesOtherTensors = true

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        try parts.refuseExperts()
        return try describe(parts) { layer in
            var network = try parts.plain(layer: layer)
            network.activation = .squaredReLU
            return .plain(network)
        }
    }

    /// The model with a given choice of networks; the mixture variant shares the rest.
    static func describe(
        _ parts: DecoderParts, feedForward: (Int) throws -> DecoderLayer.FeedForward
    ) throws -> LanguageModel {
        // Files have the numbers of a rotation, which nothing is turned by.
        _ = try parts.rope(interleaved: false)
        let common = parts.common
        var attentionLayers = 0
        var recurrentLayers = 0
        return try parts.model(ropes: []) { layer in
            let norm = try parts.norm(parts.prefix(layer) + "attn_norm")
            if common.feedForward[layer] > 0 {
                return DecoderLayer(feedForwardNorm: norm, feedForward: try feedForward(layer))
            }
            if common.keyValueHeads[layer] > 0 {
                attentionLayers += 1
                let block = try parts.attention(layer: layer, cacheIndex: attentionLayers - 1, rope: nil)
                return DecoderLayer(mixerNorm: norm, mixer: .attention(block))
            }
            recurrentLayers += 1
            return DecoderLayer(
                mixerNorm: norm, mixer: .mamba(try parts.mamba(layer: layer, cacheIndex: recurrentLayers - 1)))
        }
    }
}

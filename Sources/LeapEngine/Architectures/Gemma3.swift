import LeapBase

/// Gemma 3 (Google): five layers with a sliding window to one that sees everything, norms before and after each block, GELU gates and
/// scaled embeddings.
///
/// Norm weights in the file have their 1 added already.
enum Gemma3: Architecture {
    static let name = "gemma3"

    /// The one size whose scores are scaled by embedding length over heads rather than by head length.
    private static let layersOf27B = 62

    static func decoder(_ parts: DecoderParts) throws -> Decoder {
        let reader = parts.reader
        let common = parts.common
        let window = try reader.optionalInt("attention.sliding_window", in: 0...Int(Int32.max)) ?? 0
        let slides = try slidingLayers(reader, layers: common.layers)
        var everywhere = try parts.rope(interleaved: false)
        if reader.metadata[reader.key("rope.freq_base")] == nil { everywhere.base = 1_000_000 }
        var local = everywhere
        local.base = try reader.optionalFloat("rope.freq_base_swa", in: 1...1e12) ?? 10_000
        local.scaling = .none
        local.isLocal = true

        let layers = try (0..<common.layers).map { layer in
            let prefix = parts.prefix(layer)
            var block = try parts.attention(layer: layer, cacheIndex: layer, rope: slides[layer] ? 1 : 0)
            if slides[layer] { block.window = window }
            if common.layers == layersOf27B, reader.metadata[reader.key("attention.scale")] == nil {
                block.scale = 1 / sqrtf(Float(common.embedding) / Float(common.heads[layer]))
            }
            return DecoderLayer(
                mixerNorm: try parts.norm(prefix + "attn_norm"), mixer: .attention(block),
                mixerPostNorm: try parts.norm(prefix + "post_attention_norm"),
                feedForwardNorm: try parts.norm(prefix + "ffn_norm"),
                feedForward: .dense(try parts.dense(layer: layer, activation: .gelu)),
                feedForwardPostNorm: try parts.norm(prefix + "post_ffw_norm"))
        }
        return Decoder(
            embedding: try parts.embedding(), embeddingScale: sqrtf(Float(common.embedding)), layers: layers,
            outputNorm: try parts.norm("output_norm"), output: try parts.output(),
            logitSoftcap: try reader.optionalFloat("final_logit_softcapping", in: 0...1e6) ?? 0,
            ropes: [everywhere, local])
    }

    /// Which layers have a sliding window: all but every sixth, unless the file says otherwise by a period or a list.
    private static func slidingLayers(_ reader: HyperparameterReader, layers: Int) throws -> [Bool] {
        let name = "attention.sliding_window_pattern"
        if case .array(let array)? = reader.metadata[reader.key(name)] {
            guard array.elementType == .bool, let flags = try reader.metadata.bools(reader.key(name)),
                flags.count == layers
            else { return try reader.perLayer(name, layers: layers, in: 0...1).map { $0 == 1 } }
            return flags
        }
        let period = try reader.optionalInt(name, in: 1...4096) ?? 6
        return (0..<layers).map { $0 % period != period - 1 }
    }
}

/// Granite 4 (IBM): Mamba-2 in most layers, attention in the others, mixtures of experts with one that every token goes
/// through, or dense networks; and Granite's multipliers of embeddings, scores, blocks and logits.
///
/// Layers without key/value heads are Mamba-2. Attention knows no positions, unless the file says otherwise.
enum GraniteHybrid: Architecture {
    static let name = "granitehybrid"
    static let harmlessKeys: [String]? = HarmlessKeys.common
    static let refusesOtherTensors = true

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        let reader = parts.reader
        // The converter writes `finetuned: false` where there is no rotation; it writes the numbers of one all the
        // same.
        let rope = try parts.rope(interleaved: true)
        let rotates = try reader.optionalBool("rope.scaling.finetuned") ?? true
        let residual = try scale(reader, "residual_scale")
        let experts = try reader.optionalInt("expert_count", in: 0...4096) ?? 0
        var attentionLayers = 0
        var recurrentLayers = 0
        var model = try parts.model(ropes: rotates ? [rope] : []) { layer in
            let prefix = parts.prefix(layer)
            let mixer: DecoderLayer.Mixer
            if parts.common.keyValueHeads[layer] == 0 {
                mixer = .mamba(try parts.mamba(layer: layer, cacheIndex: recurrentLayers))
                recurrentLayers += 1
            } else {
                mixer = .attention(
                    try parts.attention(layer: layer, cacheIndex: attentionLayers, rope: rotates ? 0 : nil))
                attentionLayers += 1
            }
            var described = DecoderLayer(
                mixerNorm: try parts.norm(prefix + "attn_norm"), mixer: mixer,
                feedForwardNorm: try parts.norm(prefix + "ffn_norm"),
                feedForward: experts > 0
                    ? .mixture(try mixture(parts, layer: layer, count: experts))
                    : .dense(try parts.dense(layer: layer)))
            described.residualScale = residual
            return described
        }
        model.embedding.scale = try scale(reader, "embedding_scale")
        model.head?.scale = 1 / (try scale(reader, "logit_scale"))
        return model
    }

    /// A multiplier; 1 where the file has none, or 0, which stands for none.
    private static func scale(_ reader: HyperparameterReader, _ name: String) throws -> Float {
        let given = try reader.optionalFloat(name, in: 0...1e6) ?? 1
        return given == 0 ? 1 : given
    }

    private static func mixture(_ parts: DecoderParts, layer: Int, count: Int) throws -> MixtureFeedForward {
        let (reader, binder, prefix, width) = (parts.reader, parts.binder, parts.prefix(layer), parts.common.embedding)
        let inner =
            try reader.optionalInt("expert_feed_forward_length", in: CommonHyperparameters.lengthRange)
            ?? parts.innerLength(layer)
        let experts = try parts.experts(layer: layer, count: count, inner: inner)
        var mixture = MixtureFeedForward(
            router: Router(
                matrix: try binder.matrix(prefix + "ffn_gate_inp", rows: count, columns: width),
                score: .softmaxOfChosen, used: try reader.int("expert_used_count", in: 1...count)),
            gates: experts.gates, ups: experts.ups, downs: experts.downs)
        let shared = try reader.optionalInt("expert_shared_feed_forward_length", in: 0...(1 << 20)) ?? 0
        guard shared > 0 else { return mixture }
        mixture.shared = MixtureFeedForward.SharedExpert(
            network: .dense(
                DenseFeedForward(
                    gate: try binder.matrix(prefix + "ffn_gate_shexp", rows: shared, columns: width),
                    up: try binder.matrix(prefix + "ffn_up_shexp", rows: shared, columns: width),
                    down: try binder.matrix(prefix + "ffn_down_shexp", rows: width, columns: shared))))
        return mixture
    }
}

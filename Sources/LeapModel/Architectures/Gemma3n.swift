import LeapBase
import LeapGGUF

/// Gemma 3n (Google, E2B and E4B), its text: Gemma 3 with streams side by side, residuals of low rank, vectors of the
/// token for every layer, gates of which the first layers keep the largest, and last layers that read the keys and
/// values of earlier ones.
///
/// Norm weights are used as they are: nothing is added to them.
enum Gemma3n: Architecture {
    static let name = "gemma3n"
    static let harmlessKeys: [String]? = HarmlessKeys.common
    static let refusesOtherTensors = true

    /// Values that files leave out: the number of layers in front of those that read keys and values of others, that of
    /// streams, and the cap of logits.
    private static let keepingLayers = 20
    private static let usualStreams = 4
    private static let usualSoftcap: Float = 30
    /// The layers that cut gates where a file does not say, and where they do: 95 of 100 numbers of a normal
    /// distribution are below.
    private static let cuttingLayers = 10
    private static let usualCutoff: Float = 1.6448533535

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        let (reader, common) = (parts.reader, parts.common)
        let attention = try GemmaAttention(
            parts, period: 5, readers: max(0, common.layers - keepingLayers), hasValues: true)
        let width = try reader.int("embedding_length_per_layer_input", in: 1...(1 << 16))
        let streams = try streamCount(reader)
        let cutoffs = try cutoffs(parts)
        var model = try parts.model(ropes: try attention.ropes()) { layer in
            let prefix = parts.prefix(layer)
            var dense = try parts.dense(layer: layer, activation: .gelu)
            dense.cutoff = cutoffs[layer]
            var tokenInput = try parts.tokenInput(layer: layer, width: width)
            tokenInput.scale = try parts.binder.vector(prefix + "altup_correct_scale.weight", count: common.embedding)
            return DecoderLayer(
                alternating: try alternating(parts, prefix, streams: streams),
                mixerNorm: try parts.norm(prefix + "attn_norm"), mixer: .attention(try attention.block(layer)),
                laurel: try laurel(parts, prefix), mixerPostNorm: try parts.norm(prefix + "post_attention_norm"),
                feedForwardNorm: try parts.norm(prefix + "ffn_norm"), feedForward: .dense(dense),
                feedForwardPostNorm: try parts.norm(prefix + "post_ffw_norm"), tokenInput: tokenInput)
        }
        model.embedding.scale = sqrtf(Float(common.embedding))
        model.embedding.perLayer = try parts.perLayerEmbedding(width: width)
        func square(_ name: String) throws -> [Matrix] {
            try parts.binder.stack(name, count: streams - 1, rows: common.embedding, columns: common.embedding)
        }
        model.stack.alternating = AlternatingStreams(
            projections: try square("altup_proj"), returns: try square("altup_unembd_proj"))
        model.head?.softcap = try reader.optionalFloat("final_logit_softcapping", in: 0...1e6) ?? usualSoftcap
        return model
    }

    /// Returns the number of streams; layers compute the first of them.
    private static func streamCount(_ reader: HyperparameterReader) throws -> Int {
        let active = try reader.optionalInt("altup.active_idx", in: 0...Int(Int32.max)) ?? 0
        guard active == 0 else {
            throw EngineError(
                .unsupportedArchitecture,
                "\(reader.key("altup.active_idx")) is \(active): only 0, the first stream, is supported",
                field: reader.key("altup.active_idx"))
        }
        return try reader.optionalInt("altup.num_inputs", in: 2...64) ?? usualStreams
    }

    /// Returns the cutoff of each layer's gates, in standard deviations above their mean; nil for layers without one.
    private static func cutoffs(_ parts: DecoderParts) throws -> [Float?] {
        let (reader, layers) = (parts.reader, parts.common.layers)
        let field = reader.key("activation_sparsity_scale")
        guard let given = try reader.metadata.floats(field) else {
            let cutting = layers > cuttingLayers ? cuttingLayers : 0
            return (0..<layers).map { $0 < cutting ? usualCutoff : nil }
        }
        guard given.count == layers else {
            throw EngineError(
                .invalidMetadata, "\(field) is \(given.count) numbers long but has to be \(layers), one for each layer",
                field: field)
        }
        // No part of the gates is below minus infinity.
        return try given.map { value in
            guard value != -.infinity else { return nil }
            guard value.isFinite else {
                throw EngineError(
                    .invalidMetadata,
                    "\(field) holds \(value): it has to be a number of standard deviations, or minus infinity for a layer that keeps all gates",
                    field: field)
            }
            return value
        }
    }

    private static func alternating(
        _ parts: DecoderParts, _ prefix: String, streams: Int
    ) throws -> AlternatingUpdate {
        let (binder, width) = (parts.binder, parts.common.embedding)
        return AlternatingUpdate(
            router: try binder.matrix(prefix + "altup_router", rows: streams, columns: width),
            routerNorm: try binder.rmsNorm(prefix + "altup_router_norm", count: width, epsilon: parts.common.epsilon),
            routerScale: 1 / Float(width),
            prediction: try binder.matrix(prefix + "altup_predict_coef", rows: streams * streams, columns: streams),
            correction: try binder.matrix(prefix + "altup_correct_coef", rows: streams, columns: streams))
    }

    private static func laurel(_ parts: DecoderParts, _ prefix: String) throws -> LaurelBlock {
        let (binder, width) = (parts.binder, parts.common.embedding)
        let rank = max(1, binder.rowCount(prefix + "laurel_l.weight"))
        return LaurelBlock(
            down: try binder.matrix(prefix + "laurel_l", rows: rank, columns: width),
            up: try binder.matrix(prefix + "laurel_r", rows: width, columns: rank),
            norm: try parts.norm(prefix + "laurel_post_norm"), scale: 1 / sqrtf(2))
    }
}

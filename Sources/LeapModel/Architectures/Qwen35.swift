import LeapBase
import LeapGGUF

/// Qwen 3.5 and 3.6 (Alibaba): Gated DeltaNet in most layers, attention with gated heads in every fourth.
///
/// Norm weights in the file have their 1 added already. Pairs of elements turn by rows and columns of pictures, as
/// `rope.dimension_sections` says.
enum Qwen35: Architecture {
    static let name = "qwen35"
    static let harmlessKeys: [String]? = HarmlessKeys.common

    /// Every so many layers one has attention, unless the file says otherwise.
    private static let defaultInterval = 4

    static func describe(_ parts: DecoderParts) throws -> LanguageModel {
        try parts.refuseExperts()
        return try describe(parts, ropes: [try parts.sectionedRope()]) { .dense(try parts.dense(layer: $0)) }
    }

    static func draftLayer(_ parts: DecoderParts, layer: Int, cacheIndex: Int) throws -> DecoderLayer? {
        try attentionLayer(
            parts, layer: layer, cacheIndex: cacheIndex, feedForward: .dense(try parts.dense(layer: layer)))
    }

    /// A layer with attention; those with a state differ from it in their mixer only.
    static func attentionLayer(
        _ parts: DecoderParts, layer: Int, cacheIndex: Int, feedForward: DecoderLayer.FeedForward
    ) throws -> DecoderLayer {
        try self.layer(
            parts, layer, mixer: .attention(try parts.gatedAttention(layer: layer, cacheIndex: cacheIndex, rope: 0)),
            feedForward: feedForward)
    }

    private static func layer(
        _ parts: DecoderParts, _ layer: Int, mixer: DecoderLayer.Mixer, feedForward: DecoderLayer.FeedForward
    ) throws -> DecoderLayer {
        DecoderLayer(
            mixerNorm: try parts.norm(parts.prefix(layer) + "attn_norm"), mixer: mixer,
            feedForwardNorm: try parts.norm(parts.prefix(layer) + "post_attention_norm"), feedForward: feedForward)
    }

    /// The model with a given choice of feed-forward networks; the variants with mixtures share the rest.
    ///
    /// - Parameters:
    ///   - ropes: the rotation of all layers with attention.
    ///   - isGrouped: whether neighbouring value heads share a key head.
    static func describe(
        _ parts: DecoderParts, ropes: [RopeSpecification], isGrouped: Bool = false,
        feedForward: (Int) throws -> DecoderLayer.FeedForward
    ) throws -> LanguageModel {
        let isRecurrent = try recurrentLayers(parts)
        var attentionLayers = 0
        var recurrentLayers = 0
        return try parts.model(ropes: ropes) { layer in
            guard isRecurrent[layer] else {
                attentionLayers += 1
                return try attentionLayer(
                    parts, layer: layer, cacheIndex: attentionLayers - 1, feedForward: try feedForward(layer))
            }
            recurrentLayers += 1
            return try self.layer(
                parts, layer,
                mixer: .deltaNet(
                    try deltaNet(parts, layer: layer, cacheIndex: recurrentLayers - 1, isGrouped: isGrouped)),
                feedForward: try feedForward(layer))
        }
    }

    /// Returns a flag for each layer, true if it is a Gated DeltaNet: as a list says, or all but every n-th.
    private static func recurrentLayers(_ parts: DecoderParts) throws -> [Bool] {
        let reader = parts.reader
        let name = "attention.recurrent_layers"
        let interval = try reader.optionalInt("full_attention_interval", in: 1...4096) ?? defaultInterval
        guard reader.metadata[reader.key(name)] != nil else {
            return (0..<parts.common.layers).map { ($0 + 1) % interval != 0 }
        }
        guard let flags = try reader.metadata.bools(reader.key(name)), flags.count >= parts.common.layers else {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key(name)) has to be a list with a flag for each of the \(parts.common.layers) layers",
                field: reader.key(name))
        }
        return Array(flags.prefix(parts.common.layers))
    }

    private static func deltaNet(
        _ parts: DecoderParts, layer: Int, cacheIndex: Int, isGrouped: Bool
    ) throws -> DeltaNetBlock {
        let (reader, binder, prefix, width) = (parts.reader, parts.binder, parts.prefix(layer), parts.common.embedding)
        let head = try reader.int("ssm.state_size", in: 1...RecurrenceShape.longestKey)
        let keyHeads = try reader.int("ssm.group_count", in: 1...65536)
        let valueHeads = try reader.int("ssm.time_step_rank", in: 1...65536)
        try parts.checkMultiple("ssm.time_step_rank", valueHeads, of: "ssm.group_count", keyHeads)
        let inner = try reader.int("ssm.inner_size", in: 1...(1 << 25))
        guard inner == valueHeads * head else {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("ssm.inner_size")) is \(inner): it has to be \(valueHeads * head), \(valueHeads) heads of \(head) elements",
                field: reader.key("ssm.inner_size"))
        }
        let taps = try reader.int("ssm.conv_kernel", in: 1...RecurrenceShape.maxTaps)
        let channels = 2 * keyHeads * head + inner
        // Only grouped heads have projections that are joined.
        let isJoined = isGrouped && binder.has(prefix + "ssm_in.weight")
        return DeltaNetBlock(
            input: isJoined
                ? try binder.matrix(prefix + "ssm_in", rows: channels + inner, columns: width)
                : try binder.matrix(prefix + "attn_qkv", rows: channels, columns: width),
            gate: isJoined ? nil : try binder.matrix(prefix + "attn_gate", rows: inner, columns: width),
            beta: isGrouped
                ? try binder.matrix(prefix + "ssm_ba", rows: 2 * valueHeads, columns: width)
                : try binder.matrix(prefix + "ssm_beta", rows: valueHeads, columns: width),
            timeStep: isGrouped ? nil : try binder.matrix(prefix + "ssm_alpha", rows: valueHeads, columns: width),
            output: try binder.matrix(prefix + "ssm_out", rows: width, columns: inner),
            filters: try binder.floats(prefix + "ssm_conv1d.weight", shape: [taps, channels]),
            timeBias: try binder.vector(prefix + "ssm_dt.bias", count: valueHeads),
            decay: try binder.vector(prefix + "ssm_a", count: valueHeads),
            norm: try binder.rmsNorm(prefix + "ssm_norm", count: head, epsilon: parts.common.epsilon),
            recurrence: RecurrenceShape(
                keyHeads: keyHeads, valueHeads: valueHeads, keyLength: head, valueLength: head, taps: taps,
                form: .deltaNet, isGrouped: isGrouped), cacheIndex: cacheIndex)
    }
}

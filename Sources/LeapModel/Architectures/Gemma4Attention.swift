import LeapBase

/// The attention of Gemma 4: which layers have windows, how long the heads of each kind are, and whose keys and values a layer reads.
struct Gemma4Attention {
    private let parts: DecoderParts
    private let slides: [Bool]
    private let window: Int
    /// Elements of the heads of layers with a window.
    private let slidingHead: Int
    /// Layers from this one on read keys and values of earlier ones.
    private let firstReader: Int
    private let scale: Float

    /// Reads the numbers.
    init(_ parts: DecoderParts) throws {
        self.parts = parts
        let reader = parts.reader
        guard reader.metadata[reader.key("attention.sliding_window_pattern")] != nil else {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("attention.sliding_window_pattern")) is missing: a gemma4 model needs it to tell which layers have a window",
                field: reader.key("attention.sliding_window_pattern"))
        }
        slides = try parts.slidingLayers(period: 6)
        window = try reader.int("attention.sliding_window", in: 1...Int(Int32.max))
        slidingHead =
            try reader.optionalInt("attention.key_length_swa", in: 1...AttentionBlock.largestHead)
            ?? parts.common.headDimension
        let value = try reader.optionalInt("attention.value_length_swa", in: 1...AttentionBlock.largestHead)
        if let value, value != slidingHead {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("attention.value_length_swa")) is \(value) but keys have \(slidingHead) elements: heads whose keys and values differ in length are not supported",
                field: reader.key("attention.value_length_swa"))
        }
        let shared = try reader.optionalInt("attention.shared_kv_layers", in: 0...parts.common.layers) ?? 0
        firstReader = parts.common.layers - shared
        // Queries and keys are normed: their products need no scale.
        let given = try reader.optionalFloat("attention.scale", in: 0...1e6) ?? 0
        scale = given > 0 ? given : 1
    }

    /// The rotations of layers that see everything, and of those with a window.
    func ropes() throws -> [RopeSpecification] {
        let reader = parts.reader
        let everywhere = try RopeSpecification(
            reader, binder: parts.binder, headDimension: parts.common.headDimension, interleaved: false,
            defaultBase: 1_000_000)
        let dimensions = try reader.optionalInt("rope.dimension_count_swa", in: 0...slidingHead) ?? slidingHead
        guard dimensions % 2 == 0, dimensions > 0 else {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("rope.dimension_count_swa")) is \(dimensions): rotary embedding needs an even number of elements, at least 2",
                field: reader.key("rope.dimension_count_swa"))
        }
        var local = RopeSpecification(
            base: try reader.optionalFloat("rope.freq_base_swa", in: 1...1e12) ?? 10_000, dimensions: dimensions,
            interleaved: false)
        local.isLocal = true
        return [everywhere, local]
    }

    /// The block of a layer.
    func block(_ layer: Int) throws -> AttentionBlock {
        let (binder, common) = (parts.binder, parts.common)
        let prefix = parts.prefix(layer)
        let (heads, embedding) = (common.heads[layer], common.embedding)
        let keyValueHeads = try parts.keyValueHeads(layer)
        let head = slides[layer] ? slidingHead : common.headDimension
        func norm(_ name: String) throws -> RMSNorm {
            try binder.rmsNorm(prefix + name, count: head, epsilon: common.epsilon)
        }
        var block = AttentionBlock(
            query: try binder.matrix(prefix + "attn_q", rows: heads * head, columns: embedding),
            output: try binder.matrix(prefix + "attn_output", rows: embedding, columns: heads * head),
            queryNorm: try norm("attn_q_norm"), heads: heads, keyValueHeads: keyValueHeads, headDimension: head,
            scale: scale, rope: slides[layer] ? 1 : 0, cacheIndex: layer)
        if slides[layer] { block.window = window }
        guard layer < firstReader else {
            block.cacheIndex = try source(of: layer)
            return block
        }
        let width = keyValueHeads * head
        block.key = try binder.matrix(prefix + "attn_k", rows: width, columns: embedding)
        block.value = try binder.optionalMatrix(prefix + "attn_v", rows: width, columns: embedding)
        block.keyNorm = try norm("attn_k_norm")
        block.valueNorm = RMSNorm(epsilon: common.epsilon)
        return block
    }

    /// The layer whose keys and values a layer reads: the last one of its kind that has some.
    private func source(of layer: Int) throws(EngineError) -> Int {
        let field = parts.reader.key("attention.shared_kv_layers")
        guard let source = slides[..<firstReader].lastIndex(of: slides[layer]) else {
            throw EngineError(
                .invalidMetadata,
                "\(field) is \(parts.common.layers - firstReader), but no layer in front of these \(slides[layer] ? "has a window" : "sees everything") as layer \(layer) does: there are no keys and values for it to read",
                field: field)
        }
        let (own, other) = (parts.common.keyValueHeads[layer], parts.common.keyValueHeads[source])
        guard own == other else {
            throw EngineError(
                .invalidMetadata,
                "layer \(layer) has \(own) key/value heads, but layer \(source), whose keys and values it reads, has \(other)",
                field: parts.reader.key("attention.head_count_kv"))
        }
        return source
    }
}

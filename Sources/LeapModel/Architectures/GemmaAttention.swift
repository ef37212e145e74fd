import LeapBase
import LeapGGUF

/// The attention of Gemma 3n and 4: which layers have windows, how long the heads of each kind are, and whose keys and
/// values a layer reads.
struct GemmaAttention {
    private let parts: DecoderParts
    private let slides: [Bool]
    private let window: Int
    /// Elements of the heads of layers with a window.
    private let slidingHead: Int
    /// Layers from this one on read keys and values of earlier ones.
    private let firstReader: Int
    private let scale: Float
    /// True if every layer has values of its own, rather than its keys where the file has no others.
    private let hasValues: Bool
    /// True if the positions of a picture see each other in layers with a window.
    private let seesWholeImages: Bool

    /// Reads the numbers.
    ///
    /// - Parameters:
    ///   - period: the last layer of every so many sees everything, where the file does not tell which do; nil where it
    ///     has to.
    ///   - readers: how many of the last layers read keys and values of earlier ones, where the file does not say.
    ///   - hasValues: whether every layer has values of its own, rather than its keys where the file has no others.
    ///   - seesWholeImages: whether the positions of a picture see each other in layers with a window.
    init(
        _ parts: DecoderParts, period: Int? = nil, readers: Int = 0, hasValues: Bool = false,
        seesWholeImages: Bool = false
    ) throws {
        self.parts = parts
        self.hasValues = hasValues
        self.seesWholeImages = seesWholeImages
        let reader = parts.reader
        guard period != nil || reader.metadata[reader.key("attention.sliding_window_pattern")] != nil else {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("attention.sliding_window_pattern")) is missing: a \(reader.architecture) model needs it to know which layers have a window",
                field: reader.key("attention.sliding_window_pattern"))
        }
        slides = try parts.slidingLayers(period: period ?? parts.common.layers)
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
        firstReader = parts.common.layers - (try Self.readers(reader, layers: parts.common.layers) ?? readers)
        // Queries and keys are normed: their products need no scale.
        let given = try reader.optionalFloat("attention.scale", in: 0...1e6) ?? 0
        scale = given > 0 ? given : 1
    }

    /// Returns the number of the last layers that read keys and values of earlier ones; some files of Gemma 3n have it
    /// as a float.
    private static func readers(_ reader: HyperparameterReader, layers: Int) throws -> Int? {
        let name = "attention.shared_kv_layers"
        guard let number = try reader.optionalFloat(name, in: 0...Float(layers)) else { return nil }
        guard let count = Int(exactly: number) else {
            throw EngineError(
                .invalidMetadata, "\(reader.key(name)) is \(number): it counts layers, so it has to be a whole number",
                field: reader.key(name))
        }
        return count
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

    /// The block of a layer without keys and values.
    func queries(_ layer: Int) throws -> AttentionBlock {
        let (binder, common) = (parts.binder, parts.common)
        let prefix = parts.prefix(layer)
        let (heads, embedding) = (common.heads[layer], common.embedding)
        let head = head(layer)
        var block = AttentionBlock(
            query: try binder.matrix(prefix + "attn_q", rows: heads * head, columns: embedding),
            output: try binder.matrix(prefix + "attn_output", rows: embedding, columns: heads * head),
            queryNorm: try binder.rmsNorm(prefix + "attn_q_norm", count: head, epsilon: common.epsilon), heads: heads,
            keyValueHeads: try parts.keyValueHeads(layer), headDimension: head, scale: scale,
            rope: slides[layer] ? 1 : 0, cacheIndex: layer)
        if slides[layer] { (block.window, block.seesWholeImages) = (window, seesWholeImages) }
        return block
    }

    /// Elements of a layer's heads.
    private func head(_ layer: Int) -> Int { slides[layer] ? slidingHead : parts.common.headDimension }

    /// The block of a layer.
    func block(_ layer: Int) throws -> AttentionBlock {
        let (binder, common) = (parts.binder, parts.common)
        let prefix = parts.prefix(layer)
        var block = try queries(layer)
        guard layer < firstReader else {
            block.cacheIndex = try source(of: layer)
            // Some files have what the layer was trained without.
            for name in ["attn_k", "attn_v", "attn_k_norm"] { binder.passOver("\(prefix)\(name).weight") }
            return block
        }
        let (width, embedding) = (block.keyValueHeads * block.headDimension, common.embedding)
        block.key = try binder.matrix(prefix + "attn_k", rows: width, columns: embedding)
        block.value =
            try hasValues
            ? binder.matrix(prefix + "attn_v", rows: width, columns: embedding)
            : binder.optionalMatrix(prefix + "attn_v", rows: width, columns: embedding)
        block.keyNorm = try binder.rmsNorm(
            prefix + "attn_k_norm", count: block.headDimension, epsilon: common.epsilon)
        block.valueNorm = RMSNorm(epsilon: common.epsilon)
        return block
    }

    /// The layer whose keys and values a layer reads: the last one of its kind that has some.
    private func source(of layer: Int) throws(EngineError) -> Int {
        let field = parts.reader.key("attention.shared_kv_layers")
        guard let source = slides[..<firstReader].lastIndex(of: slides[layer]) else {
            throw EngineError(
                .invalidMetadata,
                "\(field) is \(parts.common.layers - firstReader), but no earlier layer \(slides[layer] ? "has a window" : "sees everything") like layer \(layer): it has no keys and values to read",
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

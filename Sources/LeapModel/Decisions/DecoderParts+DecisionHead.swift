import LeapBase
import LeapGGUF

/// The heads of decision models that score options at masks.
extension DecoderParts {
    /// Adds the head of a decision model whose type has one: its blocks behind the layers, and its scorer.
    ///
    /// - Throws: ``EngineError`` that lists the missing tensors, or names a key or tensor that does not fit.
    func addDecisionHead(to layers: inout LanguageModel) throws {
        guard let type = try reader.maskDecisionType() else { return }
        try check(type, layers)
        let blocks = common.layers..<common.layers + common.decisionBlocks
        try refuseMissing(Self.headNames(blocks))
        let epsilon = try reader.optionalFloat("attention.layer_norm_epsilon", in: 0...1) ?? 1e-5
        let attentionLayers = layers.stack.layers.count { $0.mixer?.attention?.key != nil }
        var entry: StreamEntry? = StreamEntry(norm: layers.stack.outputNorm, types: try questionTypes())
        for (index, layer) in blocks.enumerated() {
            let prefix = prefix(layer)
            let inner = try innerLength(layer)
            let network = PlainFeedForward(
                up: try binder.biasedMatrix(prefix + "ffn_up", rows: inner, columns: common.embedding),
                down: try binder.biasedMatrix(prefix + "ffn_down", rows: common.embedding, columns: inner),
                activation: .relu)
            layers.stack.layers.append(
                DecoderLayer(
                    entry: entry, mixerNorm: try biasedNorm(prefix + "attn_norm", epsilon),
                    mixer: .attention(try headAttention(type, layer: layer, cacheIndex: attentionLayers + index)),
                    feedForwardNorm: try biasedNorm(prefix + "ffn_norm", epsilon), feedForward: .plain(network)))
            entry = nil
        }
        layers.stack.outputNorm = try biasedNorm("cls.norm", epsilon)
        let width = common.embedding
        layers.decisionHead = DecisionHead(
            scorer: Classifier(
                pooling: .none, dense: try binder.biasedMatrix("cls", rows: width, columns: width),
                activation: .exactGELU, output: try binder.biasedMatrix("cls.output", rows: 1, columns: width)))
        // Nothing is written: the matrix of the vocabulary is not needed.
        layers.head = nil
    }

    /// Refuses trunks that the type does not have.
    private func check(_ type: DecisionModelType, _ layers: LanguageModel) throws {
        let trunk = type == .laya ? ModernBERT.name : LFM2.name
        guard reader.architecture == trunk else {
            throw EngineError(
                .unsupportedArchitecture,
                "\(reader.key("decision.type")) is \"\(type.rawValue)\": decision models of this type are read of the architecture \(trunk) only, and this file's is \(reader.architecture)",
                field: reader.key("decision.type"))
        }
        guard !layers.stack.isCausal else {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("attention.causal")) has to be false: a decision model of the type \(type.rawValue) sees its whole prompt; the file was not converted correctly: convert it again",
                field: reader.key("attention.causal"))
        }
    }

    /// The names of all tensors of the head; those of queries, keys and values may be fused.
    private static func headNames(_ blocks: Range<Int>) -> [[String]] {
        func biased(_ name: String) -> [[String]] { [["\(name).weight"], ["\(name).bias"]] }
        let parts = ["q", "k", "v"]
        return blocks.flatMap { layer in
            let prefix = "blk.\(layer)."
            return ["attn_norm", "ffn_norm", "attn_output", "ffn_up", "ffn_down"].flatMap { biased(prefix + $0) }
                + parts.flatMap { part in
                    ["weight", "bias"].map { ["\(prefix)attn_qkv.\($0)", "\(prefix)attn_\(part).\($0)"] }
                }
        } + [["token_types.weight"]] + ["cls.norm", "cls", "cls.output"].flatMap(biased)
    }

    /// Refuses a file without some tensors, all of which the error names.
    ///
    /// - Parameter names: the names of a tensor, any of which it may have.
    private func refuseMissing(_ names: [[String]]) throws {
        var missing: [String] = []
        for alternatives in names where !alternatives.contains(where: { binder.has($0) }) {
            if !missing.contains(alternatives[0]) { missing.append(alternatives[0]) }
        }
        guard let first = missing.first else { return }
        let rest = missing.count > 12 ? ", and \(missing.count - 12) more" : ""
        throw EngineError(
            .missingTensor,
            "the head of the decision model lacks \(missing.count == 1 ? "the tensor" : "\(missing.count) tensors:") \(missing.prefix(12).joined(separator: ", "))\(rest): the file is incomplete, or has names that this version does not know",
            field: first)
    }

    private func biasedNorm(_ name: String, _ epsilon: Float) throws -> Norm {
        .layer(
            LayerNorm(
                weight: try binder.vector("\(name).weight", count: common.embedding),
                bias: try binder.vector("\(name).bias", count: common.embedding), epsilon: epsilon))
    }

    /// The vectors of the types of questions.
    private func questionTypes() throws -> Vector {
        let key = "tokenizer.ggml.token_type_count"
        let count = try reader.metadata.uint(key) ?? UInt64(DecisionHead.typeCount)
        guard count == UInt64(DecisionHead.typeCount) else {
            throw EngineError(
                .invalidMetadata,
                "\(key) is \(count): decision models have \(DecisionHead.typeCount) types of questions", field: key)
        }
        return try binder.floats("token_types.weight", shape: [common.embedding, DecisionHead.typeCount])
    }

    /// Attention of all positions to all others, without rotation; of one fused projection or three.
    private func headAttention(_ type: DecisionModelType, layer: Int, cacheIndex: Int) throws -> AttentionBlock {
        let (prefix, width) = (prefix(layer), common.embedding)
        let heads = type == .laya ? max(1, width / 64) : common.heads[layer]
        guard width % heads == 0, width / heads <= AttentionBlock.largestHead else {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("embedding_length")) is \(width), which the \(heads) heads of block \(layer) do not divide into heads of at most \(AttentionBlock.largestHead) elements",
                field: reader.key("embedding_length"))
        }
        let query: Matrix
        let key: Matrix
        let value: Matrix
        if binder.has(prefix + "attn_qkv.weight") {
            let fused = try binder.biasedMatrix(prefix + "attn_qkv", rows: 3 * width, columns: width)
            (query, key, value) = (
                fused.rows(0..<width), fused.rows(width..<2 * width), fused.rows(2 * width..<3 * width)
            )
        } else {
            query = try binder.biasedMatrix(prefix + "attn_q", rows: width, columns: width)
            key = try binder.biasedMatrix(prefix + "attn_k", rows: width, columns: width)
            value = try binder.biasedMatrix(prefix + "attn_v", rows: width, columns: width)
        }
        var block = AttentionBlock(
            query: query, key: key, value: value,
            output: try binder.biasedMatrix(prefix + "attn_output", rows: width, columns: width), heads: heads,
            keyValueHeads: heads, headDimension: width / heads, scale: 1 / Float(width / heads).squareRoot(), rope: nil,
            cacheIndex: cacheIndex)
        block.skipsMedia = true
        return block
    }
}

extension HyperparameterReader {
    /// The type of a decision model whose head scores options at masks; nil for others, and for no decision model.
    func maskDecisionType() throws -> DecisionModelType? {
        guard let name = try optionalString("decision.type"), let type = DecisionModelType(rawValue: name),
            !type.readsLabels
        else { return nil }
        return type
    }
}

import LeapBase
import LeapGGUF

/// The pieces that decoder architectures share, read from a file under the names that GGUF gives them.
struct DecoderParts {
    let reader: HyperparameterReader
    let binder: WeightBinder
    let common: CommonHyperparameters
    /// Token ids of the model: rows of its embedding table.
    let vocabularySize: Int

    /// Reads the numbers that all architectures have.
    ///
    /// - Parameters:
    ///   - vocabularySize: rows of tables of tokens; nil for as many as the embedding table has.
    ///   - countsAllBlocks: whether blocks that propose tokens are layers too, as they are all that a drafter has.
    init(
        file: GGUFFile, architecture: String, vocabularySize: Int? = nil, countsAllBlocks: Bool = false
    ) throws {
        reader = HyperparameterReader(metadata: file.metadata, architecture: architecture)
        binder = WeightBinder(file: file)
        common = try CommonHyperparameters(reader, countsAllBlocks: countsAllBlocks)
        self.vocabularySize = vocabularySize ?? binder.rowCount("token_embd.weight")
        guard self.vocabularySize > 0, self.vocabularySize <= Int(Int32.max) else {
            throw EngineError(
                .invalidTensor,
                "tensor token_embd.weight has \(self.vocabularySize) rows: it needs one for each token id",
                field: "token_embd.weight")
        }
    }

    /// The prefix of a layer's tensors.
    func prefix(_ layer: Int) -> String { "blk.\(layer)." }

    /// A norm over the stream.
    func norm(_ name: String) throws -> Norm {
        .rms(RMSNorm(weight: try binder.vector("\(name).weight", count: common.embedding), epsilon: common.epsilon))
    }

    /// A norm over heads, if the file has it.
    func headNorm(_ name: String) throws -> RMSNorm? {
        try binder.optionalVector("\(name).weight", count: common.headDimension)
            .map { RMSNorm(weight: $0, epsilon: common.epsilon) }
    }

    /// The embedding table.
    func embedding() throws -> Matrix {
        try binder.lookupTable("token_embd", rows: vocabularySize, columns: common.embedding)
    }

    /// The output head; the embedding table where the file has none of its own.
    func output() throws -> Matrix {
        try binder.optionalMatrix("output", rows: vocabularySize, columns: common.embedding) ?? embedding()
    }

    /// The rotation that all layers share.
    func rope(interleaved: Bool) throws -> RopeSpecification {
        try RopeSpecification(
            reader, binder: binder, headDimension: common.headDimension, interleaved: interleaved)
    }

    /// 1 / sqrt(head), or what `attention.scale` says.
    func attentionScale() throws -> Float {
        let given = try reader.optionalFloat("attention.scale", in: 0...1e6) ?? 0
        return given > 0 ? given : 1 / sqrtf(Float(common.headDimension))
    }

    /// An attention block with separate projections; biases and head norms are used where the file has them.
    func attention(layer: Int, cacheIndex: Int, rope: Int?) throws -> AttentionBlock {
        let prefix = prefix(layer)
        let heads = common.heads[layer]
        let keyValueHeads = try keyValueHeads(layer)
        let head = common.headDimension
        return AttentionBlock(
            query: try binder.matrix(prefix + "attn_q", rows: heads * head, columns: common.embedding, bias: true),
            key: try binder.matrix(
                prefix + "attn_k", rows: keyValueHeads * head, columns: common.embedding, bias: true),
            value: try binder.matrix(
                prefix + "attn_v", rows: keyValueHeads * head, columns: common.embedding, bias: true),
            output: try binder.matrix(
                prefix + "attn_output", rows: common.embedding, columns: heads * head, bias: true),
            queryNorm: try headNorm(prefix + "attn_q_norm"), keyNorm: try headNorm(prefix + "attn_k_norm"),
            heads: heads, keyValueHeads: keyValueHeads, headDimension: head, scale: try attentionScale(), rope: rope,
            cacheIndex: cacheIndex)
    }

    /// An attention block whose queries, keys and values come from one projection, where the file has them fused, or
    /// from three.
    func fusedOrSeparateAttention(layer: Int, cacheIndex: Int, rope: Int?) throws -> AttentionBlock {
        let prefix = prefix(layer)
        guard binder.has(prefix + "attn_qkv.weight") else {
            return try attention(layer: layer, cacheIndex: cacheIndex, rope: rope)
        }
        let head = common.headDimension
        let heads = common.heads[layer]
        let keyValueHeads = try keyValueHeads(layer)
        let q = heads * head
        let kv = keyValueHeads * head
        let fused = try binder.matrix(prefix + "attn_qkv", rows: q + 2 * kv, columns: common.embedding, bias: true)
        return AttentionBlock(
            query: fused.rows(0..<q), key: fused.rows(q..<q + kv), value: fused.rows(q + kv..<q + 2 * kv),
            output: try binder.matrix(prefix + "attn_output", rows: common.embedding, columns: q, bias: true),
            heads: heads, keyValueHeads: keyValueHeads, headDimension: head, scale: try attentionScale(), rope: rope,
            cacheIndex: cacheIndex)
    }

    /// An attention block whose heads are gated: the query projection has the rows of each head's queries, and behind
    /// them as many of its gates.
    func gatedAttention(layer: Int, cacheIndex: Int, rope: Int?) throws -> AttentionBlock {
        let prefix = prefix(layer)
        let heads = common.heads[layer]
        let keyValueHeads = try keyValueHeads(layer)
        let head = common.headDimension
        return AttentionBlock(
            query: try binder.matrix(prefix + "attn_q", rows: heads * 2 * head, columns: common.embedding, bias: true),
            key: try binder.matrix(
                prefix + "attn_k", rows: keyValueHeads * head, columns: common.embedding, bias: true),
            value: try binder.matrix(
                prefix + "attn_v", rows: keyValueHeads * head, columns: common.embedding, bias: true),
            output: try binder.matrix(
                prefix + "attn_output", rows: common.embedding, columns: heads * head, bias: true),
            queryNorm: try headNorm(prefix + "attn_q_norm"), keyNorm: try headNorm(prefix + "attn_k_norm"),
            heads: heads, keyValueHeads: keyValueHeads, headDimension: head, scale: try attentionScale(), rope: rope,
            cacheIndex: cacheIndex, hasGatesBehindQueries: true)
    }

    /// The key/value heads of a layer that must have some.
    func keyValueHeads(_ layer: Int) throws -> Int {
        let count = common.keyValueHeads[layer]
        guard count > 0 else {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("attention.head_count_kv")) is 0 for layer \(layer): this architecture has attention in every layer",
                field: reader.key("attention.head_count_kv"))
        }
        return count
    }

    /// A gated feed-forward network with separate projections.
    func dense(layer: Int, activation: GateActivation = .silu) throws -> DenseFeedForward {
        let prefix = prefix(layer)
        let inner = try innerLength(layer)
        return DenseFeedForward(
            gate: try binder.matrix(prefix + "ffn_gate", rows: inner, columns: common.embedding, bias: true),
            up: try binder.matrix(prefix + "ffn_up", rows: inner, columns: common.embedding, bias: true),
            down: try binder.matrix(prefix + "ffn_down", rows: common.embedding, columns: inner, bias: true),
            activation: activation)
    }

    /// The inner length of a layer's dense network, which must have one.
    func innerLength(_ layer: Int) throws -> Int {
        guard common.feedForward[layer] > 0 else {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("feed_forward_length")) is 0 for layer \(layer): it has to be 1 or more",
                field: reader.key("feed_forward_length"))
        }
        return common.feedForward[layer]
    }

    /// A model whose layers are attention and a dense network after one norm each, as most are.
    ///
    /// - Parameter interleaved: how the rotation pairs elements.
    func plainModel(interleaved: Bool) throws -> LanguageModel {
        try refuseExperts()
        return try model(ropes: [try rope(interleaved: interleaved)]) { layer in
            DecoderLayer(
                mixerNorm: try norm(prefix(layer) + "attn_norm"),
                mixer: .attention(try attention(layer: layer, cacheIndex: layer, rope: 0)),
                feedForwardNorm: try norm(prefix(layer) + "ffn_norm"), feedForward: .dense(try dense(layer: layer)))
        }
    }

    /// A model of layers between the embedding table, a norm and the output head.
    ///
    /// - Parameters:
    ///   - outputNorm: the name of the norm in front of the head.
    ///   - layer: describes a layer.
    func model(
        ropes: [RopeSpecification], outputNorm: String = "output_norm", layer: (Int) throws -> DecoderLayer
    ) throws -> LanguageModel {
        LanguageModel(
            embedding: TokenEmbedding(table: try embedding()),
            stack: LayerStack(
                width: common.embedding, layers: try (0..<common.layers).map(layer), outputNorm: try norm(outputNorm),
                ropes: ropes),
            head: OutputHead(matrix: try output()))
    }

    /// Refuses files of a dense architecture that hold experts all the same.
    func refuseExperts() throws {
        if let experts = try reader.optionalInt("expert_count", in: 0...Int(Int32.max)), experts > 0 {
            throw EngineError(
                .unsupportedArchitecture,
                "\(reader.key("expert_count")) is \(experts): models of the architecture \(reader.architecture) are supported only without experts",
                field: reader.key("expert_count"))
        }
    }
}

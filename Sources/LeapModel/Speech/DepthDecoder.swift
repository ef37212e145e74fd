import LeapGGUF

/// Layers that write a frame's codes one after the other, each from the language model's vector and the code before it:
/// the depthformer of LFM2-Audio, after RQ-Transformer (Lee and others 2022).
package struct DepthDecoder: Sendable {
    /// A codebook's tables.
    package struct Codebook: Sendable {
        /// The vector of each code, for the code after it.
        package let embedding: Matrix
        /// The norm in front of the logits.
        package let norm: Norm
        package let output: Matrix
    }

    /// The projection of the language model's vector to one for each codebook, one after the other.
    package let input: Matrix
    package let stack: LayerStack
    package let codebooks: [Codebook]

    /// Length of the vectors between the layers.
    package var length: Int { stack.width }

    private static let epsilon: Float = 1e-5
    private static let rotationBase: Float = 1e6

    init(_ binder: WeightBinder, _ metadata: GGUFMetadata) throws {
        func count(_ key: String, in range: ClosedRange<Int>) throws -> Int {
            guard let value = try metadata.int(key).flatMap(Int.init(exactly:)), range.contains(value) else {
                throw EngineError(
                    .invalidMetadata,
                    "\(key) is missing or out of range: it has to be between \(range.lowerBound) and \(range.upperBound)",
                    field: key)
            }
            return value
        }
        let layerCount = try count("depthformer_n_layer", in: 1...1024)
        let length = try count("depthformer_n_embd", in: 2...65_536)
        let columns = max(1, binder.columnCount("depth_linear.weight"))
        input = try binder.biasedMatrix(
            "depth_linear", rows: SpeechFrame.codebookCount * length, columns: columns)
        codebooks = try (0..<SpeechFrame.codebookCount).map { index in
            let prefix = "depth_embeddings.\(index)."
            return Codebook(
                embedding: try binder.matrix(prefix + "embedding", rows: SpeechFrame.codeCount, columns: length),
                norm: .rms(try binder.rmsNorm(prefix + "embedding_norm", count: length, epsilon: Self.epsilon)),
                output: try binder.matrix(prefix + "to_logits", rows: SpeechFrame.codeCount, columns: length))
        }
        var stack = LayerStack(width: length)
        var head = 0
        stack.layers = try (0..<layerCount).map { index in
            let prefix = "depthformer.layers.\(index)."
            let attention = try Self.attention(
                binder, prefix + "operator.", length: length, cacheIndex: index, head: head)
            head = attention.headDimension
            return try binder.layer(prefix, .attention(attention), length: length, epsilon: Self.epsilon)
        }
        stack.ropes = [RopeSpecification(base: Self.rotationBase, dimensions: head, interleaved: true)]
        self.stack = stack
    }

    /// Attention whose queries, keys and values come from one product.
    private static func attention(
        _ binder: WeightBinder, _ prefix: String, length: Int, cacheIndex: Int, head: Int
    ) throws -> AttentionBlock {
        let head = try binder.headDimension(prefix + "attention.q_layernorm.weight", earlier: head)
        let name = prefix + "qkv_proj.weight"
        let queries = max(1, binder.columnCount(prefix + "out_proj.weight"))
        let all = binder.rowCount(name)
        let (keys, rest) = max(0, all - queries).quotientAndRemainder(dividingBy: 2 * head)
        guard queries % head == 0, keys > 0, rest == 0, (queries / head) % keys == 0 else {
            throw EngineError(
                .invalidTensor,
                "tensor \(name) has \(all) rows: it needs \(queries) for queries, and keys and values in heads of \(head), whose number divides that of the queries",
                field: name)
        }
        let fused = try binder.matrix(prefix + "qkv_proj", rows: all, columns: length)
        let width = keys * head
        return AttentionBlock(
            query: fused.rows(0..<queries), key: fused.rows(queries..<queries + width),
            value: fused.rows(queries + width..<all),
            output: try binder.matrix(prefix + "out_proj", rows: length, columns: queries),
            queryNorm: try binder.rmsNorm(prefix + "attention.q_layernorm", count: head, epsilon: epsilon),
            keyNorm: try binder.rmsNorm(prefix + "attention.k_layernorm", count: head, epsilon: epsilon),
            heads: queries / head, keyValueHeads: keys, headDimension: head, scale: 1 / Float(head).squareRoot(),
            rope: 0, cacheIndex: cacheIndex)
    }
}

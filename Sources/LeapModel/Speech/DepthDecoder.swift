import LeapGGUF

/// Layers that write a frame's codes from the language model's vector.
package struct DepthDecoder: Sendable {
    /// The order in which the codes of a frame are written.
    package enum Order: Sendable {
        /// One after the other, each from those before it: the depthformer of LFM2-Audio, after RQ-Transformer (Lee and
        /// others 2022).
        case oneByOne
        /// So many in each pass, over layers that see all codebooks; in place of a code that is not known yet comes a
        /// vector (MaskGIT, Chang and others 2022).
        case inPasses([Int], mask: Vector)
    }

    /// A codebook's tables.
    package struct Codebook: Sendable {
        /// The vector of each code, for the codes after it.
        package let embedding: Matrix
        /// The norm in front of the logits; nil where the layers end with one.
        package let norm: Norm?
        package let output: Matrix
    }

    package let order: Order

    /// The projection of the language model's vector to one for each codebook, one after the other.
    package let input: Matrix
    package let stack: LayerStack
    package let codebooks: [Codebook]

    /// Length of the vectors between the layers.
    package var length: Int { stack.width }

    private static let epsilon: Float = 1e-5
    private static let rotationBase: Float = 1e6

    init(order: Order, input: Matrix, stack: LayerStack, codebooks: [Codebook]) {
        (self.order, self.input, self.stack, self.codebooks) = (order, input, stack, codebooks)
    }

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
        let form = SpeechForm.lfm2Audio
        order = .oneByOne
        input = try binder.biasedMatrix(
            "depth_linear", rows: form.codebookCount * length, columns: columns)
        codebooks = try (0..<form.codebookCount).map { index in
            let prefix = "depth_embeddings.\(index)."
            return Codebook(
                embedding: try binder.lookupTable(prefix + "embedding", rows: form.codeCount, columns: length),
                norm: .rms(try binder.rmsNorm(prefix + "embedding_norm", count: length, epsilon: Self.epsilon)),
                output: try binder.matrix(prefix + "to_logits", rows: form.codeCount, columns: length))
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

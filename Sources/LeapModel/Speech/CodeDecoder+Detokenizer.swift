import LeapGGUF

/// The detokenizer of LFM2.5-Audio, under the names that Liquid AI's own files have.
extension CodeDecoder {
    private static let epsilon: Float = 1e-5
    private static let rotationBase: Float = 1e6

    /// Reads the detokenizer of a vocoder's file.
    init(detokenizer binder: WeightBinder) throws {
        let length = max(1, binder.columnCount("emb.emb.weight"))
        let form = SpeechForm.lfm2Audio
        (codebookCount, codeCount) = (form.codebookCount, form.audioCodeCount)
        input = .mean(
            try binder.lookupTable("emb.emb", rows: codebookCount * codeCount, columns: length))
        output = try binder.biasedMatrix("lin", rows: Self.spectrumLength, columns: length)
        window = try binder.values("istft.window", count: Self.windowLength)
        guard window.allSatisfy(\.isFinite) else {
            throw EngineError(
                .invalidTensor,
                "tensor istft.window holds a value that is not a number: the file is damaged: get it again",
                field: "istft.window")
        }
        var stack = LayerStack(width: length)
        stack.outputNorm = .rms(try binder.rmsNorm("lfm.embedding_norm", count: length, epsilon: Self.epsilon))
        var (attentions, convolutions, head) = (0, 0, 0)
        for prefix in try binder.layerPrefixes("lfm.layers.", norm: "operator_norm") {
            let mixer: DecoderLayer.Mixer
            if binder.has(prefix + "conv.in_proj.weight") {
                mixer = .shortConvolution(
                    try binder.shortConvolution(
                        input: prefix + "conv.in_proj", filters: prefix + "conv.conv", output: prefix + "conv.out_proj",
                        length: length, cacheIndex: convolutions))
                convolutions += 1
            } else {
                let block = try Self.attention(
                    binder, prefix + "self_attn.", length: length, cacheIndex: attentions, head: head)
                head = block.headDimension
                mixer = .attention(block)
                attentions += 1
            }
            stack.layers.append(try binder.layer(prefix, mixer, length: length, epsilon: Self.epsilon))
        }
        if head > 0 {
            stack.ropes = [RopeSpecification(base: Self.rotationBase, dimensions: head, interleaved: false)]
        }
        self.stack = stack
    }

    private static func attention(
        _ binder: WeightBinder, _ prefix: String, length: Int, cacheIndex: Int, head: Int
    ) throws -> AttentionBlock {
        let head = try binder.headDimension(prefix + "q_layernorm.weight", earlier: head)
        let (queries, keys) = (
            binder.rowCount(prefix + "q_proj.weight"), binder.rowCount(prefix + "k_proj.weight")
        )
        guard queries > 0, keys > 0, queries % head == 0, keys % head == 0, queries % keys == 0 else {
            throw EngineError(
                .invalidTensor,
                "tensor \(prefix)q_proj.weight has \(queries) rows and k_proj.weight \(keys): both have to be whole heads of \(head), and the second a divisor of the first",
                field: prefix + "q_proj.weight")
        }
        var block = AttentionBlock(
            query: try binder.matrix(prefix + "q_proj", rows: queries, columns: length),
            key: try binder.matrix(prefix + "k_proj", rows: keys, columns: length),
            value: try binder.matrix(prefix + "v_proj", rows: keys, columns: length),
            output: try binder.matrix(prefix + "out_proj", rows: length, columns: queries),
            queryNorm: try binder.rmsNorm(prefix + "q_layernorm", count: head, epsilon: epsilon),
            keyNorm: try binder.rmsNorm(prefix + "k_layernorm", count: head, epsilon: epsilon),
            heads: queries / head, keyValueHeads: keys / head, headDimension: head,
            scale: 1 / Float(head).squareRoot(), rope: 0, cacheIndex: cacheIndex)
        block.window = attentionWindow
        return block
    }
}

extension WeightBinder {
    /// The length of a head's norm, which is that of the head.
    ///
    /// - Parameter earlier: that of the layers before, which has to be the same; 0 in the first one.
    func headDimension(_ name: String, earlier: Int) throws(EngineError) -> Int {
        let length = columnCount(name)
        guard length % 2 == 0, (2...AttentionBlock.largestHead).contains(length) else {
            throw EngineError(
                .invalidTensor,
                "tensor \(name) has \(length) elements, which is the length of a head: even numbers of 2 to \(AttentionBlock.largestHead) are supported",
                field: name)
        }
        guard earlier == 0 || length == earlier else {
            throw EngineError(
                .invalidTensor,
                "tensor \(name) has \(length) elements, but that of an earlier layer has \(earlier): they have to be equal",
                field: name)
        }
        return length
    }

    /// A layer around a mixer, under the names that Liquid AI's own files have.
    func layer(
        _ prefix: String, _ mixer: DecoderLayer.Mixer, length: Int, epsilon: Float
    ) throws(EngineError) -> DecoderLayer {
        DecoderLayer(
            mixerNorm: .rms(try rmsNorm(prefix + "operator_norm", count: length, epsilon: epsilon)), mixer: mixer,
            feedForwardNorm: .rms(try rmsNorm(prefix + "ffn_norm", count: length, epsilon: epsilon)),
            feedForward: .dense(try swiGLU(prefix + "feed_forward.", length: length)))
    }

    /// A gated feed-forward network under those names.
    private func swiGLU(_ prefix: String, length: Int) throws(EngineError) -> DenseFeedForward {
        let inner = max(1, rowCount(prefix + "w1.weight"))
        return DenseFeedForward(
            gate: try matrix(prefix + "w1", rows: inner, columns: length),
            up: try matrix(prefix + "w3", rows: inner, columns: length),
            down: try matrix(prefix + "w2", rows: length, columns: inner))
    }
}

import LeapGGUF

/// The pieces that encoders of text share: models that see a whole text at once and write none.
extension DecoderParts {
    /// A layer norm over the stream; with a bias where the file has one.
    func layerNorm(_ name: String) throws -> Norm {
        try binder.layerNorm(name, count: common.embedding, epsilon: common.epsilon)
    }

    /// A feed-forward network without a gate.
    func plain(layer: Int) throws -> PlainFeedForward {
        let prefix = prefix(layer)
        let inner = try innerLength(layer)
        return PlainFeedForward(
            up: try binder.matrix(prefix + "ffn_up", rows: inner, columns: common.embedding, bias: true),
            down: try binder.matrix(prefix + "ffn_down", rows: common.embedding, columns: inner, bias: true))
    }

    /// The embedding table with what BERT adds to its rows: the type of the text, and a norm.
    func typedEmbedding() throws -> TokenEmbedding {
        var embedding = TokenEmbedding(table: try self.embedding())
        if binder.has("token_types.weight") {
            let rows = max(binder.rowCount("token_types.weight"), 1)
            let table = try binder.floats("token_types.weight", shape: [common.embedding, rows])
            embedding.type = table.slice(0..<common.embedding)
            if rows > 1 { embedding.secondType = table.slice(common.embedding..<2 * common.embedding) }
        }
        embedding.norm = try layerNorm("token_embd_norm")
        return embedding
    }

    /// A layer as BERT's are, with norms of the stream after each block.
    func postNormLayer(
        layer: Int, rope: Int?, feedForward: DecoderLayer.FeedForward
    ) throws -> DecoderLayer {
        let prefix = prefix(layer)
        return DecoderLayer(
            mixerNorm: try layerNorm(prefix + "attn_output_norm"),
            mixer: .attention(try fusedOrSeparateAttention(layer: layer, cacheIndex: layer, rope: rope)),
            feedForwardNorm: try layerNorm(prefix + "layer_output_norm"), feedForward: feedForward,
            isNormedAfter: true)
    }

    /// Returns the number of positions that queries of sliding layers see to each side: half of the file's window,
    /// rounded down.
    func symmetricReach() throws -> Int {
        try reader.int("attention.sliding_window", in: 1...Int(Int32.max)) / 2
    }

    /// Refuses files that say that positions see those before them only, which these models are not made for.
    func refuseCausalAttention() throws {
        guard try reader.optionalBool("attention.causal") == true else { return }
        throw EngineError(
            .unsupportedArchitecture,
            "\(reader.key("attention.causal")) is true: \(reader.architecture) models attend in both directions",
            field: reader.key("attention.causal"))
    }
}

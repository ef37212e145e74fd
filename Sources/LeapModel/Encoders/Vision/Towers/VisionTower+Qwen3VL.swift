import LeapBase

extension VisionTower {
    /// Qwen3-VL's and Qwen3.5's tower (transformers, `modeling_qwen3_vl.py`): joined projections of queries, keys and
    /// values, rotations by rows and columns, and learned positions besides, whose corners are those of the picture.
    static func qwen3VL(_ reader: HyperparameterReader, _ binder: WeightBinder) throws -> VisionTower {
        let numbers = try TowerHyperparameters(reader)
        try numbers.checkGrid(reader)
        let length = numbers.length
        func norm(_ name: String) throws -> Norm {
            try binder.layerNorm(name, count: length, epsilon: numbers.epsilon)
        }
        let layers = try (0..<numbers.layers).map { layer in
            let prefix = "v.blk.\(layer)."
            let joined = try binder.matrix(prefix + "attn_qkv", rows: 3 * length, columns: length, bias: true)
            let attention = AttentionBlock(
                query: joined.rows(0..<length), key: joined.rows(length..<2 * length),
                value: joined.rows(2 * length..<3 * length),
                output: try binder.matrix(prefix + "attn_out", rows: length, columns: length, bias: true),
                heads: numbers.heads, keyValueHeads: numbers.heads, headDimension: numbers.head,
                scale: 1 / sqrtf(Float(numbers.head)), rope: 0)
            return DecoderLayer(
                mixerNorm: try norm(prefix + "ln1"), mixer: .attention(attention),
                feedForwardNorm: try norm(prefix + "ln2"),
                feedForward: .plain(try numbers.network(binder, prefix)))
        }
        var positions = try PositionGrid(binder, "v.position_embd", length: length)
        positions.alignsCorners = true
        return VisionTower(
            patchSize: numbers.patchSize, length: length, patches: try numbers.patches(binder),
            secondPatches: try numbers.patches(binder, weight: "weight.1"), positions: positions,
            stack: LayerStack(
                width: length, layers: layers, outputNorm: try norm("v.post_ln"),
                ropes: [.grid(base: 10_000, dimensions: numbers.head)], isCausal: false))
    }
}

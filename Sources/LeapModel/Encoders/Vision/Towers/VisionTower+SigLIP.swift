import LeapBase

extension VisionTower {
    /// SigLIP 2 (arXiv:2502.14786): layers with norms in front of their blocks, attention to all patches, GELU by tanh,
    /// learned positions and a norm at the end; no class token and no pooling.
    static func sigLIP(_ reader: HyperparameterReader, _ binder: WeightBinder) throws -> VisionTower {
        let numbers = try TowerHyperparameters(reader)
        let length = numbers.length
        func norm(_ name: String) throws -> Norm {
            try binder.layerNorm(name, count: length, epsilon: numbers.epsilon)
        }
        let layers = try (0..<numbers.layers).map { layer in
            let prefix = "v.blk.\(layer)."
            func square(_ name: String) throws -> Matrix {
                try binder.matrix(prefix + name, rows: length, columns: length, bias: true)
            }
            let attention = AttentionBlock(
                query: try square("attn_q"), key: try square("attn_k"), value: try square("attn_v"),
                output: try square("attn_out"), heads: numbers.heads, keyValueHeads: numbers.heads,
                headDimension: numbers.head, scale: 1 / sqrtf(Float(numbers.head)), rope: nil)
            return DecoderLayer(
                mixerNorm: try norm(prefix + "ln1"), mixer: .attention(attention),
                feedForwardNorm: try norm(prefix + "ln2"),
                feedForward: .plain(try numbers.network(binder, prefix)))
        }
        return VisionTower(
            patchSize: numbers.patchSize, length: length,
            patches: try numbers.patches(binder),
            positions: try PositionGrid(binder, "v.position_embd", length: length),
            stack: LayerStack(
                width: length, layers: layers,
                outputNorm: binder.has("v.post_ln.weight") ? try norm("v.post_ln") : nil, isCausal: false))
    }
}

extension TowerHyperparameters {
    /// The filters of patches, with a bias where the file has one.
    func patches(_ binder: WeightBinder, weight: String = "weight") throws -> Matrix {
        try binder.filters(
            "v.patch_embd", count: length, filter: [patchSize, patchSize, 3], bias: weight == "weight", weight: weight)
    }

    /// A layer's network without gates.
    func network(_ binder: WeightBinder, _ prefix: String) throws -> PlainFeedForward {
        PlainFeedForward(
            up: try binder.matrix(prefix + "ffn_up", rows: inner, columns: length, bias: true),
            down: try binder.matrix(prefix + "ffn_down", rows: length, columns: inner, bias: true),
            activation: .gelu)
    }
}

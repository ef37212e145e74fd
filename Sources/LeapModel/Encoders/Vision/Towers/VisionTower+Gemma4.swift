import LeapBase

extension VisionTower {
    /// Positions turn by this base (transformers, `configuration_gemma4.py`).
    private static let gemmaBase: Float = 100

    /// Gemma 4's tower (transformers, `modeling_gemma4.py`).
    ///
    /// Norms before and after each block, attention with norms of queries, keys and values, networks with GELU gates,
    /// learned positions of rows and of columns, and rotations of one half of each head by the column and of the other
    /// by the row. What products read and give may be cut to bounds.
    static func gemma4(_ reader: HyperparameterReader, _ binder: WeightBinder) throws -> VisionTower {
        let numbers = try TowerHyperparameters(reader)
        try numbers.checkGrid(reader)
        let (length, inner, head) = (numbers.length, numbers.inner, numbers.head)
        func rms(_ name: String, _ count: Int) throws -> RMSNorm {
            try binder.rmsNorm(name, count: count, epsilon: numbers.epsilon)
        }
        let layers = try (0..<numbers.layers).map { layer in
            let prefix = "v.blk.\(layer)."
            func square(_ name: String) throws -> Matrix {
                try binder.boundedMatrix(prefix + name, rows: length, columns: length)
            }
            let attention = AttentionBlock(
                query: try square("attn_q"), key: try square("attn_k"), value: try square("attn_v"),
                output: try square("attn_out"), queryNorm: try rms(prefix + "attn_q_norm", head),
                keyNorm: try rms(prefix + "attn_k_norm", head),
                valueNorm: RMSNorm(weight: nil, epsilon: numbers.epsilon), heads: numbers.heads,
                keyValueHeads: numbers.heads, headDimension: head, scale: 1, rope: 0, secondRope: 1)
            let network = DenseFeedForward(
                gate: try binder.boundedMatrix(prefix + "ffn_gate", rows: inner, columns: length),
                up: try binder.boundedMatrix(prefix + "ffn_up", rows: inner, columns: length),
                down: try binder.boundedMatrix(prefix + "ffn_down", rows: length, columns: inner), activation: .gelu)
            return DecoderLayer(
                mixerNorm: .rms(try rms(prefix + "ln1", length)), mixer: .attention(attention),
                mixerPostNorm: .rms(try rms(prefix + "attn_post_norm", length)),
                feedForwardNorm: .rms(try rms(prefix + "ln2", length)), feedForward: .dense(network),
                feedForwardPostNorm: .rms(try rms(prefix + "ffn_post_norm", length)))
        }
        func rope(_ axis: UInt8) -> RopeSpecification {
            var rope = RopeSpecification(base: gemmaBase, dimensions: head / 2, interleaved: false)
            rope.axes = [UInt8](repeating: axis, count: head / 4)
            return rope
        }
        return VisionTower(
            patchSize: numbers.patchSize, length: length, patches: try numbers.patches(binder),
            axisPositions: try AxisPositions(binder, "v.position_embd", length: length),
            stack: LayerStack(width: length, layers: layers, ropes: [rope(2), rope(1)], isCausal: false))
    }
}

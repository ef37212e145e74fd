import CLeapKernels

/// Grouped-query attention with rotary positions over the paged key/value cache.
struct AttentionBlock: Sendable {
    /// The largest head that the kernels take.
    static let largestHead = Int(LEAP_HEAD_DIM_MAX)

    /// Projections to `heads · headDimension` and twice `keyValueHeads · headDimension` outputs.
    var query: WeightMatrix
    var key: WeightMatrix
    var value: WeightMatrix
    /// Projection of all heads back to the stream.
    var output: WeightMatrix
    /// Norms over each head of the queries and keys, before the rotation.
    var queryNorm: RMSNorm?
    var keyNorm: RMSNorm?
    var heads: Int
    var keyValueHeads: Int
    var headDimension: Int
    /// Multiplies the scores.
    var scale: Float
    /// How many positions back a query sees, its own included; 0 is all.
    var window: Int = 0
    /// The decoder's rotation to use; nil where the layer knows no positions.
    var rope: Int?
    /// Which of the cache's attention layers this is.
    var cacheIndex: Int = 0

    /// Computes queries, keys and values, and keeps keys and values in the cache.
    ///
    /// - Returns: the queries, `[rows][heads · headDimension]`.
    func absorb(_ input: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        let kernels = pass.kernels
        let q = try pass.rows(.query, input.count, heads * headDimension)
        let k = try pass.rows(.key, input.count, keyValueHeads * headDimension)
        let v = try pass.rows(.value, input.count, keyValueHeads * headDimension)
        try pass.project(input, [(query, q), (key, k), (value, v)])
        if let queryNorm {
            let perHead = q.split(into: heads)
            kernels.rmsNorm(perHead, queryNorm, into: perHead)
        }
        if let keyNorm {
            let perHead = k.split(into: keyValueHeads)
            kernels.rmsNorm(perHead, keyNorm, into: perHead)
        }
        if let rope {
            let table = try pass.ropeTable(rope)
            kernels.rotate(q, heads: heads, pass.decoder.ropes[rope], table: table)
            kernels.rotate(k, heads: keyValueHeads, pass.decoder.ropes[rope], table: table)
        }
        pass.storeKeyValues(layer: cacheIndex, keys: k, values: v, heads: keyValueHeads)
        return q
    }

    /// Lets queries attend to their sequences.
    func mix(_ queries: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        let mixed = try pass.rows(.mixed, queries.count, queries.length)
        let shape = leap_attention_shape(
            q_heads: Int32(heads), kv_heads: Int32(keyValueHeads), head_dim: Int32(headDimension),
            kv_type: pass.layout.keyValueType.kernelValue, scale: scale, softcap: 0, window: Int64(window))
        pass.attend(layer: cacheIndex, shape: shape, queries: queries, into: mixed)
        return try pass.project(mixed, output, into: .branch)
    }
}

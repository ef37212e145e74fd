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

    /// Runs the block on the normed stream in `pass.normed` and leaves the result for the rows that go on in `pass.branch`.
    func run(_ pass: ForwardPass) throws(EngineError) {
        let rows = pass.rowCount
        let kernels = pass.kernels
        let width = heads * headDimension
        let keyWidth = keyValueHeads * headDimension
        let q = try pass.workspace.floats(.query, rows * width)
        let k = try pass.workspace.floats(.key, rows * keyWidth)
        let v = try pass.workspace.floats(.value, rows * keyWidth)
        try pass.project(pass.normed, count: rows, [(query, q, width), (key, k, keyWidth), (value, v, keyWidth)])

        if let queryNorm { kernels.rmsNorm(q, queryNorm, length: headDimension, rows: rows * heads, into: q) }
        if let keyNorm { kernels.rmsNorm(k, keyNorm, length: headDimension, rows: rows * keyValueHeads, into: k) }
        if let rope {
            let table = try pass.ropeTable(rope)
            rotate(q, heads: heads, rows: rows, table: table, pass.decoder.ropes[rope], kernels)
            rotate(k, heads: keyValueHeads, rows: rows, table: table, pass.decoder.ropes[rope], kernels)
        }
        pass.storeKeyValues(layer: cacheIndex, keys: k, values: v, heads: keyValueHeads, headDimension: headDimension)

        let going = pass.outgoingRowCount
        guard going > 0 else { return }
        let mixed = try pass.workspace.floats(.mixed, going * width)
        let shape = leap_attention_shape(
            q_heads: Int32(heads), kv_heads: Int32(keyValueHeads), head_dim: Int32(headDimension),
            kv_type: pass.layout.keyValueType.kernelValue, scale: scale, softcap: 0, window: Int64(window))
        pass.attend(layer: cacheIndex, shape: shape, q: q, out: mixed, width: width)
        try pass.project(mixed, count: going, [(output, pass.branch, output.rows)])
    }

    private func rotate(
        _ x: UnsafeMutablePointer<Float>, heads: Int, rows: Int, table: UnsafePointer<Float>, _ rope: RopeSpecification,
        _ kernels: Kernels
    ) {
        kernels.timed("rotation") {
            leap_rope(
                kernels.pool, x, Int64(heads * headDimension), Int64(rows), Int32(heads), Int32(headDimension),
                Int32(rope.dimensions), table, rope.interleaved ? 1 : 0)
        }
    }
}

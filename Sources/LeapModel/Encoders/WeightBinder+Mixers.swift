/// The mixers that several descriptions share.
extension WeightBinder {
    /// Attention with norms of its heads under the names of projector files, whose keys and values several heads share:
    /// as many as their projection has rows for.
    func groupedAttention(
        _ prefix: String, length: Int, heads: Int, epsilon: Float
    ) throws(EngineError) -> AttentionBlock {
        let head = length / heads
        let query = try matrix(prefix + "attn_q", rows: length, columns: length)
        let rows = rowCount(prefix + "attn_k.weight")
        guard rows > 0, rows % head == 0, heads % (rows / head) == 0 else {
            throw EngineError(
                rows == 0 ? .missingTensor : .invalidTensor,
                "tensor \(prefix)attn_k.weight has \(rows) rows: it needs whole heads of \(head), whose number divides \(heads)",
                field: prefix + "attn_k.weight")
        }
        return AttentionBlock(
            query: query, key: try matrix(prefix + "attn_k", rows: rows, columns: length),
            value: try matrix(prefix + "attn_v", rows: rows, columns: length),
            output: try matrix(prefix + "attn_out", rows: length, columns: length),
            queryNorm: try rmsNorm(prefix + "attn_q_norm", count: head, epsilon: epsilon),
            keyNorm: try rmsNorm(prefix + "attn_k_norm", count: head, epsilon: epsilon), heads: heads,
            keyValueHeads: rows / head, headDimension: head, scale: 1 / Float(head).squareRoot(), rope: 0)
    }

    /// LFM2's convolution, by the names of its projections and filters.
    func shortConvolution(
        input: String, filters: String, output: String, length: Int, cacheIndex: Int
    ) throws(EngineError) -> ShortConvolutionBlock {
        let name = filters + ".weight"
        let taps = columnCount(name)
        guard (1...ShortConvolutionBlock.maxTaps).contains(taps) else {
            throw EngineError(
                .invalidTensor,
                "tensor \(name) has \(taps) taps: 1 to \(ShortConvolutionBlock.maxTaps) are supported",
                field: name)
        }
        return ShortConvolutionBlock(
            input: try matrix(input, rows: 3 * length, columns: length),
            output: try matrix(output, rows: length, columns: length),
            filters: try floats(name, shape: [taps, length]), taps: taps, cacheIndex: cacheIndex)
    }
}

/// Attention of all positions to all, whose scores depend on how far apart two are (Transformer-XL, arXiv:1901.02860).
///
/// The score of a query and a key is (q + u) · k + (q + v) · p, where p is a product of the sinusoids of their
/// distance, and u and v are learned for each head.
package struct RelativeAttention: Sendable {
    package let query: Matrix
    package let key: Matrix
    package let value: Matrix
    package let output: Matrix
    package let position: Matrix
    /// `[heads][headDimension]`.
    package let contentBias: Vector
    package let positionBias: Vector
    package let heads: Int
    package let headDimension: Int

    init(_ binder: WeightBinder, prefix: String, length: Int, heads: Int) throws {
        func square(_ name: String, bias: Bool = true) throws -> Matrix {
            try binder.matrix(prefix + name, rows: length, columns: length, bias: bias)
        }
        query = try square("attn_q")
        key = try square("attn_k")
        value = try square("attn_v")
        output = try square("attn_out")
        position = try square("linear_pos", bias: false)
        contentBias = try binder.floats(prefix + "pos_bias_u", shape: [length / heads, heads])
        positionBias = try binder.floats(prefix + "pos_bias_v", shape: [length / heads, heads])
        (self.heads, headDimension) = (heads, length / heads)
    }
}

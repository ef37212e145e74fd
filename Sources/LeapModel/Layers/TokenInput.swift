/// Vectors of each token for every layer, besides the one that the stream begins with (Gemma 3n and 4).
///
/// A layer's is (norm(projection of the beginning of the stream) + row of the table) · scale.
package struct PerLayerEmbedding: Sendable {
    /// One row for each token id: the vectors of all layers, one after the other.
    ///
    /// Vectors in place of tokens, such as those of pictures, have the first row.
    package var table: Matrix
    /// The factor of the rows of the table.
    package var tableScale: Float
    /// Projection of the vectors in front of the first layer to those of all layers.
    package var projection: Matrix
    /// The factor of the projection's result.
    package var projectionScale: Float
    /// The norm over each layer's projected vector.
    package var norm: RMSNorm
    /// The factor of the sums.
    package var scale: Float
    /// Layers that get a vector.
    package var layers: Int
    /// Length of a layer's vector.
    package var width: Int { table.columns / layers }
}

/// A layer's addition from its vector of the token: norm(projection · (GELU(gate · (scale ⊙ stream)) ⊙ vector)).
package struct TokenInput: Sendable {
    /// The factors of the elements of the gate's input; nil for 1.
    package var scale: Vector?
    package var gate: Matrix
    package var projection: Matrix
    package var norm: Norm
    /// The index of its vector among those of ``PerLayerEmbedding``.
    package var index: Int
}

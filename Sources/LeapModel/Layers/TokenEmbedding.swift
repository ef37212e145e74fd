/// The tables, factors and norm by which tokens become the vectors that the first layer takes.
package struct TokenEmbedding: Sendable {
    /// One row for each token id.
    package var table: Matrix
    /// The factor of the rows.
    package var scale: Float = 1
    /// One row for each position, added to the rows.
    package var positions: Matrix?
    /// The vector that is added to the rows of all tokens, but for those of the second of two texts where these have
    /// another.
    package var type: Vector?
    /// Further vectors of each token, one for every layer.
    package var perLayer: PerLayerEmbedding?
    /// The vector that is added to the rows of the second of two texts.
    package var secondType: Vector?
    /// A norm before the first layer.
    package var norm: Norm?
}

/// The tables, factors and norm by which tokens become the vectors that the first layer takes.
package struct TokenEmbedding: Sendable {
    /// One row for each token id.
    package var table: Matrix
    /// Multiplies the rows.
    package var scale: Float = 1
    /// One row for each position, added to the rows.
    package var positions: Matrix?
    /// Added to the rows of all tokens, but for those of the second of two texts where there is another for these.
    package var type: Vector?
    /// Further vectors of each token, one for every layer.
    package var perLayer: PerLayerEmbedding?
    /// Added to the rows of the second of two texts.
    package var secondType: Vector?
    /// A norm before the first layer.
    package var norm: Norm?
}

/// An adapter's addition to the product of a matrix with x: scale · up · (down · x).
package struct LowRankUpdate: Sendable {
    /// The adapter's A: as many outputs as its rank, for the matrix's inputs.
    ///
    /// Of an embedding table it is a table too: a row of `rank` numbers for each token.
    package let down: Matrix
    /// The adapter's B: the matrix's outputs, for as many inputs as the rank.
    package let up: Matrix
    /// The adapter's own factor, in addition to its user's: alpha / rank, or 1 where the adapter has no alpha.
    package let scale: Float

    /// Numbers between the two matrices.
    package var rank: Int { up.columns }
}

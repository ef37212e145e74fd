/// What an adapter adds to the product of a matrix with x: scale · up · (down · x).
struct LowRankUpdate: Sendable {
    /// The adapter's A: as many outputs as its rank, for the matrix's inputs.
    ///
    /// Of an embedding table it is a table too: a row of `rank` numbers for each token.
    let down: WeightMatrix
    /// The adapter's B: the matrix's outputs, for as many inputs as the rank.
    let up: WeightMatrix
    /// The adapter's own factor, beside that of its user: alpha / rank, or 1 where the adapter has no alpha.
    let scale: Float

    /// Numbers between the two matrices.
    var rank: Int { up.columns }
}

import CLeapKernels

/// What an adapter adds to the product of a matrix with x: scale · up · (down · x).
struct LowRankUpdate: Sendable {
    /// The adapter's A: as many outputs as its rank, for the matrix's inputs.
    ///
    /// Of an embedding table it is a table too: a row of `rank` numbers for each token.
    let down: WeightMatrix
    /// The adapter's B: the matrix's outputs, for as many inputs as the rank.
    let up: LowRankTable
    /// The adapter's own factor, beside that of its user: alpha / rank, or 1 where the adapter has no alpha.
    let scale: Float

    /// Numbers between the two matrices.
    var rank: Int { up.rank }
}

/// An adapter's B as the kernels take it: turned, some outputs side by side, `[panels][rank][32]`.
struct LowRankTable: Sendable {
    let values: FloatVector
    /// Rows.
    let rank: Int
    /// Outputs.
    let columns: Int

    /// Turns a matrix of `columns` rows of `rank` numbers.
    ///
    /// - Parameter row: writes a row to memory for `rank` floats.
    init(rank: Int, columns: Int, row: (Int, UnsafeMutablePointer<Float>) -> Void) {
        self.rank = rank
        self.columns = columns
        let width = Int(LEAP_LOW_RANK_PANEL)
        values = FloatVector(count: (columns + width - 1) / width * width * rank) { out in
            withUnsafeTemporaryAllocation(of: Float.self, capacity: max(rank, 1)) { buffer in
                guard let base = buffer.baseAddress else { return }
                for column in 0..<columns {
                    row(column, base)
                    let (panel, place) = column.quotientAndRemainder(dividingBy: width)
                    let first = out + panel * rank * width + place
                    for k in 0..<rank { first[k * width] = base[k] }
                }
            }
        }
    }
}

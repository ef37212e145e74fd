import LeapCompute
import LeapModel

extension ForwardPass {
    /// The vectors of squares of patches, each with those of its patches side by side, row by row.
    ///
    /// - Parameter side: patches of a square's side; both numbers of patches are multiples of it.
    func squares(of patches: Rows, rows: Int, columns: Int, side: Int) throws(EngineError) -> Rows {
        let squares = try self.rows(.squares, rows / side * (columns / side), patches.length * side * side)
        for row in 0..<rows / side {
            for column in 0..<columns / side {
                var target = squares.row(row * (columns / side) + column)
                for y in 0..<side {
                    // A square's patches of one row lie side by side already.
                    let source = patches.row((row * side + y) * columns + column * side)
                    target.update(from: source, count: side * patches.length)
                    target += side * patches.length
                }
            }
        }
        return squares
    }
}

import LeapBase

/// Learned vectors of positions on a square grid, which are interpolated for pictures of other shapes (NaFlex,
/// arXiv:2502.14786).
package struct PositionGrid: Sendable {
    /// `[side · side][length]`.
    package let table: Vector
    /// Positions of a side.
    package let side: Int
    /// Elements of a vector.
    package let length: Int
    /// True if the outermost points of the grid lie on the picture's corners, and each value is interpolated between
    /// its two neighbours alone.
    package var alignsCorners = false

    init(_ binder: WeightBinder, _ name: String, length: Int) throws {
        let count = binder.rowCount("\(name).weight")
        let side = Int(Double(count).squareRoot().rounded())
        guard count > 0, side * side == count else {
            throw EngineError(
                .invalidTensor, "tensor \(name).weight has \(count) rows: it needs a square grid of positions",
                field: "\(name).weight")
        }
        table = try binder.floats("\(name).weight", shape: [length, count])
        (self.side, self.length) = (side, length)
    }
}

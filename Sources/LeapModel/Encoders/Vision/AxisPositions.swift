import LeapBase

/// Learned vectors of columns, and of rows: a patch gets the sum of its two.
package struct AxisPositions: Sendable {
    /// `[columns, then rows][count][length]`.
    package let table: Vector
    /// Columns that there are vectors for, and rows.
    package let count: Int
    /// Elements of a vector.
    package let length: Int

    init(_ binder: WeightBinder, _ name: String, length: Int) throws {
        count = binder.rowCount("\(name).weight")
        guard count > 0 else {
            throw EngineError(
                .invalidTensor, "tensor \(name).weight has no rows: it needs one for each column and row of a picture",
                field: "\(name).weight")
        }
        table = try binder.floats("\(name).weight", shape: [length, count, 2])
        self.length = length
    }
}

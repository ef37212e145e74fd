import LeapBase

/// Learned vectors of positions on a square grid, which are interpolated for pictures of other shapes (NaFlex, arXiv:2502.14786).
struct PositionGrid: Sendable {
    private let table: FloatVector
    /// Positions of a side.
    let side: Int
    private let length: Int

    init(_ binder: WeightBinder, _ name: String, length: Int) throws {
        let count = binder.rowCount("\(name).weight")
        let side = Int(Double(count).squareRoot().rounded())
        guard count > 0, side * side == count else {
            throw EngineError(
                .invalidTensor, "tensor \(name).weight has \(count) rows: a square grid of positions is needed",
                field: "\(name).weight")
        }
        table = try binder.floats("\(name).weight", shape: [length, count])
        (self.side, self.length) = (side, length)
    }

    /// The vectors of a grid, `[rows][columns][length]`, row by row: linear interpolation with antialiasing, centres aligned.
    func resized(rows: Int, columns: Int) -> [Float] {
        let grid = UnsafeBufferPointer(start: table.pointer, count: table.count)
        guard rows != side || columns != side else { return Array(grid) }
        let across = ResamplingWeights(from: side, to: columns)
        let down = ResamplingWeights(from: side, to: rows)
        var wide = [Float](repeating: 0, count: side * columns * length)
        for row in 0..<side {
            for column in 0..<columns {
                let target = (row * columns + column) * length
                for place in 0..<across.counts[column] {
                    let weight = Float(across.values[across.stride * column + place])
                    let source = (row * side + across.first[column] + place) * length
                    for index in 0..<length { wide[target + index] += weight * grid[source + index] }
                }
            }
        }
        let stride = columns * length
        var result = [Float](repeating: 0, count: rows * stride)
        for row in 0..<rows {
            for place in 0..<down.counts[row] {
                let weight = Float(down.values[down.stride * row + place])
                let source = (down.first[row] + place) * stride
                for index in 0..<stride { result[row * stride + index] += weight * wide[source + index] }
            }
        }
        return result
    }
}

import LeapBase
import LeapModel

extension PositionGrid {
    /// The vectors of a grid, `[rows][columns][length]`, row by row: linear interpolation, with antialiasing where
    /// centres are aligned.
    func resized(rows: Int, columns: Int, _ values: BoundValues) -> [Float] {
        let grid = UnsafeBufferPointer(start: values.floats(table), count: table.count)
        guard rows != side || columns != side else { return Array(grid) }
        func weights(_ count: Int) -> ResamplingWeights {
            alignsCorners ? .betweenCorners(from: side, to: count) : ResamplingWeights(from: side, to: count)
        }
        let (across, down) = (weights(columns), weights(rows))
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

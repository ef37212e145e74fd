import LeapModel

extension AxisPositions {
    /// The vectors of a grid, `[rows][columns][length]`, row by row.
    ///
    /// Rows and columns beyond the table get the vectors of its last.
    func vectors(rows: Int, columns: Int, _ values: BoundValues) -> [Float] {
        let table = values.floats(table)
        var result = [Float](repeating: 0, count: rows * columns * length)
        for row in 0..<rows {
            let down = table + (count + min(row, count - 1)) * length
            for column in 0..<columns {
                let across = table + min(column, count - 1) * length
                let target = (row * columns + column) * length
                for index in 0..<length { result[target + index] = across[index] + down[index] }
            }
        }
        return result
    }
}

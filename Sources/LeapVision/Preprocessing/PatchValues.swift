extension RGBImage {
    /// The pixels as numbers from -1 to 1, patch by patch: `[patch][colour][row][column]`, patches row by row.
    ///
    /// Pixels beyond the last whole patch of a row or column are left out.
    package func patchValues(patchSize: Int) -> [Float] {
        // x / 255, then (x - mean) / deviation with both 0.5, rounded to floats at each step as the references do.
        let scale = (0...255).map { (Float($0) * (1 / 255) - 0.5) / 0.5 }
        let area = patchSize * patchSize
        let (columns, rows) = (width / patchSize, height / patchSize)
        var values = [Float](repeating: 0, count: 3 * area * columns * rows)
        for y in 0..<rows * patchSize {
            for x in 0..<columns * patchSize {
                let patch = y / patchSize * columns + x / patchSize
                let target = 3 * area * patch + y % patchSize * patchSize + x % patchSize
                let source = 3 * (y * width + x)
                values[target] = scale[Int(bytes[source])]
                values[target + area] = scale[Int(bytes[source + 1])]
                values[target + 2 * area] = scale[Int(bytes[source + 2])]
            }
        }
        return values
    }
}

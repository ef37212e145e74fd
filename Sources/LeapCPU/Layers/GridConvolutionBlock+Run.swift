import LeapCompute
import LeapModel

extension GridConvolutionBlock {
    /// Computes the convolution of pictures whose patches are all in the batch.
    ///
    /// - Returns: the convolved inputs times C, `[rows][channels]`.
    func absorb(_ input: Rows, _ pass: ForwardPass) throws(EngineError) -> MixerFeatures {
        defer { pass.release([.projected, .gatedInputs]) }
        let projected = try pass.project(input, self.input, into: .projected)
        let gated = try pass.rows(.gatedInputs, input.count, channels)
        for row in 0..<input.count {
            let (from, to) = (projected.row(row), gated.row(row))
            for index in 0..<channels { to[index] = from[index] * from[2 * channels + index] }
        }
        let mixed = try pass.rows(.mixed, input.count, channels)
        pass.kernels.depthwise(pass.neighbours(of: gated, side: side), filters, taps: side * side, into: mixed)
        for row in 0..<input.count {
            let (factors, to) = (projected.row(row) + channels, mixed.row(row))
            for index in 0..<channels { to[index] *= factors[index] }
        }
        return MixerFeatures(rows: mixed)
    }

    /// Projects what came out of the convolution back to the stream.
    func mix(_ features: MixerFeatures, _ pass: ForwardPass) throws(EngineError) -> Rows {
        defer { pass.release([.mixed]) }
        return try pass.project(features.rows, output, into: .branch)
    }
}

extension ForwardPass {
    /// For each row of the batch the rows in a square around it, row by row; nil outside of its picture.
    ///
    /// - Parameter side: patches of the square's side; odd.
    fileprivate func neighbours(of rows: Rows, side: Int) -> [UnsafePointer<Float>?] {
        let reach = side / 2
        var all: [UnsafePointer<Float>?] = []
        all.reserveCapacity(rows.count * side * side)
        var first = 0
        for segment in batch.segments {
            let range = first..<first + segment.count
            first = range.upperBound
            let columns = range.reduce(1) { max($0, Int(batch.rotaryPositions[3 * $1 + 2]) + 1) }
            let height = segment.count / columns
            for index in 0..<segment.count {
                let (row, column) = (index / columns, index % columns)
                for y in row - reach...row + reach {
                    for x in column - reach...column + reach {
                        let isInside = y >= 0 && y < height && x >= 0 && x < columns
                        all.append(isInside ? UnsafePointer(rows.row(range.lowerBound + y * columns + x)) : nil)
                    }
                }
            }
        }
        return all
    }
}

import LeapBase
import LeapModel

/// Bounds of products, and convolutions over pictures.
extension SelfTest {
    /// Tries what the layers of a tower take of these.
    ///
    /// - Parameter matrices: the layers' matrices.
    mutating func checkTower(_ model: GPUModel, _ matrices: [Matrix]) throws(GPUError) {
        if matrices.contains(where: { $0.bounds != nil }) { try checkClamp() }
        if !model.layers.contains(where: { $0.tokenInput != nil }),
            model.layers.contains(where: { $0.dense?.gate.bounds != nil })
        {
            try checkTokenInput()
        }
        for layer in model.layers {
            guard case .gridConvolution(let block)? = layer.mixing?.mixer else { continue }
            return try checkGridConvolution(side: block.side)
        }
    }

    private mutating func checkClamp() throws(GPUError) {
        let (rows, length, stride, start) = (3, 130, 200, 40), bounds: ClosedRange<Float> = -0.25...0.5
        let values = numbers(start + rows * stride), before = numbers(values.count)
        let input = try buffer(values), output = try buffer(before), own = try buffer(values)
        try carryOut { (recording) throws(GPUError) in
            for (from, to) in [(input, output), (own, own)] {
                try recording.clamp(
                    from, to: bounds, length: length, stride: stride, start: start, count: rows, into: to)
            }
        }
        for (result, rest) in [(floats(output), before), (floats(own), values)] {
            for (index, value) in result.enumerated() {
                let isInside = index >= start && (index - start) % stride < length
                let cut = min(max(values[index], bounds.lowerBound), bounds.upperBound)
                try check(value, Double(isInside ? cut : rest[index]), within: 0, "clamp_rows")
            }
        }
    }

    private mutating func checkGridConvolution(side: Int) throws(GPUError) {
        // Two pictures, one below the other.
        let (channels, columns, heights) = (130, 3, [2, 4]), reach = side / 2
        let count = heights.reduce(0) { $0 + $1 * columns }
        let values = numbers(count * 3 * channels), filters = numbers(channels * side * side)
        var places: [UInt32] = []
        var first = 0
        for height in heights {
            for index in 0..<height * columns {
                places += [UInt32(first), UInt32(columns), UInt32(height), UInt32(index)]
            }
            first += height * columns
        }
        let input = try buffer(values), table = try buffer(filters), tablePlaces = try buffer(places)
        let output = try buffer(numbers(count * channels))
        try carryOut { (recording) throws(GPUError) in
            try recording.convolve(
                input, filters: table, side: side, places: tablePlaces, channels: channels, count: count, into: output)
        }
        let results = floats(output)
        for row in 0..<count {
            let place = places[4 * row..<4 * row + 4].map(Int.init)
            for channel in 0..<channels {
                var (sum, size) = (0.0, 0.0)
                for filter in 0..<side * side {
                    let y = place[3] / columns + filter / side - reach, x = place[3] % columns + filter % side - reach
                    guard y >= 0, y < place[2], x >= 0, x < columns else { continue }
                    let at = (place[0] + y * columns + x) * 3 * channels + channel
                    let term =
                        Double(filters[channel * side * side + filter])
                        * Double(values[at] * values[at + 2 * channels])
                    sum += term
                    size += abs(term)
                }
                let gate = Double(values[(3 * row + 1) * channels + channel])
                try check(
                    results[row * channels + channel], sum * gate, within: Self.tolerance * (size + 1e-6),
                    "grid_convolution")
            }
        }
    }
}

import LeapBase

/// Changes the size of images by filters whose support grows with the reduction, so that nothing is skipped
/// (antialiasing).
///
/// First the columns, then the rows, each rounded to 8 bits, with weights of 16 bits whose precision depends on the
/// largest one: the arithmetic of torch's and Pillow's resizing of 8-bit images.
struct ImageResampler {
    /// Weights in whole numbers, as precise as 16 bits for the largest one allow.
    private struct Weights {
        let first: [Int]
        let counts: [Int]
        let stride: Int
        let values: [Int32]
        /// Bits after the point.
        let precision: Int32

        init(from input: Int, to output: Int, _ filter: ResamplingFilter) {
            let weights = ResamplingWeights(from: input, to: output, filter: filter)
            (first, counts, stride) = (weights.first, weights.counts, weights.stride)
            let largest = weights.values.max() ?? 1
            var precision: Int32 = 0
            while precision < 22, largest * Double(1 << (precision + 1)) + 0.5 < Double(1 << 15) { precision += 1 }
            let unit = Double(1 << precision)
            values = weights.values.map { Int32(($0 * unit).rounded(.toNearestOrAwayFromZero)) }
            self.precision = precision
        }
    }

    /// The image with another size.
    static func resize(
        _ image: RGBImage, width: Int, height: Int, filter: ResamplingFilter = .linear
    ) -> RGBImage {
        var bytes = image.bytes
        if width != image.width {
            bytes = resizeColumns(bytes, Weights(from: image.width, to: width, filter), from: image.width, to: width)
        }
        if height != image.height {
            bytes = resizeRows(bytes, Weights(from: image.height, to: height, filter), to: height, columns: width)
        }
        return RGBImage(width: width, height: height, bytes: bytes)
    }

    private static func resizeColumns(_ input: [UInt8], _ weights: Weights, from: Int, to: Int) -> [UInt8] {
        let rows = input.count / (3 * from)
        let half: Int32 = 1 << (weights.precision - 1)
        var output = [UInt8](repeating: 0, count: 3 * to * rows)
        for row in 0..<rows {
            for column in 0..<to {
                var place = 3 * (row * from + weights.first[column])
                var (red, green, blue) = (half, half, half)
                let start = weights.stride * column
                for index in start..<start + weights.counts[column] {
                    let weight = weights.values[index]
                    red &+= weight &* Int32(input[place])
                    green &+= weight &* Int32(input[place + 1])
                    blue &+= weight &* Int32(input[place + 2])
                    place += 3
                }
                let target = 3 * (row * to + column)
                output[target] = clamp(red >> weights.precision)
                output[target + 1] = clamp(green >> weights.precision)
                output[target + 2] = clamp(blue >> weights.precision)
            }
        }
        return output
    }

    private static func resizeRows(_ input: [UInt8], _ weights: Weights, to: Int, columns: Int) -> [UInt8] {
        let half: Int32 = 1 << (weights.precision - 1)
        let stride = 3 * columns
        var output = [UInt8](repeating: 0, count: stride * to)
        var sums = [Int32](repeating: 0, count: stride)
        for row in 0..<to {
            for index in 0..<stride { sums[index] = half }
            for place in 0..<weights.counts[row] {
                let weight = weights.values[weights.stride * row + place]
                let source = stride * (weights.first[row] + place)
                for index in 0..<stride { sums[index] &+= weight &* Int32(input[source + index]) }
            }
            let target = stride * row
            for index in 0..<stride { output[target + index] = clamp(sums[index] >> weights.precision) }
        }
        return output
    }

    @inline(__always)
    private static func clamp(_ value: Int32) -> UInt8 { UInt8(truncatingIfNeeded: max(0, min(255, value))) }
}

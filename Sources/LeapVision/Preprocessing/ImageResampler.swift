/// Changes the size of images: linear interpolation whose support grows with the reduction, so that nothing is skipped (antialiasing).
///
/// First the columns, then the rows, each rounded to 8 bits, with weights of 16 bits whose precision depends on the largest one: the
/// arithmetic of torch's and Pillow's resizing of 8-bit images.
struct ImageResampler {
    /// What each output pixel takes from which input pixels.
    private struct Weights {
        /// The first input pixel of each output pixel.
        var first: [Int] = []
        /// How many each takes.
        var counts: [Int] = []
        /// As many weights for each as the one with the most has.
        var values: [Int32] = []
        var stride = 0
        /// Bits behind the point.
        var precision: Int32 = 0

        init(from input: Int, to output: Int) {
            let scale = Double(input) / Double(output)
            let support = max(1, scale)
            stride = Int(support.rounded(.up)) * 2 + 1
            var weights = [Double](repeating: 0, count: stride * output)
            for index in 0..<output {
                let centre = (Double(index) + 0.5) * scale
                let begin = max(0, Int(centre - support + 0.5))
                let end = min(input, Int(centre + support + 0.5))
                var sum = 0.0
                for place in 0..<max(0, end - begin) {
                    let distance = abs((Double(begin + place) - centre + 0.5) / support)
                    let weight = max(0, 1 - distance)
                    weights[stride * index + place] = weight
                    sum += weight
                }
                for place in 0..<max(0, end - begin) where sum > 0 { weights[stride * index + place] /= sum }
                first.append(begin)
                counts.append(max(0, end - begin))
            }
            // As many bits as keep the largest weight below 2¹⁵.
            let largest = weights.max() ?? 1
            while precision < 22, largest * Double(1 << (precision + 1)) + 0.5 < Double(1 << 15) { precision += 1 }
            let unit = Double(1 << precision)
            values = weights.map { Int32(($0 * unit).rounded(.toNearestOrAwayFromZero)) }
        }
    }

    /// The image with another size.
    static func resize(_ image: RGBImage, width: Int, height: Int) -> RGBImage {
        var bytes = image.bytes
        if width != image.width {
            bytes = resizeColumns(bytes, from: image.width, to: width, rows: image.height)
        }
        if height != image.height {
            bytes = resizeRows(bytes, from: image.height, to: height, columns: width)
        }
        return RGBImage(width: width, height: height, bytes: bytes)
    }

    private static func resizeColumns(_ input: [UInt8], from: Int, to: Int, rows: Int) -> [UInt8] {
        let weights = Weights(from: from, to: to)
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

    private static func resizeRows(_ input: [UInt8], from: Int, to: Int, columns: Int) -> [UInt8] {
        let weights = Weights(from: from, to: to)
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

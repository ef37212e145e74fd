/// The samples of one channel in a frame (RFC 9639, section 9.2).
///
/// The errors that it throws are the ends of sentences about the frame.
enum FLACSubframe {
    /// The weights by which the samples before one predict it, for each order: that of the latest one, of the one
    /// before it, and so on.
    static let fixedWeights: [[Int]] = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]]

    /// Reads the samples.
    ///
    /// - Parameter width: bits of a sample.
    static func read(
        _ bits: inout FLACBitReader, count: Int, width: Int
    ) throws(AudioFileError) -> [Int] {
        guard try bits.bits(1) == 0 else { throw AudioFileError(.damaged, "has a channel with a reserved bit set") }
        let kind = Int(try bits.bits(6))
        // Lower bits that are zero in all samples, and not written.
        let wasted = try bits.bits(1) == 0 ? 0 : try bits.unary(max: 32) + 1
        let width = width - wasted
        guard width > 0 else {
            throw AudioFileError(.damaged, "has a channel whose samples have no bits")
        }
        var samples: [Int]
        switch kind {
        case 0: samples = [Int](repeating: try bits.signed(width), count: count)
        case 1: samples = try verbatim(&bits, count, width)
        case 8...12:
            samples = try predicted(&bits, count, width, order: kind - 8) { _ throws(AudioFileError) in
                (fixedWeights[kind - 8], 0)
            }
        case 32...63:
            samples = try predicted(&bits, count, width, order: kind - 31) { bits throws(AudioFileError) in
                try weights(&bits, order: kind - 31)
            }
        default: throw AudioFileError(.damaged, "has a channel of the reserved kind \(kind)")
        }
        if wasted > 0 { for index in samples.indices { samples[index] <<= wasted } }
        return samples
    }

    private static func verbatim(
        _ bits: inout FLACBitReader, _ count: Int, _ width: Int
    ) throws(AudioFileError) -> [Int] {
        var samples: [Int] = []
        samples.reserveCapacity(count)
        for _ in 0..<count { samples.append(try bits.signed(width)) }
        return samples
    }

    /// Weights of a predictor that is written in the file, and the bits that its sums are shifted by.
    private static func weights(
        _ bits: inout FLACBitReader, order: Int
    ) throws(AudioFileError) -> ([Int], shift: Int) {
        let precision = Int(try bits.bits(4)) + 1
        guard precision < 16 else { throw AudioFileError(.damaged, "has coefficients of the reserved precision 16") }
        let shift = try bits.signed(5)
        guard shift >= 0 else { throw AudioFileError(.damaged, "has a predictor with a shift of \(shift) bits") }
        var weights: [Int] = []
        for _ in 0..<order { weights.append(try bits.signed(precision)) }
        return (weights, shift)
    }

    /// Samples that follow from those before them and the residuals.
    ///
    /// - Parameter predictor: reads the predictor, which is after the first samples.
    private static func predicted(
        _ bits: inout FLACBitReader, _ count: Int, _ width: Int, order: Int,
        _ predictor: (inout FLACBitReader) throws(AudioFileError) -> ([Int], shift: Int)
    ) throws(AudioFileError) -> [Int] {
        guard order <= count else {
            throw AudioFileError(.damaged, "has \(count) samples, but a predictor that needs \(order)")
        }
        var samples = try verbatim(&bits, order, width)
        let (weights, shift) = try predictor(&bits)
        let residual = try FLACResidual.read(&bits, count: count, order: order)
        samples.reserveCapacity(count)
        // Of samples within these bounds, no sum is beyond 64 bits.
        let (low, high) = (-1 << (width - 1), 1 << (width - 1) - 1)
        for index in order..<count {
            var sum = 0
            for place in 0..<order { sum += weights[place] * samples[index - 1 - place] }
            let sample = sum >> shift + residual[index - order]
            guard sample >= low, sample <= high else {
                throw AudioFileError(.damaged, "has a sample that does not fit into \(width) bits")
            }
            samples.append(sample)
        }
        return samples
    }
}

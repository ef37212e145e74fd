/// The way to write the samples of one channel in a frame with the fewest bits.
struct FLACPrediction {
    /// A part of what is left, with its own parameter.
    private struct Partition {
        let parameter: Int
        let values: ArraySlice<Int>
    }

    private enum Kind {
        case constant
        case verbatim
        case predicted(order: Int, partitionOrder: Int, partitions: [Partition])
    }

    /// Partitions are halved this often at most.
    private static let maxPartitionOrder = 6
    /// Parameters of four bits; the last one means something else.
    private static let maxShortParameter = 14
    private static let maxParameter = 30

    /// The samples without the lower bits that are zero in all of them.
    private let samples: [Int]
    private let wasted: Int
    /// Bits of a sample without those.
    private let width: Int
    private let kind: Kind
    let bitCount: Int

    init(_ samples: [Int], width: Int) {
        let used = samples.reduce(0, |)
        wasted = used == 0 ? 0 : min(used.trailingZeroBitCount, width - 1)
        let wasted = wasted
        self.samples = wasted == 0 ? samples : samples.map { $0 >> wasted }
        self.width = width - wasted
        let head = 8 + wasted
        guard self.samples.contains(where: { [first = self.samples[0]] in $0 != first }) else {
            kind = .constant
            bitCount = head + self.width
            return
        }
        var best: (kind: Kind, bits: Int) = (.verbatim, self.width * samples.count)
        let (order, residual) = Self.residual(self.samples)
        for partitionOrder in 0...Self.maxPartitionOrder {
            let length = samples.count >> partitionOrder
            guard length << partitionOrder == samples.count, length > order else { break }
            var (partitions, bits): ([Partition], Int) = ([], 0)
            for part in 0..<1 << partitionOrder {
                let start = part == 0 ? 0 : part * length - order
                let values = residual[start..<(part + 1) * length - order]
                let (parameter, size) = Self.parameter(values)
                partitions.append(Partition(parameter: parameter, values: values))
                bits += size
            }
            let isLong = partitions.contains { $0.parameter > Self.maxShortParameter }
            bits += order * self.width + 6 + (isLong ? 5 : 4) << partitionOrder
            if bits < best.bits {
                best = (.predicted(order: order, partitionOrder: partitionOrder, partitions: partitions), bits)
            }
        }
        kind = best.kind
        bitCount = head + best.bits
    }

    /// The order that leaves the least, and what it leaves.
    private static func residual(_ samples: [Int]) -> (order: Int, [Int]) {
        var best: (order: Int, values: [Int], sum: Int) = (0, samples, magnitude(samples))
        var values = samples
        for order in 1..<FLACSubframe.fixedWeights.count where samples.count > order {
            // What an order leaves is the difference of what the order below it leaves.
            values = zip(values.dropFirst(), values).map { $0 - $1 }
            let sum = magnitude(values)
            if sum < best.sum { best = (order, values, sum) }
        }
        return (best.order, best.values)
    }

    private static func magnitude(_ values: [Int]) -> Int { values.reduce(0) { $0 + abs($1) } }

    /// The parameter with which numbers take the fewest bits, and these bits.
    private static func parameter(_ values: ArraySlice<Int>) -> (Int, bits: Int) {
        let sum = values.reduce(0) { $0 + folded($1) }
        let mean = sum / max(1, values.count)
        let guess = mean == 0 ? 0 : Int.bitWidth - 1 - mean.leadingZeroBitCount
        var best = (parameter: 0, bits: Int.max)
        for parameter in max(0, guess - 1)...min(maxParameter, guess + 1) {
            var bits = values.count * (parameter + 1)
            for value in values { bits += folded(value) >> parameter }
            if bits < best.bits { best = (parameter, bits) }
        }
        return best
    }

    /// Numbers of both signs as numbers without one, in the order 0, -1, 1, -2.
    private static func folded(_ value: Int) -> Int { value << 1 ^ value >> (Int.bitWidth - 1) }

    // MARK: Writing

    func write(to bits: inout FLACBitWriter) {
        bits.put(0, 1)
        bits.put(UInt64(number), 6)
        bits.put(wasted > 0 ? 1 : 0, 1)
        if wasted > 0 { bits.put(unary: wasted - 1) }
        switch kind {
        case .constant: bits.put(signed: samples[0], width)
        case .verbatim: for sample in samples { bits.put(signed: sample, width) }
        case .predicted(let order, let partitionOrder, let partitions):
            for sample in samples.prefix(order) { bits.put(signed: sample, width) }
            let isLong = partitions.contains { $0.parameter > Self.maxShortParameter }
            bits.put(isLong ? 1 : 0, 2)
            bits.put(UInt64(partitionOrder), 4)
            for partition in partitions {
                bits.put(UInt64(partition.parameter), isLong ? 5 : 4)
                for value in partition.values {
                    let value = Self.folded(value)
                    bits.put(unary: value >> partition.parameter)
                    bits.put(UInt64(value), partition.parameter)
                }
            }
        }
    }

    private var number: Int {
        switch kind {
        case .constant: 0
        case .verbatim: 1
        case .predicted(let order, _, _): 8 + order
        }
    }
}

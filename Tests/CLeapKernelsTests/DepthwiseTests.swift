import CLeapKernels
import LeapTestSupport
import Testing

/// Convolutions of each channel for itself.
struct DepthwiseTests {
    /// Over time, the middle tap on the row itself.
    private static func run(_ x: [Float], _ w: [Float], bias: [Float]?, taps: Int, n: Int, pool: TestPool) -> [Float] {
        let rows = x.count / n
        var out = [Float](repeating: .nan, count: x.count)
        x.withUnsafeBufferPointer { x in
            let inputs = (0..<rows).flatMap { row in
                (0..<taps).map { tap -> UnsafePointer<Float>? in
                    let source = row + tap - taps / 2
                    return (0..<rows).contains(source) ? x.baseAddress.map { $0 + source * n } : nil
                }
            }
            func call(_ bias: UnsafePointer<Float>?) {
                pool.use { leap_depthwise($0, inputs, Int32(taps), w, bias, Int64(n), Int64(rows), &out, Int64(n)) }
            }
            if let bias { bias.withUnsafeBufferPointer { call($0.baseAddress) } } else { call(nil) }
        }
        return out
    }

    @Test(
        "The sum of taps and inputs, the same on every instruction set and with any threads", arguments: [1, 3, 9, 25])
    func sums(taps: Int) throws {
        var generator = SeededGenerator(seed: UInt64(taps))
        let pools = try [1, 3].map { try TestPool(threads: $0) }
        for (rows, n) in [(1, 5), (7, 16), (40, 151), (300, 64)] {
            let x = randomInput(rows * n, using: &generator)
            let w = randomInput(taps * n, using: &generator)
            let bias = rows == 7 ? nil : randomInput(n, using: &generator)
            let expected = withInstructionSet("scalar") {
                Self.run(x, w, bias: bias, taps: taps, n: n, pool: pools[0])
            }
            for row in 0..<rows {
                for channel in 0..<n {
                    var sum = Double(bias?[channel] ?? 0)
                    var magnitude = abs(sum)
                    for tap in 0..<taps where (0..<rows).contains(row + tap - taps / 2) {
                        let product = Double(w[tap * n + channel]) * Double(x[(row + tap - taps / 2) * n + channel])
                        sum += product
                        magnitude += abs(product)
                    }
                    let isClose = abs(Double(expected[row * n + channel]) - sum) <= 2e-6 * magnitude
                    #expect(isClose, "row \(row), channel \(channel)")
                }
            }
            for name in instructionSets {
                for pool in pools {
                    let found = withInstructionSet(name) {
                        Self.run(x, w, bias: bias, taps: taps, n: n, pool: pool)
                    }
                    #expect(found == expected, "\(name), \(rows) rows of \(n)")
                }
            }
        }
    }
}

import CLeapKernels
import Testing

/// Products with F32, F16 and BF16 weights.
struct FloatProductTests {
    /// x rounded to what bfloat16 holds: some instruction sets multiply BF16 weights with BF16 inputs.
    private static func input(_ count: Int, type: TensorType, using generator: inout SeededGenerator) -> [Float] {
        let x = randomInput(count, using: &generator)
        guard type.id == Int32(LEAP_BF16) else { return x }
        return x.map { Float(bitPattern: $0.bitPattern & 0xffff_0000) }
    }

    @Test("Every instruction set is within rounding of the exact product", arguments: TensorType.floats)
    func errorBound(type: TensorType) throws {
        var generator = SeededGenerator(seed: 40 + UInt64(type.id))
        let pool = try TestPool(threads: 2)
        // Whole vectors, less than one, odd ends, and more than one block of the sums.
        for (rows, columns, tokens) in [(9, 64, 3), (3, 5, 2), (18, 131, 27), (5, 2085, 7)] {
            let weights = Weights(type: type, rows: rows, columns: columns, using: &generator)
            let x = Self.input(tokens * columns, type: type, using: &generator)
            let values = weights.dequantized()
            for name in instructionSets {
                let found = try withInstructionSet(name) { try product(weights, x, pool: pool) }
                for token in 0..<tokens {
                    let input = x[(token * columns)..<((token + 1) * columns)]
                    for row in 0..<rows {
                        var exact = 0.0
                        var magnitude = 0.0
                        for (w, x) in zip(values[row], input) {
                            exact += Double(w) * Double(x)
                            magnitude += abs(Double(w) * Double(x))
                        }
                        let error = abs(Double(found[token * rows + row]) - exact)
                        #expect(
                            error <= 2e-6 * magnitude,
                            "\(name), \(rows) x \(columns), token \(token), row \(row): \(error) of \(magnitude)")
                    }
                }
            }
        }
    }

    @Test("Results do not depend on batch size, thread count or place in the batch", arguments: TensorType.floats)
    func oneArithmetic(type: TensorType) throws {
        var generator = SeededGenerator(seed: 50 + UInt64(type.id))
        let rows = 67
        let columns = 1100
        let weights = Weights(type: type, rows: rows, columns: columns, using: &generator)
        // More than the kernels take at a time.
        let all = 130
        let x = randomInput(all * columns, using: &generator)
        let pools = try [1, 2, 3].map { try TestPool(threads: $0) }
        for name in instructionSets.dropFirst() {
            try withInstructionSet(name) {
                let expected = try product(weights, x, pool: pools[0])
                for (index, tokens) in [1, 2, 3, 4, 5, 6, 7, 11, 13, 24, 25, 40, 49, 65, all].enumerated() {
                    let pool = pools[index % pools.count]
                    let last = Array(x[((all - tokens) * columns)...])
                    let found = try product(weights, last, pool: pool)
                    #expect(found == Array(expected[((all - tokens) * rows)...]), "\(name), \(tokens) tokens")
                }
                let gather: [Int32] = [129, 0, 5, 5, 17, 30, 2] + [Int32](repeating: 8, count: 60)
                for count in [1, 7, 27, 67] {
                    let found = try product(weights, x, pool: pools[1], gather: Array(gather[..<count]))
                    let rowsOf = gather[..<count].flatMap { expected[(Int($0) * rows)..<((Int($0) + 1) * rows)] }
                    #expect(found == rowsOf, "\(name), \(count) gathered tokens")
                }
            }
        }
    }

    @Test("Zeros follow the last element of prepared inputs", arguments: [LEAP_ACTIVATION_F32, LEAP_ACTIVATION_BF16])
    func padding(kind: Int) throws {
        let pool = try TestPool(threads: 1)
        let columns = 21
        let used = columns * (kind == LEAP_ACTIVATION_F32 ? 4 : 2)
        for name in instructionSets {
            withInstructionSet(name) {
                let record = Activations(
                    [Float](repeating: 1.5, count: columns), columns: columns, kind: Int32(kind), pool: pool)
                let end = (used + Int(LEAP_ALIGNMENT) - 1) / Int(LEAP_ALIGNMENT) * Int(LEAP_ALIGNMENT)
                #expect(record.bytes[used..<end].allSatisfy { $0 == 0 }, "\(name)")
            }
        }
    }
}

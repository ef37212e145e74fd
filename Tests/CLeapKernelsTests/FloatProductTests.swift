import CLeapKernels
import LeapTestSupport
import Testing

/// Products with F32, F16 and BF16 weights.
struct FloatProductTests {
    /// x rounded to what bfloat16 holds: some instruction sets multiply BF16 weights with BF16 inputs.
    private static func input(_ count: Int, type: TensorType, using generator: inout SeededGenerator) -> [Float] {
        let x = randomInput(count, using: &generator)
        guard type.id == Int32(LEAP_BF16) else { return x }
        return x.map { Float(bitPattern: $0.bitPattern & 0xffff_0000) }
    }

    /// The largest error of a product, as a share of the sum of magnitudes.
    ///
    /// Tiles multiply the halves of inputs, 16 bits together; with F16 weights, of which they take halves too, they
    /// leave out low times low.
    private static func bound(_ name: String, _ type: TensorType) -> Double {
        guard name == "amx" else { return 2e-6 }
        return type.id == Int32(LEAP_F16) ? 2.5e-5 : type.id == Int32(LEAP_BF16) ? 8e-6 : 2e-6
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
                            error <= Self.bound(name, type) * magnitude,
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

    /// Tokens are taken in chunks of 512 and rows in chunks of 128; chunks of columns have 512.
    @Test("Results are the same across the boundaries of chunks", arguments: TensorType.floats)
    func chunkBorders(type: TensorType) throws {
        var generator = SeededGenerator(seed: 60 + UInt64(type.id))
        let (rows, columns, tokens) = (133, 530, 517)
        let weights = Weights(type: type, rows: rows, columns: columns, using: &generator)
        let x = randomInput(tokens * columns, using: &generator)
        let pool = try TestPool(threads: 2)
        for name in instructionSets.dropFirst() {
            try withInstructionSet(name) {
                let all = try product(weights, x, pool: pool)
                for token in [0, 15, 16, 511, 512, 516] {
                    let alone = try product(weights, Array(x[(token * columns)..<((token + 1) * columns)]), pool: pool)
                    #expect(alone == Array(all[(token * rows)..<((token + 1) * rows)]), "\(name), token \(token)")
                }
            }
        }
    }

    @Test("Tiny, huge and subnormal inputs give the same results alone and in a batch", arguments: TensorType.floats)
    func extremeInputs(type: TensorType) throws {
        var generator = SeededGenerator(seed: 70 + UInt64(type.id))
        let (rows, columns, tokens) = (40, 600, 20)
        let weights = Weights(type: type, rows: rows, columns: columns, using: &generator)
        let scales: [Float] = [.leastNonzeroMagnitude, .leastNonzeroMagnitude * 7000, 1e-38, 3e-36, 1e-30, 1, 1e30]
        let x = randomInput(tokens * columns, using: &generator).enumerated().map {
            $1 * scales[$0 * 31 % scales.count]
        }
        let pool = try TestPool(threads: 1)
        for name in instructionSets.dropFirst() {
            try withInstructionSet(name) {
                let all = try product(weights, x, pool: pool)
                for token in 0..<tokens {
                    let alone = try product(weights, Array(x[(token * columns)..<((token + 1) * columns)]), pool: pool)
                    #expect(alone == Array(all[(token * rows)..<((token + 1) * rows)]), "\(name), token \(token)")
                }
                // Without the large ones, so that the sums are tiny themselves.
                let small = x.map { abs($0) < 1e-20 ? $0 : 0 }
                let tiny = try product(weights, small, pool: pool)
                for token in 0..<tokens {
                    let input = Array(small[(token * columns)..<((token + 1) * columns)])
                    let alone = try product(weights, input, pool: pool)
                    #expect(alone == Array(tiny[(token * rows)..<((token + 1) * rows)]), "\(name), token \(token)")
                }
            }
        }
    }

    @Test(
        "Every instruction set takes inputs apart alike",
        arguments: [LEAP_ACTIVATION_BF16_SPLIT, LEAP_ACTIVATION_BF16_SPLIT_PAIRED], [1, 31, 48, 512, 517, 1100])
    func splitInputs(kind: Int, columns: Int) throws {
        var generator = SeededGenerator(seed: 80)
        let pool = try TestPool(threads: 1)
        var x = randomInput(columns, using: &generator)
        x[columns / 2] = .infinity
        let expected = withInstructionSet("scalar") {
            Activations(x, columns: columns, kind: Int32(kind), pool: pool).bytes
        }
        for name in instructionSets {
            withInstructionSet(name) {
                let found = Activations(x, columns: columns, kind: Int32(kind), pool: pool).bytes
                #expect(found == expected, "\(name)")
            }
        }
        // Each element is where internal/activation.h says, and its halves add up to it.
        let words = stride(from: 0, to: expected.count, by: 2).map {
            UInt32(expected[$0]) | UInt32(expected[$0 + 1]) << 8
        }
        for (index, value) in x.enumerated() where value.isFinite {
            let (vector, place) = (index % 512 / 32, index % 32)
            let paired = kind == LEAP_ACTIVATION_BF16_SPLIT_PAIRED
            let (lane, half) = paired ? (place % 16, place / 16) : (place / 2, place % 2)
            let at = index / 512 * 1024 + lane * 64 + vector * 2 + half
            let sum = Float(bitPattern: words[at] << 16) + Float(bitPattern: words[at + 32] << 16)
            #expect(abs(sum - value) <= abs(value) * 0x1p-16, "element \(index)")
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

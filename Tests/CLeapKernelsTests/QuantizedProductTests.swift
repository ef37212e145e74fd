import CLeapKernels
import LeapTestSupport
import Testing

/// Products with quantised weights: every instruction set against the scalar reference, and every way against every
/// other.
struct QuantizedProductTests {
    /// Columns that a type allows: one block, an odd number of blocks, more than one chunk of an unpacked panel.
    private static func columns(_ type: TensorType) -> [Int] {
        type.blockElements == 32 ? [32, 288, 2304] : [256, 2304]
    }

    @Test("Every instruction set equals the scalar reference bit for bit", arguments: TensorType.quantized)
    func equalsScalar(type: TensorType) throws {
        var generator = SeededGenerator(seed: UInt64(type.id))
        let pool = try TestPool(threads: 2)
        for columns in Self.columns(type) {
            for rows in columns > 300 ? [TestLevel.isAll ? 37 : 17] : [1, 7, 16, 33] {
                let weights = Weights(type: type, rows: rows, columns: columns, using: &generator)
                let x = randomInput(13 * columns, using: &generator)
                let expected = try withInstructionSet("scalar") { try product(weights, x, pool: pool) }
                for name in instructionSets.dropFirst() {
                    let found = try withInstructionSet(name) { try product(weights, x, pool: pool) }
                    #expect(found == expected, "\(name), \(rows) rows, \(columns) columns")
                }
            }
        }
    }

    @Test("Results do not depend on batch size, thread count or place in the batch", arguments: TensorType.quantized)
    func oneArithmetic(type: TensorType) throws {
        var generator = SeededGenerator(seed: 77 + UInt64(type.id))
        let columns = type.blockElements == 32 ? 416 : 512
        let rows = 75
        let weights = Weights(type: type, rows: rows, columns: columns, using: &generator)
        let x = randomInput(64 * columns, using: &generator)
        let pools = try [1, 2, 3, 5].map { try TestPool(threads: $0) }
        for name in instructionSets.dropFirst() {
            try withInstructionSet(name) {
                let expected = try product(weights, x, pool: pools[0])
                for (index, tokens) in TestLevel.cases([1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 31, 64], standard: 6)
                    .enumerated()
                {
                    let pool = pools[index % pools.count]
                    let found = try product(weights, Array(x[..<(tokens * columns)]), pool: pool)
                    #expect(found == Array(expected[..<(tokens * rows)]), "\(name), \(tokens) tokens")
                }
                let gather: [Int32] = [63, 0, 5, 5, 17, 40, 2, 1, 9, 33]
                for count in [1, 3, 10] {
                    let found = try product(weights, x, pool: pools[1], gather: Array(gather[..<count]))
                    let rowsOf = gather[..<count].flatMap { expected[(Int($0) * rows)..<((Int($0) + 1) * rows)] }
                    #expect(found == rowsOf, "\(name), \(count) gathered tokens")
                }
            }
        }
    }

    @Test("Many tokens give the scalar kernel's results too", arguments: TensorType.quantized)
    func manyTokens(type: TensorType) throws {
        var generator = SeededGenerator(seed: 1234 + UInt64(type.id))
        let pools = try [1, 3].map { try TestPool(threads: $0) }
        // One tile, tiles that overlap, several runs of tokens; one chunk of columns, several, a short last one.
        for (tokens, rows, columns) in TestLevel.cases(
            [(95, TestLevel.isAll ? 40 : 33, 1280), (64, 33, 256), (131, 67, 2304), (545, 37, 256)], standard: 1)
        {
            let weights = Weights(type: type, rows: rows, columns: columns, using: &generator)
            var x = randomInput(tokens * columns, using: &generator)
            // Sums of sub-blocks that do not fit 16 bits.
            for index in 0..<columns { x[index] = index % 2 == 0 ? 1 : -0.99 }
            for index in columns..<2 * columns { x[index] = 1 }
            let expected = try withInstructionSet("scalar") { try product(weights, x, pool: pools[1]) }
            let gather = (0..<tokens).map { Int32(($0 * 37 + 11) % tokens) }
            let gathered = gather.flatMap { expected[(Int($0) * rows)..<((Int($0) + 1) * rows)] }
            for name in instructionSets.dropFirst() {
                try withInstructionSet(name) {
                    for pool in TestLevel.isAll ? pools : [pools[1]] {
                        #expect(try product(weights, x, pool: pool) == expected, "\(name), \(tokens) tokens")
                    }
                    let found = try product(weights, x, pool: pools[1], gather: gather)
                    #expect(found == gathered, "\(name), \(tokens) gathered tokens")
                }
            }
        }
    }

    @Test("The largest codes and inputs give the scalar kernel's results", arguments: TensorType.quantized)
    func largest(type: TensorType) throws {
        var generator = SeededGenerator(seed: 4321 + UInt64(type.id))
        let pool = try TestPool(threads: 2)
        let columns = type.blockElements == 32 ? 96 : 512
        let codes: [UInt8] = [0x00, 0xff, 0x80, 0x7f, 0x0f, 0xf0, 0x88, 0x77]
        let weights = Weights(type: type, rows: 40, columns: columns, using: &generator).with(codes: codes)
        let inputs: [[Float]] = [
            [1, 1, 1, 1], [-1, -1, -1, -1], [1, 1, -1, -1], [-1, -1, 1, 1], [1, -1, 1, -1], [1, 1, 0, 0],
            [0, 0, -1, -1],
        ]
        let tokens = 26
        let x = (0..<tokens * columns).map { inputs[$0 / columns % inputs.count][$0 % 4] }
        let expected = try withInstructionSet("scalar") { try product(weights, x, pool: pool) }
        for name in instructionSets.dropFirst() {
            for count in [1, 5, tokens] {
                let found = try withInstructionSet(name) {
                    try product(weights, Array(x[..<(count * columns)]), pool: pool)
                }
                #expect(found == Array(expected[..<(count * weights.rows)]), "\(name), \(count) tokens")
            }
        }
    }

    @Test("The only error is that of rounding activations to eight bits", arguments: TensorType.quantized)
    func errorBound(type: TensorType) throws {
        var generator = SeededGenerator(seed: 5 + UInt64(type.id))
        let columns = 768
        let weights = Weights(type: type, rows: 20, columns: columns, using: &generator)
        let x = randomInput(2 * columns, using: &generator)
        let pool = try TestPool(threads: 1)
        let dequantized = weights.dequantized()
        let group = leap_activation_kind(type.id) == Int32(LEAP_ACTIVATION_Q8_32) ? 32 : 256
        let found = try product(weights, x, pool: pool)
        for token in 0..<2 {
            let input = Array(x[(token * columns)..<((token + 1) * columns)])
            for (row, values) in dequantized.enumerated() {
                var exact = 0.0
                var bound = 0.0
                for start in stride(from: 0, to: columns, by: group) {
                    let largest = input[start..<(start + group)].map(abs).max() ?? 0
                    for k in start..<(start + group) {
                        exact += Double(values[k]) * Double(input[k])
                        bound += abs(Double(values[k])) * Double(largest) / 127 / 2
                        // Float rounding of the sums.
                        bound += abs(Double(values[k]) * Double(input[k])) * 1e-5
                    }
                }
                // Scales and minimums round on their own where they nearly cancel.
                bound = bound * 1.001 + 1e-3
                let error = abs(Double(found[token * weights.rows + row]) - exact)
                #expect(error <= bound, "row \(row): error \(error), bound \(bound)")
            }
        }
    }

    @Test(
        "NaN and infinity in an input give NaN in all outputs of its token and nowhere else",
        arguments: TensorType.quantized)
    func notFinite(type: TensorType) throws {
        var generator = SeededGenerator(seed: 55 + UInt64(type.id))
        let columns = type.blockElements == 32 ? 96 : 512
        let values: [Float] = [
            .nan, -.nan, .signalingNaN, .infinity, -.infinity, Float(bitPattern: 0xFFAB_CDEF),
        ]
        let pool = try TestPool(threads: 2)
        // Fewer rows than a register has lanes, and more.
        for rows in [3, 19] {
            let weights = Weights(type: type, rows: rows, columns: columns, using: &generator)
            for tokens in TestLevel.isAll ? [1, 2, 9, 70] : [1, 9] {
                let clean = randomInput(tokens * columns, using: &generator)
                for name in instructionSets {
                    try withInstructionSet(name) {
                        let expected = try product(weights, clean, pool: pool)
                        for place in stride(from: 0, to: columns, by: tokens > 1 ? 61 : TestLevel.isAll ? 5 : 19) {
                            var x = clean
                            let token = place % tokens
                            x[token * columns + place] = values[place % values.count]
                            let found = try product(weights, x, pool: pool)
                            let outputs = token * rows..<(token + 1) * rows
                            #expect(found[outputs].allSatisfy { $0.isNaN }, "\(name), \(tokens) tokens, place \(place)")
                            let isKept = found.indices.allSatisfy {
                                outputs.contains($0) || found[$0].bitPattern == expected[$0].bitPattern
                            }
                            #expect(isKept, "\(name), \(tokens) tokens, place \(place)")
                        }
                    }
                }
            }
        }
    }

    @Test("Several products of different types and sizes run in one call")
    func severalJobs() throws {
        var generator = SeededGenerator(seed: 99)
        let pool = try TestPool(threads: 3)
        let columns = 512
        let x = randomInput(3 * columns, using: &generator)
        let matrices = [(LEAP_Q4_K, 40), (LEAP_Q6_K, 3), (LEAP_Q4_0, 129), (LEAP_Q8_0, 64)].map {
            Weights(type: TensorType(id: Int32($0.0)), rows: $0.1, columns: columns, using: &generator)
        }
        let expected = try matrices.map { try product($0, x, pool: pool) }
        let activations = matrices.map {
            Activations(x, columns: columns, kind: leap_activation_kind($0.type.id), pool: pool)
        }
        // One byte off: weights may have any alignment.
        let shifted = matrices.map { [0] + $0.bytes }
        let rows = matrices.map(\.rows)
        let starts = rows.indices.map { rows[..<$0].reduce(0, +) * 3 }
        var out = [Float](repeating: .nan, count: rows.reduce(0, +) * 3)
        try out.withUnsafeMutableBufferPointer { out in
            let result = try #require(out.baseAddress)
            var jobs: [leap_matmul_job] = []
            // Nests one closure per matrix, so that every buffer is alive when the call runs.
            func run(_ index: Int) throws {
                guard index < matrices.count else {
                    pool.use { leap_matmul($0, jobs, Int32(jobs.count)) }
                    return
                }
                try activations[index].use { act in
                    try shifted[index].withUnsafeBytes { bytes in
                        let type = matrices[index].type
                        jobs.append(
                            leap_matmul_job(
                                w: leap_matrix(
                                    data: try #require(bytes.baseAddress) + 1, type: type.id, rows: Int64(rows[index]),
                                    cols: Int64(columns), row_bytes: type.rowBytes(columns)),
                                act: act, gather: nil, tokens: 3, out: result + starts[index],
                                out_stride: Int64(rows[index]), remainders: 0))
                        try run(index + 1)
                    }
                }
            }
            try run(0)
        }
        for index in matrices.indices {
            let found = Array(out[starts[index]..<(starts[index] + 3 * rows[index])])
            #expect(found == expected[index], "\(matrices[index].type.name)")
        }
    }

    @Test("Jobs without tokens are allowed")
    func noTokens() throws {
        var generator = SeededGenerator(seed: 3)
        let pool = try TestPool(threads: 2)
        let weights = Weights(type: TensorType(id: Int32(LEAP_Q4_K)), rows: 20, columns: 256, using: &generator)
        #expect(try product(weights, randomInput(256, using: &generator), pool: pool, gather: []) == [])
    }
}

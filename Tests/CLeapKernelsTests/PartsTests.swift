import CLeapKernels
import LeapTestSupport
import Testing

/// Products whose inputs are in two parts: what rounding takes from them is multiplied too.
struct PartsTests {
    /// Types whose inputs are rounded to less than 16 bits on an instruction set.
    private static func isRounded(_ type: TensorType) -> Bool {
        leap_activation_parts(leap_activation_kind(type.id)) == 2
    }

    @Test("Every instruction set equals the scalar reference bit for bit", arguments: TensorType.quantized)
    func equalsScalar(type: TensorType) throws {
        var generator = SeededGenerator(seed: 900 + UInt64(type.id))
        let pool = try TestPool(threads: 2)
        let columns = type.blockElements == 32 ? 288 : 512
        for rows in [3, 75] {
            let weights = Weights(type: type, rows: rows, columns: columns, using: &generator)
            let x = randomInput(9 * columns, using: &generator)
            let expected = try withInstructionSet("scalar") { try product(weights, x, pool: pool, inParts: true) }
            for name in instructionSets.dropFirst() {
                let found = try withInstructionSet(name) { try product(weights, x, pool: pool, inParts: true) }
                #expect(found == expected, "\(name), \(rows) rows")
            }
        }
    }

    @Test("Results do not depend on batch size, thread count or place in the batch", arguments: TensorType.all)
    func oneArithmetic(type: TensorType) throws {
        var generator = SeededGenerator(seed: 970 + UInt64(type.id))
        let (rows, columns, tokens) = (200, 512, 270)
        let weights = Weights(type: type, rows: rows, columns: columns, using: &generator)
        let x = randomInput(tokens * columns, using: &generator)
        let pools = try [1, 3].map { try TestPool(threads: $0) }
        for name in instructionSets.dropFirst() {
            try withInstructionSet(name) {
                let expected = try product(weights, x, pool: pools[0], inParts: true)
                for count in TestLevel.cases([1, 64, 257, 2, 5, 65, 150], standard: 2) {
                    let found = try product(weights, Array(x[..<(count * columns)]), pool: pools[1], inParts: true)
                    #expect(found == Array(expected[..<(count * rows)]), "\(name), \(count) tokens")
                }
                let gather: [Int32] = [63, 0, 5, 149, 17, 40, 2]
                let found = try product(weights, x, pool: pools[1], gather: gather, inParts: true)
                let gathered = gather.flatMap { expected[(Int($0) * rows)..<((Int($0) + 1) * rows)] }
                #expect(found == gathered, "\(name), gathered tokens")
            }
        }
    }

    @Test("The error is that of inputs of 16 bits", arguments: TensorType.all)
    func errorBound(type: TensorType) throws {
        var generator = SeededGenerator(seed: 950 + UInt64(type.id))
        let (rows, columns) = (20, 768)
        let weights = Weights(type: type, rows: rows, columns: columns, using: &generator)
        let x = randomInput(columns, using: &generator)
        let pool = try TestPool(threads: 1)
        let dequantized = weights.dequantized()
        for name in instructionSets {
            try withInstructionSet(name) {
                let found = try product(weights, x, pool: pool, inParts: true)
                let rounded = try product(weights, x, pool: pool)
                var (errors, roundedErrors) = (0.0, 0.0)
                let largest = Double(x.map(abs).max() ?? 0)
                for (row, values) in dequantized.enumerated() {
                    let exact = zip(values, x).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
                    let magnitude = values.reduce(0.0) { $0 + abs(Double($1)) } * largest
                    let error = abs(Double(found[row]) - exact)
                    #expect(error <= magnitude / 32258 + 1e-3, "\(name), row \(row): error \(error)")
                    errors += error
                    roundedErrors += abs(Double(rounded[row]) - exact)
                }
                if Self.isRounded(type) {
                    #expect(errors < roundedErrors / 20, "\(name): \(errors), with rounded inputs \(roundedErrors)")
                } else {
                    #expect(found == rounded, "\(name) rounds no inputs of this type")
                }
            }
        }
    }
}

import CLeapKernels
import LeapTestSupport
import Testing

/// The two kernels that single tokens' products can choose from (`leap_reading_select`).
struct ReadingTests {
    private func withReading<Result>(_ reading: Int, _ body: () throws -> Result) rethrows -> Result {
        leap_reading_select(Int32(reading))
        defer { leap_reading_select(Int32(LEAP_READING_MEASURED)) }
        return try body()
    }

    @Test("Both kernels of a type give the same bits, and those of several tokens", arguments: TensorType.all)
    func sameBits(type: TensorType) throws {
        var generator = SeededGenerator(seed: 600 + UInt64(type.id))
        let pool = try TestPool(threads: 1)
        // Rows that fill no panel; one block, and rows longer than what is asked for ahead.
        for (rows, columns) in [(16, 256), (TestLevel.isAll ? 67 : 19, 2304)] {
            let weights = Weights(type: type, rows: rows, columns: columns, using: &generator)
            let x = randomInput(3 * columns, using: &generator)
            for name in instructionSets {
                try withInstructionSet(name) {
                    let together = try product(weights, x, pool: pool)
                    for reading in [LEAP_READING_FIRST, LEAP_READING_OTHER] {
                        let alone = try withReading(reading) { try product(weights, Array(x[..<columns]), pool: pool) }
                        #expect(alone == Array(together[..<rows]), "\(name), reading \(reading), \(rows) rows")
                    }
                }
            }
        }
    }

    #if arch(x86_64)
        @Test(
            "Products settle on a kernel while the first tokens are computed, whatever it is with the same result",
            .enabled(if: instructionSets.count > 1, "The scalar kernels have nothing to choose from."))
        func settles() throws {
            var generator = SeededGenerator(seed: 700)
            let pool = try TestPool(threads: 1)
            // More than the megabyte below which nothing is measured, in a shape that no other test has.
            let weights = Weights(
                type: TensorType(id: Int32(LEAP_Q8_0)), rows: 1025, columns: 1056, using: &generator)
            let x = randomInput(1056, using: &generator)
            let before = leap_reading_found()
            let expected = try product(weights, x, pool: pool)
            for _ in 0..<60 { #expect(try product(weights, x, pool: pool) == expected) }
            let after = leap_reading_found()
            #expect(after.products >= before.products + 1)
            #expect(after.other <= after.products)
        }
    #endif
}

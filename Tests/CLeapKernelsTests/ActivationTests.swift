import CLeapKernels
import LeapTestSupport
import Testing

struct ActivationTests {
    @Test("Prepared int8 activations are the same bytes on every instruction set", arguments: [32, 256, 288, 2048])
    func sameBytes(columns: Int) throws {
        var generator = SeededGenerator(seed: UInt64(columns))
        let pool = try TestPool(threads: 2)
        var x = randomInput(4 * columns, using: &generator)
        for index in 0..<32 { x[index] = 0 }
        // Ties, the largest value on both sides, tiny numbers and what is not a number.
        x[columns] = 127
        x[columns + 1] = 0.5
        x[columns + 2] = 1.5
        x[columns + 3] = -2.5
        x[2 * columns] = .leastNonzeroMagnitude
        x[2 * columns + 5] = .nan
        x[3 * columns + 1] = .infinity
        for kind in [LEAP_ACTIVATION_Q8_32, LEAP_ACTIVATION_Q8_256] {
            if Int(kind) == Int(LEAP_ACTIVATION_Q8_256), columns % 256 != 0 { continue }
            let expected = withInstructionSet("scalar") {
                Activations(x, columns: columns, kind: Int32(kind), pool: pool).bytes
            }
            for name in instructionSets {
                let found = withInstructionSet(name) {
                    Activations(x, columns: columns, kind: Int32(kind), pool: pool).bytes
                }
                #expect(found == expected, "\(name), kind \(kind)")
            }
        }
    }

    @Test("Rounding is to nearest, ties to even, with the largest magnitude at 127")
    func rounding() throws {
        let pool = try TestPool(threads: 1)
        var x = [Float](repeating: 0, count: 32)
        x.replaceSubrange(0..<8, with: [127, 0.5, 1.5, -2.5, 2.49, -126.6, 3.5, -0.5])
        let prepared = Activations(x, columns: 32, kind: Int32(LEAP_ACTIVATION_Q8_32), pool: pool)
        #expect(prepared.bytes[0..<8].map { Int8(bitPattern: $0) } == [127, 0, 2, -2, 2, -127, 4, 0])
        #expect(Array(prepared.bytes[64..<68]) == [0, 0, 0x80, 0x3f], "the scale 1.0")
    }

    @Test("Unknown weight types have no activation kind")
    func unknownType() {
        #expect(leap_activation_kind(999) == -1)
        #expect(leap_activation_kind(4) == -1)
        #expect(leap_row_bytes(4, 256) == 0)
        #expect(leap_row_bytes(Int32(LEAP_Q4_K), 100) == 0)
        #expect(leap_type_name(-1) == nil)
        #expect(leap_activation_bytes(Int32(LEAP_ACTIVATION_Q8_32), 0, 5) == 0)
    }
}

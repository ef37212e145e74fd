import LeapModel
import LeapTestSupport
import Testing

@testable import LeapGPU

extension GPUTests {
    /// Kernels of recurrent layers and of gates, each compared with the same in double precision.
    struct RecurrenceTests {
        @Test(
            "States, convolutions, lengths and norms are those in double precision, for keys and values of any length")
        func recurrences() throws {
            let gpu = try TestGPU.open()
            var test = SelfTest(gpu, Pipelines(gpu))
            for (keyLength, taps) in TestGPU.isEmulated ? [(20, 4)] : [(1, 1), (20, 2), (128, 4), (512, 8)] {
                for (form, isGrouped) in [(RecurrenceShape.Form.deltaNet, false), (.deltaNet, true), (.mamba, true)] {
                    let shape = RecurrenceShape(
                        keyHeads: 2, valueHeads: 6, keyLength: keyLength, valueLength: 37, taps: taps, form: form,
                        isGrouped: isGrouped)
                    try test.checkRecurrence(shape, hasFilterBias: form == .mamba, isNormed: keyLength != 20)
                }
            }
        }

        @Test("Gates of heads, or of their elements, and rows that are added with factors")
        func gates() throws {
            let gpu = try TestGPU.open()
            var test = SelfTest(gpu, Pipelines(gpu))
            for isPerElement in [false, true] { try test.checkHeadGates(isPerElement: isPerElement) }
            try test.checkAddScaled()
        }
    }
}

import CLeapMeasurement
package import LeapCPU
import LeapEngine
import LeapGGUF

/// The most that this machine's threads do together, measured: what profiles compare with.
package struct MachineLimits: Sendable, Hashable {
    /// Reading memory.
    package var memory: MemoryLimit
    /// Operations on 8-bit integers a second; a multiply-add counts as two.
    package var integerOperationsPerSecond: Double
    /// Operations on floats a second; a multiply-add counts as two.
    package var floatOperationsPerSecond: Double
    /// Operations on 16-bit floats a second, as floats where the instruction set has nothing faster; a multiply-add
    /// counts as two.
    package var halfOperationsPerSecond: Double

    /// Operations a second of a kind of arithmetic.
    package func operationsPerSecond(_ arithmetic: Arithmetic) -> Double {
        switch arithmetic {
        case .integer: integerOperationsPerSecond
        case .float: floatOperationsPerSecond
        case .half: halfOperationsPerSecond
        }
    }

    /// Measures for a few seconds.
    static func measure(_ kernels: Kernels, model: GGUFFile?) -> MachineLimits {
        MachineLimits(
            memory: .measure(kernels, model: model), integerOperationsPerSecond: leap_peak_int8(kernels.pool) * 1e9,
            floatOperationsPerSecond: leap_peak_float(kernels.pool) * 1e9,
            halfOperationsPerSecond: leap_peak_bfloat(kernels.pool) * 1e9)
    }
}

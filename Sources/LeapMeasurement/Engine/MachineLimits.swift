import CLeapKernels
import CLeapMeasurement
import LeapEngine

/// The most that this machine's threads do together, measured: what profiles compare with.
package struct MachineLimits: Sendable, Hashable {
    /// Bytes read from memory a second.
    package var bytesPerSecond: Double
    /// Operations on 8-bit integers a second; a multiply-add counts as two.
    package var integerOperationsPerSecond: Double
    /// Operations on floats a second; a multiply-add counts as two.
    package var floatOperationsPerSecond: Double
    /// Operations on 16-bit floats a second, as floats where the instruction set has nothing faster; a multiply-add counts as two.
    package var halfOperationsPerSecond: Double

    /// More than the caches of most processors hold.
    private static let readBytes = 512 << 20

    /// Operations a second of a kind of arithmetic.
    package func operationsPerSecond(_ arithmetic: Arithmetic) -> Double {
        switch arithmetic {
        case .integer: integerOperationsPerSecond
        case .float: floatOperationsPerSecond
        case .half: halfOperationsPerSecond
        }
    }

    /// Measures for about a second.
    static func measure(_ kernels: Kernels) -> MachineLimits {
        // Zeroed pages would all be one page of the system's: they have to be written to.
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: readBytes, alignment: Int(LEAP_ALIGNMENT))
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 1)
        let read = memory.baseAddress.map { leap_peak_read(kernels.pool, $0, memory.count) } ?? 0
        return MachineLimits(
            bytesPerSecond: read * 1e9, integerOperationsPerSecond: leap_peak_int8(kernels.pool) * 1e9,
            floatOperationsPerSecond: leap_peak_float(kernels.pool) * 1e9,
            halfOperationsPerSecond: leap_peak_bfloat(kernels.pool) * 1e9)
    }
}

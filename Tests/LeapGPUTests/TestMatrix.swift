import CLeapKernels
import LeapGGUF
import LeapGPU
import LeapTestSupport

/// A matrix of made weights of a tensor type.
struct TestMatrix {
    let type: GGUFTensorType
    let rows: Int
    let columns: Int
    let bytes: [UInt8]
    /// The elements, unpacked by the processor.
    let elements: [Float]

    var rowByteCount: Int { bytes.count / rows }

    /// - Parameter scale: a power of two that scales and elements are multiplied with.
    init(
        _ type: GGUFTensorType, rows: Int, columns: Int, scale: Float = 1, using generator: inout SeededGenerator
    ) {
        (self.type, self.rows, self.columns) = (type, rows, columns)
        let blocks = rows * columns / type.blockSize
        var bytes: [UInt8] = []
        let exponent = Int(scale.exponent)
        for _ in 0..<blocks { bytes += Self.block(type, exponent: exponent, using: &generator) }
        var elements = [Float](repeating: 0, count: rows * columns)
        leap_dequantize_row(Int32(type.rawValue), bytes, &elements, Int64(elements.count))
        self.bytes = bytes
        self.elements = elements
    }

    /// A block of random codes, whose scales are half-precision numbers near 0.01 times a power of two.
    private static func block(
        _ type: GGUFTensorType, exponent: Int, using generator: inout SeededGenerator
    ) -> [UInt8] {
        if type == .f32 {
            let number = Float(
                sign: .plus, exponent: exponent, significand: Float.random(in: -1...1, using: &generator))
            return withUnsafeBytes(of: number) { Array($0) }
        }
        var bytes = (0..<type.blockByteCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
        // Sign and exponent of a half: 2^-7 in scales, 2^-1 with either sign in elements.
        let scales: [GGUFTensorType: [Int]] = [
            .q8_0: [0], .q4_0: [0], .q4_1: [0, 2], .q5_0: [0], .q5_1: [0, 2], .q2_K: [80, 82], .q3_K: [108],
            .q4_K: [0, 2], .q5_K: [0, 2], .q6_K: [208], .iq4_nl: [0], .iq4_xs: [0],
        ]
        for at in scales[type] ?? [] { bytes[at + 1] = UInt8(0x20 + 4 * exponent) | bytes[at + 1] & 3 }
        // The exponent of twice the scale: 2^-7.
        if type == GPUKernel.mxfp4 { bytes[0] = UInt8(121 + exponent) }
        if type == .f16 { bytes[1] = UInt8(0x38 + 4 * exponent) | bytes[1] & 0x83 }
        if type == .bf16 { bytes[1] = UInt8(0x3e + exponent / 2) | bytes[1] & 0x81 }
        return bytes
    }
}

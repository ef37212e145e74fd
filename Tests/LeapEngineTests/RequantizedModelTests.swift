import CLeapKernels
import Foundation
import LeapGGUF
import LeapMeasurement
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The demo model with layers in types that no published quantisation of it has, quantised here.
@Suite(.inTurns)
struct RequantizedModelTests {
    /// A type with a way to quantise a row to it, to the nearest value of every block.
    struct Quantizer: Sendable, CustomTestStringConvertible {
        let id: Int
        /// The error that the rounding of activations to eight bits may cause.
        let bound: Double
        let block: @Sendable (ArraySlice<Float>) -> [UInt8]

        var type: GGUFTensorType { GGUFTensorType(rawValue: UInt32(id)) }
        var testDescription: String { type.name }

        func callAsFunction(_ values: [Float]) -> [UInt8] {
            stride(from: 0, to: values.count, by: type.blockSize).flatMap { block(values[$0..<$0 + type.blockSize]) }
        }

        /// An exponent of eight bits, then 16 bytes of four-bit floats.
        static let mxfp4 = Quantizer(id: LEAP_MXFP4, bound: 1e-3) { values in
            let magnitudes: [Float] = [0, 0.5, 1, 1.5, 2, 3, 4, 6]
            let largest = values.reduce(0) { max($0, abs($1)) }
            let exponent = largest == 0 ? 0 : min(max(largest.exponent - 2, -127), 127)
            let scale = Float(sign: .plus, exponent: exponent, significand: 1)
            let codes = values.map { value -> UInt8 in
                let x = abs(value) / scale
                let nearest = magnitudes.indices.min { abs(magnitudes[$0] - x) < abs(magnitudes[$1] - x) } ?? 0
                return UInt8(nearest) | (value < 0 ? 8 : 0)
            }
            return [UInt8(exponent + 127)] + (0..<16).map { codes[$0] | codes[$0 + 16] << 4 }
        }

        /// Four scales of E4M3, then 32 bytes of four-bit floats.
        static let nvfp4 = Quantizer(id: LEAP_NVFP4, bound: 1e-3) { values in
            let magnitudes: [Float] = [0, 0.5, 1, 1.5, 2, 3, 4, 6]
            var scales: [UInt8] = []
            var codes: [UInt8] = []
            for start in stride(from: values.startIndex, to: values.endIndex, by: 16) {
                let part = values[start..<start + 16]
                let wanted = part.reduce(0) { max($0, abs($1)) } / 6
                let byte = (0..<0x7F).min { abs(e4m3($0) - wanted) < abs(e4m3($1) - wanted) } ?? 0
                let scale = max(e4m3(byte), .leastNormalMagnitude)
                let own = part.map { value -> UInt8 in
                    let x = abs(value) / scale
                    let nearest = magnitudes.indices.min { abs(magnitudes[$0] - x) < abs(magnitudes[$1] - x) } ?? 0
                    return UInt8(nearest) | (value < 0 ? 8 : 0)
                }
                scales.append(UInt8(byte))
                codes += (0..<8).map { own[$0] | own[$0 + 8] << 4 }
            }
            return scales + codes
        }

        /// The number that a byte of E4M3 without a sign stands for.
        private static func e4m3(_ byte: Int) -> Float {
            let (exponent, fraction) = (byte >> 3, Float(byte & 7))
            return exponent == 0
                ? fraction * 0x1p-9 : Float(sign: .plus, exponent: exponent - 7, significand: 1 + fraction / 8)
        }

        /// 64 bytes of two-bit codes, then a half-precision scale; here a power of two.
        ///
        /// KL to floats is 4.2e-3, all of it from activations: the same numbers as Q6_K give the same logits to the
        /// last bit (``ternaryAsOtherTypes()``). As Q4_0, whose activations have a scale for each 32 instead of 256
        /// elements, they give 8.7e-4.
        static let tq2 = Quantizer(id: LEAP_TQ2_0, bound: 4.5e-3) { values in
            let largest = values.reduce(0) { max($0, abs($1)) }
            let exponent = largest == 0 ? -14 : min(max(largest.exponent, -14), 15)
            let scale = Float(sign: .plus, exponent: exponent, significand: 1)
            var bytes = [UInt8](repeating: 0, count: 64)
            for (i, value) in values.enumerated() {
                let code = UInt8(min(max((value / scale).rounded(), -1), 1) + 1)
                bytes[i / 128 * 32 + i % 32] |= code << (i % 128 / 32 * 2)
            }
            return bytes + half(exponent)
        }

        /// Random codes, with the power of two for a scale that makes a block about as large as its values: whatever
        /// codes stand for, the same numbers as floats must give the same logits but for the rounding of activations.
        static func random(_ id: Int, bound: Double) -> Quantizer {
            Quantizer(id: id, bound: bound) { values in
                var generator = SeededGenerator(seed: values.reduce(UInt64(id)) { $0 &* 31 &+ UInt64($1.bitPattern) })
                guard let layout = leap_tensor_type_find(Int64(id))?.pointee else { return [] }
                var bytes = (0..<Int(layout.bytes)).map { _ in UInt8.random(in: 0...255, using: &generator) }
                func set(_ exponent: Int) {
                    let scale = half(exponent)
                    let at = Int(layout.scale_at)
                    guard Int(layout.scale_format) == LEAP_SCALE_SPLIT_HALF else {
                        bytes.replaceSubrange(at..<at + 2, with: scale)
                        return
                    }
                    // Four bits in the upper half of every second byte.
                    for part in 0..<4 {
                        let bits = scale[part / 2] >> (part % 2 * 4) & 15
                        bytes[at + 2 * part + 1] = bytes[at + 2 * part + 1] & 15 | bits << 4
                    }
                }
                set(0)
                let units = RequantizedModelTests.dequantized(Int32(id), bytes, values.count)
                let (wanted, found) = (values.reduce(0) { $0 + $1 * $1 }, units.reduce(0) { $0 + $1 * $1 })
                set(wanted == 0 ? -14 : max(Int((wanted / found).squareRoot().exponent), -14))
                return bytes
            }
        }

        /// The types without a quantizer of their own here.
        static let others = [
            LEAP_IQ2_XXS, LEAP_IQ2_XS, LEAP_IQ2_S, LEAP_IQ3_XXS, LEAP_IQ3_S, LEAP_IQ1_S, LEAP_IQ1_M, LEAP_TQ1_0,
            LEAP_Q1_0, LEAP_Q2_0,
        ].map { random($0, bound: 1e-2) }

        /// Ternary numbers as the sums of six bits that blocks of 256 have: low halves, high halves, 16 scales of one,
        /// the block's scale.
        static let ternaryAsQ6K = Quantizer(id: LEAP_Q6_K, bound: 4.5e-3) { values in
            let (codes, scale) = ternary(values)
            var low = [UInt8](repeating: 0, count: 128)
            var high = [UInt8](repeating: 0, count: 64)
            for (i, code) in codes.enumerated() {
                let biased = UInt8(32 + code)
                low[i / 128 * 64 + i % 64] |= (biased & 15) << (i % 128 / 64 * 4)
                high[i / 128 * 32 + i % 32] |= (biased >> 4) << (i % 128 / 32 * 2)
            }
            return low + high + [UInt8](repeating: 1, count: 16) + scale
        }

        /// Ternary numbers as four bits in blocks of 32: the block's scale, then the codes.
        static let ternaryAsQ4 = Quantizer(id: LEAP_Q4_0, bound: 1e-3) { values in
            let (codes, scale) = ternary(values)
            return scale + (0..<16).map { UInt8(8 + codes[$0]) | UInt8(8 + codes[$0 + 16]) << 4 }
        }

        /// The signs of values that are zero or of one magnitude, a power of two, and that magnitude in half precision.
        private static func ternary(_ values: ArraySlice<Float>) -> (codes: [Int], scale: [UInt8]) {
            let largest = values.reduce(0) { max($0, abs($1)) }
            return (values.map { $0 == 0 ? 0 : $0 < 0 ? -1 : 1 }, half(largest == 0 ? -14 : largest.exponent))
        }

        /// A power of two in half precision.
        private static func half(_ exponent: Int) -> [UInt8] {
            let bits = UInt16(exponent + 15) << 10
            return [UInt8(bits & 255), UInt8(bits >> 8)]
        }
    }

    private static func dequantized(_ type: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> [Float] {
        [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
            if let out = buffer.baseAddress { leap_dequantize_row(type, bytes, out, Int64(count)) }
            initialized = count
        }
    }

    /// The bytes that were quantised before, by type and tensor.
    private final class Known {
        var bytes: [String: [UInt8]] = [:]
    }

    private let known = Known()

    private static let tokens: [Int32] = (1...40).map { $0 * 7 }

    /// The logits of the demo model as it is.
    private static let original: Result<[Float], any Error> = Result {
        try Evaluation.logits(
            model: try Model.load(path: Fixture.demoPath), tokens: tokens, keyValueType: .f32, threads: 2)
    }

    /// A copy of the demo model whose first two layers have other weights: in the quantizer's type, or the same numbers
    /// as floats or in another type.
    private func model(_ quantize: Quantizer, asFloats: Bool = false, as other: Quantizer? = nil) throws -> Model {
        let file = try GGUFFile.open(path: Fixture.demoPath)
        var writer = GGUFWriter()
        for key in file.metadata.keys.sorted() {
            if let value = file.metadata[key] { writer.set(key, value) }
        }
        for tensor in file.tensors {
            let isReplaced =
                (tensor.name.hasPrefix("blk.0.") || tensor.name.hasPrefix("blk.1.")) && tensor.shape.count == 2
                && tensor.type == .q8_0 && tensor.shape[0] % quantize.type.blockSize == 0
            guard isReplaced, let base = tensor.data.baseAddress else {
                try writer.add(tensor)
                continue
            }
            let key = "\(quantize.id) \(tensor.name)"
            let bytes =
                known.bytes[key] ?? quantize(Self.dequantized(Int32(LEAP_Q8_0), base, tensor.elementCount))
            known.bytes[key] = bytes
            let floats = Self.dequantized(Int32(quantize.id), bytes, tensor.elementCount)
            guard asFloats else {
                try writer.add(
                    tensor: tensor.name, type: (other ?? quantize).type, shape: tensor.shape,
                    bytes: other?(floats) ?? bytes)
                continue
            }
            try writer.add(
                tensor: tensor.name, type: .f32, shape: tensor.shape, bytes: floats.withUnsafeBytes(Array.init))
        }
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).gguf")
        defer { try? FileManager.default.removeItem(at: url) }
        try writer.write(to: url.path)
        return try Model.load(path: url.path)
    }

    @Test(
        "Quantised layers compute what the same numbers as floats do",
        arguments: TestLevel.cases([Quantizer.mxfp4, .nvfp4, .tq2] + Quantizer.others, standard: 3))
    func quantisedLayersComputeWhat(quantize: Quantizer) throws {
        let tokens = Self.tokens
        let quantized = try model(quantize)
        #expect(quantized.file.tensors.filter { $0.type == quantize.type }.count >= 8)
        let width = quantized.vocabularySize
        let found = try Evaluation.logits(model: quantized, tokens: tokens, keyValueType: .f32, threads: 2)
        let floats = try Evaluation.logits(
            model: try model(quantize, asFloats: true), tokens: tokens, keyValueType: .f32, threads: 2)
        let original = try Self.original.get()
        // What is left is the rounding of activations to eight bits; the types themselves are far coarser.
        let divergence = Divergence(from: floats, to: found, width: width)
        let coarseness = Divergence(from: original, to: found, width: width)
        print("\(quantize.type): KL to floats \(divergence.mean), to the original \(coarseness.mean)")
        #expect(divergence.mean <= quantize.bound)
        #expect(divergence.mean < coarseness.mean / 20)
    }

    @Test("Ternary weights give the logits of the same numbers in another type with the same activations, bit for bit")
    func ternaryAsOtherTypes() throws {
        let tokens = Self.tokens
        func logits(_ model: Model) throws -> [Float] {
            try Evaluation.logits(model: model, tokens: tokens, keyValueType: .f32, threads: 2)
        }
        let ternary = try model(.tq2)
        let found = try logits(ternary)
        let sixBits = try model(.tq2, as: .ternaryAsQ6K)
        #expect(sixBits.file.tensors.contains { $0.type == .q6_K })
        #expect(try logits(sixBits) == found)
        // Scales for fewer activations round them less.
        let floats = try logits(try model(.tq2, asFloats: true))
        let fourBits = try logits(try model(.tq2, as: .ternaryAsQ4))
        let divergence = Divergence(from: floats, to: fourBits, width: ternary.vocabularySize)
        print("TQ2_0 as Q4_0: KL to floats \(divergence.mean)")
        #expect(divergence.mean <= Quantizer.ternaryAsQ4.bound)
    }
}

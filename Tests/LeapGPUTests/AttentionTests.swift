import CLeapKernels
import Foundation
import LeapGPU
import LeapTestSupport
import Testing

extension GPUTests {
    /// Attention over pages of keys and values.
    struct AttentionTests {
        static let page = 64, heads = 6, keyHeads = 2

        /// The type in which keys and values are kept.
        enum Element: CaseIterable {
            case f16, f32, q8_0

            var kernel: GPUKernel {
                switch self {
                case .f16: .attentionF16
                case .f32: .attentionF32
                case .q8_0: .attentionQ8_0
                }
            }

            var pageKernel: GPUKernel {
                switch self {
                case .f16: .attentionPageF16
                case .f32: .attentionPageF32
                case .q8_0: .attentionPageQ8_0
                }
            }
        }

        /// A head of a page as bytes, and as numbers.
        ///
        /// - Parameter areKeys: keys lie as `[element][position]`, values as `[position][element]`.
        static func head(
            _ element: Element, length: Int, areKeys: Bool, using generator: inout SeededGenerator
        ) -> ([UInt8], [Float]) {
            let count = length * page
            if element == .f32 {
                let values = generator.floats(count)
                return (values.withUnsafeBytes { Array($0) }, values)
            }
            if element == .f16 { return halves(count, using: &generator) }
            let codes = (0..<count).map { _ in Int8.random(in: -127...127, using: &generator) }
            let (scaleBytes, scales) = halves((length + 31) / 32 * page, using: &generator)
            let values = codes.indices.map { index in
                let (i, position) = areKeys ? (index / page, index % page) : (index % length, index / length)
                return Float(codes[index]) / 128 * scales[i / 32 * page + position]
            }
            // Scales are 2^-7 of the numbers drawn: seven less in the exponent.
            let small = scaleBytes.enumerated().map { $0.offset % 2 == 1 ? $0.element - (7 << 2) : $0.element }
            return (codes.map { UInt8(bitPattern: $0) } + small, values)
        }

        /// Half-precision numbers from 0.5 to 2 of either sign.
        private static func halves(_ count: Int, using generator: inout SeededGenerator) -> ([UInt8], [Float]) {
            let bytes = (0..<(2 * count)).map { index in
                let byte = UInt8.random(in: 0...255, using: &generator)
                return index % 2 == 1 ? 0x38 | byte & 0x87 : byte
            }
            var values = [Float](repeating: 0, count: count)
            leap_dequantize_row(1, bytes, &values, Int64(count))
            return (bytes, values)
        }

        /// Pages with all their heads.
        static func pages(
            _ element: Element, count: Int, length: Int, areKeys: Bool, using generator: inout SeededGenerator
        ) -> (bytes: [UInt8], values: [Float]) {
            var bytes: [UInt8] = [], values: [Float] = []
            for _ in 0..<(count * keyHeads) {
                let head = head(element, length: length, areKeys: areKeys, using: &generator)
                bytes += head.0
                values += head.1
            }
            return (bytes, values)
        }

        @Test(
            "Attention is the scalar one's in any order of pages, and has the same bits alone and in a batch",
            arguments: Element.allCases,
            TestGPU.cases([(64, 0, false), (80, 0, true), (80, 3, false), (64, 0.5, true)], brief: 2))
        func parity(element: Element, shape: (headLength: Int, softcap: Float, hasSinks: Bool)) throws {
            let (headLength, softcap, hasSinks) = shape
            let gpu = try TestGPU()
            var generator = SeededGenerator(seed: 5)
            let (page, heads, keyHeads) = (Self.page, Self.heads, Self.keyHeads)
            let pageElements = keyHeads * headLength * page, order = [2, 0, 3, 1]
            let (keyBytes, keys) = Self.pages(
                element, count: order.count, length: headLength, areKeys: true, using: &generator)
            let (valueBytes, values) = Self.pages(
                element, count: order.count, length: headLength, areKeys: false, using: &generator)
            // What each token sees: one position, a page, a page and a bit, all, a window.
            let seen = [0..<1, 0..<64, 0..<65, 0..<250, 70..<199, 130..<131]
            let queries = generator.floats(seen.count * heads * headLength)
            let scale = 1 / Float(headLength).squareRoot()
            // A score of nothing below the others, among them, and above.
            let sinks: [Float] = [-100, -1, 0, 0.5, 2, 20], sinkBuffer = try gpu.buffer(sinks)
            let keyBuffer = try gpu.buffer(keyBytes), valueBuffer = try gpu.buffer(valueBytes)
            let table = try gpu.buffer(order.map { UInt32($0 * keyBytes.count / order.count / 2) })

            func attend(_ tokens: [Int], byPages: Bool = false) throws -> [Float] {
                let perToken = heads * headLength, out = try gpu.output(tokens.count * perToken)
                let own = tokens.flatMap { queries[($0 * perToken)..<(($0 + 1) * perToken)] }
                let ranges: [UInt32] = tokens.flatMap {
                    [0, UInt32(seen[$0].lowerBound), UInt32(seen[$0].upperBound), 0]
                }
                let rangeBuffer = try gpu.buffer(ranges)
                func run(_ kernel: GPUKernel, _ from: any GPUBuffer, _ to: any GPUBuffer, depth: Int = 1) throws {
                    let buffers = [from, keyBuffer, valueBuffer, table, rangeBuffer, to, sinkBuffer]
                    try gpu.run(
                        kernel, buffers.map { GPUBinding($0) },
                        [
                            UInt32(heads), UInt32(keyHeads), UInt32(headLength), scale.bitPattern, softcap.bitPattern,
                            hasSinks ? 1 : 0, UInt32(heads * headLength), 1, 0, 0, UInt32(order.count),
                        ],
                        groups: (heads, tokens.count, depth))
                }
                let input = try gpu.buffer(own)
                if byPages {
                    let gathered = try gpu.output(tokens.count * heads * order.count * (2 + headLength))
                    try run(element.pageKernel, input, gathered, depth: order.count)
                    try run(.attentionJoin, gathered, out)
                } else {
                    try run(element.kernel, input, out)
                }
                return out.floats
            }

            let all = try attend(Array(seen.indices))
            var wrong: [String] = []
            for (token, positions) in seen.enumerated() {
                for head in 0..<heads {
                    let at = (token * heads + head) * headLength
                    let starts = positions.map {
                        order[$0 / page] * pageElements + head / (heads / keyHeads) * headLength * page
                    }
                    let products = zip(positions, starts).map { position, start in
                        (0..<headLength).reduce(0.0) {
                            $0 + Double(queries[at + $1]) * Double(keys[start + $1 * page + position % page])
                        } * Double(scale)
                    }
                    let cap = Double(softcap), scores = products.map { cap > 0 ? cap * tanh($0 / cap) : $0 }
                    let top = max(scores.max() ?? 0, hasSinks ? Double(sinks[head]) : -.infinity)
                    let weights = scores.map { exp($0 - top) }
                    let total = weights.reduce(0, +) + (hasSinks ? exp(Double(sinks[head]) - top) : 0)
                    for i in 0..<headLength {
                        var sum = 0.0, size = 0.0
                        for (index, position) in positions.enumerated() {
                            let value = Double(values[starts[index] + position % page * headLength + i])
                            sum += weights[index] / total * value
                            size += weights[index] / total * abs(value)
                        }
                        if !(abs(Double(all[at + i]) - sum) <= 1e-5 * size) {
                            wrong.append("token \(token), head \(head)")
                        }
                    }
                }
            }
            #expect(wrong.isEmpty, "\(wrong.prefix(9))")
            #expect(try seen.indices.flatMap { try attend([$0]) } == all)
            #expect(try attend(Array(seen.indices)) == all)
            #expect(try attend(Array(seen.indices), byPages: true) == all)
        }
    }
}

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
            let trial = Trial(element, shape), gpu = try TrialGPU(trial), tokens = Array(trial.seen.indices)
            let all = try gpu.attend(tokens)
            var wrong: [String] = []
            for token in tokens {
                for head in 0..<Self.heads {
                    let at = (token * Self.heads + head) * trial.headLength
                    for (i, element) in trial.expected(token, head: head).enumerated() {
                        if !(abs(Double(all[at + i]) - element.sum) <= 1e-5 * element.size) {
                            wrong.append("token \(token), head \(head)")
                        }
                    }
                }
            }
            #expect(wrong.isEmpty, "\(wrong.prefix(9))")
            #expect(try tokens.flatMap { try gpu.attend([$0]) } == all)
            #expect(try gpu.attend(tokens) == all)
            #expect(try gpu.attend(tokens, byPages: true) == all)
        }

        /// Queries, and keys and values in pages that do not lie in order.
        private struct Trial {
            let element: Element
            let headLength: Int
            let softcap: Float
            let hasSinks: Bool
            let scale: Float
            let order = [2, 0, 3, 1]
            /// The positions that each token sees: one position, a page, a page and a bit, all, a window.
            let seen = [0..<1, 0..<64, 0..<65, 0..<250, 70..<199, 130..<131]
            /// A score of nothing below the others, among them, and above.
            let sinks: [Float] = [-100, -1, 0, 0.5, 2, 20]
            let keys: (bytes: [UInt8], values: [Float])
            let values: (bytes: [UInt8], values: [Float])
            let queries: [Float]

            init(_ element: Element, _ shape: (headLength: Int, softcap: Float, hasSinks: Bool)) {
                self.element = element
                (headLength, softcap, hasSinks) = shape
                scale = 1 / Float(headLength).squareRoot()
                var generator = SeededGenerator(seed: 5)
                keys = pages(element, count: order.count, length: headLength, areKeys: true, using: &generator)
                values = pages(element, count: order.count, length: headLength, areKeys: false, using: &generator)
                queries = generator.floats(seen.count * heads * headLength)
            }

            /// Each element of what a head of a token gathers, and the sum of the sizes of its terms.
            func expected(_ token: Int, head: Int) -> [(sum: Double, size: Double)] {
                let positions = seen[token], at = (token * heads + head) * headLength
                let pageElements = keyHeads * headLength * page
                let starts = positions.map {
                    order[$0 / page] * pageElements + head / (heads / keyHeads) * headLength * page
                }
                let products = zip(positions, starts).map { position, start in
                    (0..<headLength).reduce(0.0) {
                        $0 + Double(queries[at + $1]) * Double(keys.values[start + $1 * page + position % page])
                    } * Double(scale)
                }
                let cap = Double(softcap), scores = products.map { cap > 0 ? cap * tanh($0 / cap) : $0 }
                let top = max(scores.max() ?? 0, hasSinks ? Double(sinks[head]) : -.infinity)
                let weights = scores.map { exp($0 - top) }
                let total = weights.reduce(0, +) + (hasSinks ? exp(Double(sinks[head]) - top) : 0)
                return (0..<headLength).map { i in
                    var sum = 0.0, size = 0.0
                    for (index, position) in positions.enumerated() {
                        let value = Double(values.values[starts[index] + position % page * headLength + i])
                        sum += weights[index] / total * value
                        size += weights[index] / total * abs(value)
                    }
                    return (sum, size)
                }
            }
        }

        /// A device with a trial's pages.
        private struct TrialGPU {
            let trial: Trial
            let gpu: TestGPU
            let sinks: any GPUBuffer
            let keys: any GPUBuffer
            let values: any GPUBuffer
            let table: any GPUBuffer

            init(_ trial: Trial) throws {
                self.trial = trial
                gpu = try TestGPU()
                sinks = try gpu.buffer(trial.sinks)
                (keys, values) = (try gpu.buffer(trial.keys.bytes), try gpu.buffer(trial.values.bytes))
                let pageBytes = trial.keys.bytes.count / trial.order.count
                table = try gpu.buffer(trial.order.map { UInt32($0 * pageBytes / 2) })
            }

            /// The vectors that the heads of some tokens gather.
            func attend(_ tokens: [Int], byPages: Bool = false) throws -> [Float] {
                let (count, length, pageCount) = (tokens.count, trial.headLength, trial.order.count)
                let perToken = heads * length, out = try gpu.output(count * perToken)
                let own = tokens.flatMap { trial.queries[($0 * perToken)..<(($0 + 1) * perToken)] }
                let ranges: [UInt32] = tokens.flatMap {
                    [0, UInt32(trial.seen[$0].lowerBound), UInt32(trial.seen[$0].upperBound), 0]
                }
                let seen = try gpu.buffer(ranges), input = try gpu.buffer(own)
                if byPages {
                    let gathered = try gpu.output(count * heads * pageCount * (2 + length))
                    try run(trial.element.pageKernel, input, gathered, seen, count: count, depth: pageCount)
                    try run(.attentionJoin, gathered, out, seen, count: count)
                } else {
                    try run(trial.element.kernel, input, out, seen, count: count)
                }
                return out.floats
            }

            private func run(
                _ kernel: GPUKernel, _ input: any GPUBuffer, _ output: any GPUBuffer, _ seen: any GPUBuffer, count: Int,
                depth: Int = 1
            ) throws {
                let length = trial.headLength
                try gpu.run(
                    kernel, [input, keys, values, table, seen, output, sinks].map { GPUBinding($0) },
                    [
                        UInt32(heads), UInt32(keyHeads), UInt32(length), trial.scale.bitPattern,
                        trial.softcap.bitPattern, trial.hasSinks ? 1 : 0, UInt32(heads * length), 1, 0, 0,
                        UInt32(trial.order.count),
                    ],
                    groups: (heads, count, depth))
            }
        }
    }
}

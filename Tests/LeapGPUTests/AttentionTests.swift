import CLeapKernels
import Foundation
import LeapGPU
import LeapTestSupport
import Testing

extension GPUTests {
    /// Attention over pages of keys and values.
    struct AttentionTests {
        static let page = 64, heads = 6, keyHeads = 2

        /// Elements of pages as bytes, and as numbers.
        static func elements(_ count: Int, isHalf: Bool, using generator: inout SeededGenerator) -> ([UInt8], [Float]) {
            if !isHalf {
                let values = generator.floats(count)
                return (values.withUnsafeBytes { Array($0) }, values)
            }
            let bytes = (0..<(2 * count)).map { index in
                let byte = UInt8.random(in: 0...255, using: &generator)
                return index % 2 == 1 ? 0x38 | byte & 0x83 : byte
            }
            var values = [Float](repeating: 0, count: count)
            leap_dequantize_row(1, bytes, &values, Int64(count))
            return (bytes, values)
        }

        @Test(
            "Attention is the scalar one's in any order of pages, and has the same bits alone and in a batch",
            arguments: [true, false], [64, 80])
        func parity(isHalf: Bool, headLength: Int) throws {
            let gpu = try TestGPU()
            var generator = SeededGenerator(seed: 5)
            let (page, heads, keyHeads) = (Self.page, Self.heads, Self.keyHeads)
            let pageElements = keyHeads * headLength * page, order = [2, 0, 3, 1], width = isHalf ? 1 : 2
            let (keyBytes, keys) = Self.elements(order.count * pageElements, isHalf: isHalf, using: &generator)
            let (valueBytes, values) = Self.elements(order.count * pageElements, isHalf: isHalf, using: &generator)
            // What each token sees: one position, a page, a page and a bit, all, a window.
            let seen = [0..<1, 0..<64, 0..<65, 0..<250, 70..<199, 130..<131]
            let queries = generator.floats(seen.count * heads * headLength)
            let scale = 1 / Float(headLength).squareRoot()
            let keyBuffer = try gpu.buffer(keyBytes), valueBuffer = try gpu.buffer(valueBytes)
            let table = try gpu.buffer(order.map { UInt32($0 * pageElements * width) })

            func attend(_ tokens: [Int]) throws -> [Float] {
                let perToken = heads * headLength, out = try gpu.output(tokens.count * perToken)
                let own = tokens.flatMap { queries[($0 * perToken)..<(($0 + 1) * perToken)] }
                let ranges: [UInt32] = tokens.flatMap {
                    [0, UInt32(seen[$0].lowerBound), UInt32(seen[$0].upperBound), 0]
                }
                try gpu.run(
                    isHalf ? .attentionF16 : .attentionF32,
                    [
                        GPUBinding(try gpu.buffer(own)), GPUBinding(keyBuffer), GPUBinding(valueBuffer),
                        GPUBinding(table), GPUBinding(try gpu.buffer(ranges)), GPUBinding(out),
                    ], [UInt32(heads), UInt32(keyHeads), UInt32(headLength), scale.bitPattern],
                    groups: (heads, tokens.count, 1))
                return out.floats
            }

            let all = try attend(Array(seen.indices))
            for (token, positions) in seen.enumerated() {
                for head in 0..<heads {
                    let at = (token * heads + head) * headLength
                    let starts = positions.map {
                        order[$0 / page] * pageElements + head / (heads / keyHeads) * headLength * page
                    }
                    let scores = zip(positions, starts).map { position, start in
                        (0..<headLength).reduce(0.0) {
                            $0 + Double(queries[at + $1]) * Double(keys[start + $1 * page + position % page])
                        } * Double(scale)
                    }
                    let top = scores.max() ?? 0, weights = scores.map { exp($0 - top) }
                    let total = weights.reduce(0, +)
                    for element in 0..<headLength {
                        var sum = 0.0, size = 0.0
                        for (index, position) in positions.enumerated() {
                            let value = Double(values[starts[index] + position % page * headLength + element])
                            sum += weights[index] / total * value
                            size += weights[index] / total * abs(value)
                        }
                        #expect(abs(Double(all[at + element]) - sum) <= 1e-5 * size, "token \(token), head \(head)")
                    }
                }
            }
            #expect(try seen.indices.flatMap { try attend([$0]) } == all)
            #expect(try attend(Array(seen.indices)) == all)
        }
    }
}

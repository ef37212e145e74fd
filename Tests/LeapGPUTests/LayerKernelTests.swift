import Foundation
import LeapGPU
import LeapTestSupport
import Testing

extension GPUTests {
    /// Kernels between the products of a layer.
    struct LayerKernelTests {
        @Test("The RMS norm is the scalar one's")
        func norm() throws {
            let gpu = try TestGPU()
            var generator = SeededGenerator(seed: 1)
            let rows = 5, length = 200, epsilon: Float = 1e-5
            let inputs = generator.floats(rows * length), gains = generator.floats(length)
            let out = try gpu.output(rows * length)
            try gpu.run(
                .rmsNorm,
                [GPUBinding(try gpu.buffer(inputs)), GPUBinding(try gpu.buffer(gains)), GPUBinding(out)],
                [UInt32(rows), UInt32(length), epsilon.bitPattern],
                groups: (groups(rows, of: GPUKernel.rowsPerGroup), 1, 1))
            for (index, value) in out.floats.enumerated() {
                let row = index / length
                let squares = inputs[(row * length)..<((row + 1) * length)].reduce(0.0) { $0 + Double($1) * Double($1) }
                let scale = 1 / (squares / Double(length) + Double(epsilon)).squareRoot()
                let expected = Double(inputs[index]) * scale * Double(gains[index % length])
                #expect(abs(Double(value) - expected) <= 1e-5 * abs(expected))
            }
        }

        @Test("Sums and SwiGLU are the scalar ones, at the ends of the range too")
        func elementwise() throws {
            let gpu = try TestGPU()
            var generator = SeededGenerator(seed: 2)
            let first = generator.floats(300).map { $0 * 20 } + [-200, 200, 0], second = generator.floats(303)
            let bindings = [GPUBinding(try gpu.buffer(first)), GPUBinding(try gpu.buffer(second))]
            let count = UInt32(first.count), size = (groups(first.count, of: GPUKernel.elementsPerGroup), 1, 1)
            let sums = try gpu.output(first.count), gated = try gpu.output(first.count)
            try gpu.run(.add, bindings + [GPUBinding(sums)], [count], groups: size)
            try gpu.run(.swiGLU, bindings + [GPUBinding(gated)], [count], groups: size)
            #expect(sums.floats == zip(first, second).map(+))
            for (index, value) in gated.floats.enumerated() {
                let gate = Double(first[index]), expected = gate / (1 + exp(-gate)) * Double(second[index])
                #expect(abs(Double(value) - expected) <= 1e-5 * abs(expected) + 1e-30, "SiLU of \(gate)")
            }
        }

        @Test("Pairs are rotated, a half apart or side by side; the rest of a head stays", arguments: [false, true])
        func rotation(isSideBySide: Bool) throws {
            let gpu = try TestGPU()
            var generator = SeededGenerator(seed: 3)
            let tokens = 3, heads = 5, length = 16, pairs = 6, stride = heads * length + 4
            let vectors = generator.floats(tokens * stride)
            let angles = (0..<(tokens * pairs)).map { _ in Double.random(in: 0...100_000, using: &generator) }
            let buffer = try gpu.buffer(vectors)
            let turns = try gpu.buffer(angles.flatMap { [Float(cos($0)), Float(sin($0))] })
            let (second, next) = isSideBySide ? (1, 2) : (pairs, 1)
            try gpu.run(
                .rotate, [GPUBinding(buffer), GPUBinding(turns)],
                [tokens, heads, length, pairs, stride, second, next].map(UInt32.init),
                groups: (groups(heads * pairs, of: GPUKernel.elementsPerGroup), tokens, 1))
            var expected = vectors.map(Double.init)
            for token in 0..<tokens {
                for head in 0..<heads {
                    for pair in 0..<pairs {
                        let at = token * stride + head * length + pair * next, angle = angles[token * pairs + pair]
                        let (a, b) = (expected[at], expected[at + second])
                        expected[at] = a * cos(angle) - b * sin(angle)
                        expected[at + second] = a * sin(angle) + b * cos(angle)
                    }
                }
            }
            for (value, wanted) in zip(buffer.floats, expected) { #expect(abs(Double(value) - wanted) <= 1e-6) }
        }

        @Test(
            "A short convolution goes on from its state: whole, cut, and beside another sequence it has the same bits")
        func convolution() throws {
            let gpu = try TestGPU()
            var generator = SeededGenerator(seed: 4)
            let channels = 70, taps = 3, tokens = 9
            let inputs = generator.floats(tokens * 3 * channels), filters = generator.floats(channels * taps)
            let start = generator.floats((taps - 1) * channels)
            /// Runs over parts of the tokens, each a call or a sequence of one call; the state follows behind the outputs.
            func run(_ calls: [[(tokens: Range<Int>, state: Int)]], states: [Float]) throws -> ([Float], [Float]) {
                let out = try gpu.output(tokens * channels), state = try gpu.buffer(states)
                for sequences in calls {
                    // An element of three words takes four in a buffer.
                    let table: [UInt32] = sequences.flatMap {
                        [UInt32($0.tokens.lowerBound), UInt32($0.tokens.count), UInt32($0.state), 0]
                    }
                    try gpu.run(
                        .shortConvolution,
                        [
                            GPUBinding(try gpu.buffer(inputs)), GPUBinding(try gpu.buffer(filters)), GPUBinding(state),
                            GPUBinding(out), GPUBinding(try gpu.buffer(table)),
                        ], [UInt32(sequences.count), UInt32(channels), UInt32(taps)],
                        groups: (groups(channels, of: GPUKernel.elementsPerGroup), sequences.count, 1))
                }
                return (out.floats, state.floats)
            }
            let (whole, after) = try run([[(0..<tokens, 0)]], states: start)
            for token in 0..<tokens {
                for channel in 0..<channels {
                    var sum = 0.0
                    for tap in 0..<taps {
                        let past = token - (taps - 1 - tap)
                        let at = past * 3 * channels + channel
                        let value =
                            past < 0
                            ? Double(start[(past + taps - 1) * channels + channel])
                            : Double(inputs[at]) * Double(inputs[at + 2 * channels])
                        sum += Double(filters[channel * taps + tap]) * value
                    }
                    let expected = sum * Double(inputs[token * 3 * channels + channels + channel])
                    #expect(abs(Double(whole[token * channels + channel]) - expected) <= 1e-6)
                }
            }
            #expect(try run([[(0..<1, 0)], [(1..<6, 0)], [(6..<tokens, 0)]], states: start) == (whole, after))
            let (beside, both) = try run([[(0..<4, 0), (4..<tokens, start.count)]], states: start + start)
            #expect(beside.prefix(4 * channels) == whole.prefix(4 * channels))
            #expect(both.suffix(start.count) == after.suffix(start.count))
        }
    }
}

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
                [UInt32(rows), UInt32(length), epsilon.bitPattern, Float(1).bitPattern], groups: (rows, 1, 1))
            for (index, value) in out.floats.enumerated() {
                let row = index / length
                let squares = inputs[(row * length)..<((row + 1) * length)].reduce(0.0) { $0 + Double($1) * Double($1) }
                let scale = 1 / (squares / Double(length) + Double(epsilon)).squareRoot()
                let expected = Double(inputs[index]) * scale * Double(gains[index % length])
                #expect(abs(Double(value) - expected) <= 1e-5 * abs(expected))
            }
        }

        @Test("What is normed is added to the outputs, and a bias begins rows or is added to them")
        func additions() throws {
            let gpu = try TestGPU()
            var generator = SeededGenerator(seed: 8)
            let rows = 3, length = 200, epsilon: Float = 1e-5, factor: Float = 0.5
            let inputs = generator.floats(rows * length), gains = generator.floats(length)
            let before = generator.floats(rows * length)
            func normed(_ kernel: GPUKernel) throws -> [Float] {
                let out = try gpu.buffer(before)
                try gpu.run(
                    kernel, [GPUBinding(try gpu.buffer(inputs)), GPUBinding(try gpu.buffer(gains)), GPUBinding(out)],
                    [UInt32(rows), UInt32(length), epsilon.bitPattern, factor.bitPattern], groups: (rows, 1, 1))
                return out.floats
            }
            for (sum, (one, other)) in zip(try normed(.rmsNormAdd), zip(try normed(.rmsNorm), before)) {
                #expect(abs(sum - (one + other) * factor) <= 2e-7 * (abs(one) + abs(other)))
            }
            for isAdded in [false, true] {
                let out = try gpu.buffer(before)
                try gpu.run(
                    .bias, [GPUBinding(try gpu.buffer(gains)), GPUBinding(out), GPUBinding(out)],
                    [UInt32(rows), UInt32(length), isAdded ? 1 : 0, 0],
                    groups: (groups(length, of: GPUKernel.elementsPerGroup), rows, 1))
                #expect(out.floats == before.indices.map { (isAdded ? before[$0] : 0) + gains[$0 % length] })
            }
        }

        @Test("The layer norm is the scalar one's, with a bias and without", arguments: [false, true], [64, 1152])
        func layerNorm(hasBias: Bool, length: Int) throws {
            let gpu = try TestGPU()
            var generator = SeededGenerator(seed: 11)
            let rows = 5, epsilon: Float = 1e-6
            // Far from 0, so that a norm which takes no mean away differs.
            let inputs = generator.floats(rows * length).map { $0 + 3 }, gains = generator.floats(length)
            let bias = generator.floats(length), out = try gpu.output(rows * length)
            try gpu.run(
                .layerNorm,
                [
                    GPUBinding(try gpu.buffer(inputs)), GPUBinding(try gpu.buffer(gains)),
                    GPUBinding(try gpu.buffer(bias)), GPUBinding(out),
                ], [UInt32(rows), UInt32(length), hasBias ? 1 : 0, epsilon.bitPattern],
                groups: (rows, 1, 1))
            // The mean and the variance of each row.
            let moments = (0..<rows).map { index in
                let row = inputs[index * length..<(index + 1) * length].map(Double.init)
                let mean = row.reduce(0, +) / Double(length)
                return (mean, row.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(length))
            }
            var largest = 0.0
            let values = out.floats
            #expect(values.count == rows * length && !values.contains { $0.isNaN })
            for (index, value) in values.enumerated() {
                let (mean, squares) = moments[index / length]
                let normed = (Double(inputs[index]) - mean) / (squares + Double(epsilon)).squareRoot()
                let expected = normed * Double(gains[index % length]) + (hasBias ? Double(bias[index % length]) : 0)
                largest = max(largest, abs(Double(value) - expected))
            }
            #expect(largest <= 1e-5)
        }

        @Test(
            "GELU is the scalar one's in both forms, and writes zeros behind rows", arguments: [false, true],
            [false, true])
        func gelu(isExact: Bool, hasBias: Bool) throws {
            let gpu = try TestGPU()
            var generator = SeededGenerator(seed: 12)
            let (rows, length, stride) = (3, 500, 512)
            // From -12 to 12, and some that are much larger.
            var inputs = (0..<rows * stride).map { Float($0 % stride) * 24 / Float(length) - 12 }
            inputs.replaceSubrange(0..<6, with: [-1e4, 1e4, -60, 60, 0, -1e-6])
            let bias = generator.floats(length), values = try gpu.buffer(inputs)
            try gpu.run(
                isExact ? .geluExact : .geluTanh, [GPUBinding(values), GPUBinding(try gpu.buffer(bias))],
                [UInt32(rows), UInt32(length), UInt32(stride), hasBias ? 1 : 0],
                groups: (groups(stride, of: GPUKernel.elementsPerGroup), rows, 1))
            for (index, value) in values.floats.enumerated() {
                guard index % stride < length else {
                    #expect(value == 0)
                    continue
                }
                let x = Double(inputs[index] + (hasBias ? bias[index % stride] : 0))
                let cubic = (2 / Double.pi).squareRoot() * (x + 0.044715 * x * x * x)
                let expected = isExact ? x / 2 * erfc(-x / 2.0.squareRoot()) : x / 2 * (1 + tanh(cubic))
                #expect(abs(Double(value) - expected) <= 1e-6 * max(1, abs(x)), "\(x)")
            }
        }

        @Test(
            "Experts are chosen and weighed as the scores say, of equal ones the first; their results are added up",
            arguments: [(0, true, false), (1, false, true), (2, false, false)], [5, 100])
        func mixture(router: (score: UInt32, hasBias: Bool, hasScales: Bool), experts: Int) throws {
            let gpu = try TestGPU()
            var generator = SeededGenerator(seed: 10)
            let tokens = 4, used = 3, factor: Float = 1.5, added: Float = 1e-6
            var logits = generator.floats(tokens * experts).map { 6 * $0 }
            // All the same for the last token.
            for index in (tokens - 1) * experts..<tokens * experts { logits[index] = 0.25 }
            let bias = router.hasBias ? generator.floats(experts) : [0]
            let scales = router.hasScales ? generator.floats(experts) : [0]
            let chosen = try gpu.output(tokens * used), weights = try gpu.output(tokens * used)
            try gpu.run(
                .choose,
                [
                    GPUBinding(try gpu.buffer(logits)), GPUBinding(try gpu.buffer(bias)),
                    GPUBinding(try gpu.buffer(scales)), GPUBinding(chosen), GPUBinding(weights),
                ],
                [
                    UInt32(experts), UInt32(used), router.score, router.hasBias ? 1 : 0, router.hasScales ? 1 : 0, 1,
                    added.bitPattern, factor.bitPattern,
                ], groups: (tokens, 1, 1))
            let choices = Array(chosen.contents.bindMemory(to: UInt32.self)).map(Int.init), shares = weights.floats
            for token in 0..<tokens {
                let row = logits[token * experts..<(token + 1) * experts].map(Double.init)
                let all = row.reduce(0) { $0 + exp($1) }
                let scores = row.map {
                    router.score == 0 ? 1 / (1 + exp(-$0)) : router.score == 1 ? exp($0) / all : exp($0)
                }
                let keys = scores.indices.map { scores[$0] + (router.hasBias ? Double(bias[$0]) : 0) }
                // The sort keeps the order of equal ones.
                let order = Array(keys.indices.sorted { (-keys[$0], $0) < (-keys[$1], $1) }.prefix(used))
                let own = Array(choices[token * used..<(token + 1) * used])
                #expect(own == order, "token \(token)")
                let sum = order.reduce(router.score == 2 ? 0 : Double(added)) { $0 + scores[$1] }
                for (slot, expert) in order.enumerated() {
                    let scale = Double(factor) * (router.hasScales ? Double(scales[expert]) : 1)
                    let expected = scores[expert] / sum * scale
                    #expect(abs(Double(shares[token * used + slot]) - expected) <= 1e-5 * abs(expected))
                }
            }

            let length = 140, results = generator.floats(tokens * used * length),
                before = generator.floats(tokens * length)
            for isAdded in [false, true] {
                let out = try gpu.buffer(before)
                try gpu.run(
                    .combine, [GPUBinding(try gpu.buffer(results)), GPUBinding(weights), GPUBinding(out)],
                    [UInt32(tokens), UInt32(used), UInt32(length), isAdded ? 1 : 0],
                    groups: (groups(length, of: GPUKernel.elementsPerGroup), tokens, 1))
                var wrong: [Int] = []
                for (index, value) in out.floats.enumerated() {
                    var sum = isAdded ? Double(before[index]) : 0
                    for entry in index / length * used..<(index / length + 1) * used {
                        sum += Double(shares[entry]) * Double(results[entry * length + index % length])
                    }
                    if !(abs(Double(value) - sum) <= 1e-5) { wrong.append(index) }
                }
                #expect(wrong.isEmpty)
            }
        }

        @Test("Rows are copied in any order")
        func gather() throws {
            let gpu = try TestGPU()
            var generator = SeededGenerator(seed: 2)
            let length = 300, values = generator.floats(5 * length), rows: [UInt32] = [3, 0, 3]
            let out = try gpu.output(rows.count * length)
            try gpu.run(
                .gather, [GPUBinding(try gpu.buffer(values)), GPUBinding(try gpu.buffer(rows)), GPUBinding(out)],
                [UInt32(rows.count), UInt32(length)],
                groups: (groups(length, of: GPUKernel.elementsPerGroup), rows.count, 1))
            var expected: [Float] = []
            for row in rows { expected += values[Int(row) * length..<(Int(row) + 1) * length] }
            #expect(out.floats == expected)
        }

        @Test(
            "A short convolution goes on from its state: whole, cut, and beside another sequence it has the same bits")
        func convolution() throws {
            let gpu = try TestGPU()
            var generator = SeededGenerator(seed: 4)
            let channels = 70, taps = 3, tokens = 9
            let inputs = generator.floats(tokens * 3 * channels), filters = generator.floats(channels * taps)
            let start = generator.floats((taps - 1) * channels)
            /// Runs over parts of the tokens, each a call or a sequence of one call; what is kept of the tokens follows
            /// behind the outputs.
            func run(_ calls: [[(tokens: Range<Int>, state: Int)]], states: [Float]) throws -> ([Float], [Float]) {
                let out = try gpu.output(tokens * channels), kept = try gpu.output((tokens + 2) * channels)
                let none = UInt32.max
                // All tokens but the second one are kept, one place further on.
                let places = try gpu.buffer((0..<tokens).map { $0 == 1 ? none : UInt32($0 + 1) })
                for sequences in calls {
                    // An element of three words takes four in a buffer.
                    let table: [UInt32] = sequences.flatMap {
                        [UInt32($0.tokens.lowerBound), UInt32($0.tokens.count), UInt32($0.state), 0]
                    }
                    try gpu.run(
                        .shortConvolution,
                        [
                            GPUBinding(try gpu.buffer(inputs)), GPUBinding(try gpu.buffer(filters)),
                            GPUBinding(try gpu.buffer(states)), GPUBinding(out), GPUBinding(try gpu.buffer(table)),
                            GPUBinding(kept), GPUBinding(places),
                        ], [UInt32(sequences.count), UInt32(channels), UInt32(taps), 0, UInt32(channels)],
                        groups: (groups(channels, of: GPUKernel.elementsPerGroup), sequences.count, 1))
                }
                return (out.floats, kept.floats)
            }
            let (whole, kept) = try run([[(0..<tokens, 0)]], states: start)
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
            for token in 0..<tokens {
                for channel in 0..<channels {
                    let at = token * 3 * channels + channel, value = kept[(token + 2) * channels + channel]
                    let gated = inputs[at] * inputs[at + 2 * channels]
                    let isRight = token == 1 ? value.isNaN : value == gated
                    #expect(isRight)
                }
            }
            // Goes on behind the sixth token, whose two predecessors are the state.
            let state = Array(kept[(4 + 2) * channels..<(6 + 2) * channels])
            let (rest, _) = try run([[(6..<tokens, 1)]], states: start + state)
            #expect(Array(rest.suffix(3 * channels)) == Array(whole.suffix(3 * channels)))
            let (beside, _) = try run([[(0..<4, 0), (4..<tokens, 1)]], states: start + start)
            #expect(beside.prefix(4 * channels) == whole.prefix(4 * channels))
            #expect(Array(beside.suffix(channels)) == Array(whole.suffix(channels)))
        }
    }
}

import CLeapKernels
import Foundation
import LeapTestSupport
import Testing

/// The recurrences of Gated DeltaNet and Mamba-2.
struct RecurrenceTests {
    /// Tokens of one sequence, and what changes their states.
    fileprivate struct Text {
        /// `[count][stride]`: queries, keys, values.
        let inputs: [Float]
        let decay: [Float]
        let beta: [Float]
    }

    struct Shape: Sendable {
        let keyHeads: Int
        let valueHeads: Int
        /// Elements of keys and of values.
        let keys: Int
        let values: Int
        var isGrouped = false
        var isCorrected = true
        var skips = false

        var stride: Int { 2 * keyHeads * keys + valueHeads * values }
        var width: Int { valueHeads * values }
        var stateCount: Int { valueHeads * keys * values }

        var kernel: leap_recurrence_shape {
            leap_recurrence_shape(
                key_heads: Int32(keyHeads), value_heads: Int32(valueHeads), key_dim: Int32(keys),
                value_dim: Int32(values), is_grouped: isGrouped ? 1 : 0, is_corrected: isCorrected ? 1 : 0,
                stride: Int64(stride))
        }

        /// The part of its value that each head adds to its output.
        var skip: [Float]? { skips ? (0..<valueHeads).map { 0.5 - Float($0) } : nil }

        fileprivate func text(_ count: Int, using generator: inout SeededGenerator) -> Text {
            let inputs = randomInput(count * stride, using: &generator).map { $0 / Float(keys).squareRoot() }
            let gates = (0..<2).map { _ in
                (0..<count * valueHeads).map { _ in Float.random(in: 0...1, using: &generator) }
            }
            return Text(inputs: inputs, decay: gates[0], beta: gates[1])
        }
    }

    /// Floats at a place of their own.
    private static func placed(_ values: [Float]) -> UnsafeMutableBufferPointer<Float> {
        let place = UnsafeMutableBufferPointer<Float>.allocate(capacity: values.count)
        _ = place.initialize(from: values)
        return place
    }

    /// The outputs and the last state of texts that are computed in pieces of so many tokens, together.
    private static func run(
        _ texts: [Text], _ shape: Shape, piece: Int, pool: TestPool
    ) -> (outputs: [[Float]], states: [[Float]]) {
        let (width, keys) = (shape.width, shape.keyHeads * shape.keys)
        let counts = texts.map { $0.decay.count / shape.valueHeads }
        let inputs = texts.map { placed($0.inputs) }
        let decays = texts.map { placed($0.decay) }
        let betas = texts.map { placed($0.beta) }
        let outputs = counts.map { placed([Float](repeating: .nan, count: $0 * width)) }
        let states = texts.map { _ in placed([Float](repeating: .nan, count: shape.stateCount)) }
        let skip = placed(shape.skip ?? [])
        defer { for place in inputs + decays + betas + outputs + states + [skip] { place.deallocate() } }
        var kernel = shape.kernel
        for first in stride(from: 0, to: counts.max() ?? 0, by: piece) {
            var runs: [leap_recurrence_run] = []
            for index in texts.indices where first < counts[index] {
                guard let state = states[index].baseAddress, let input = inputs[index].baseAddress,
                    let decay = decays[index].baseAddress, let beta = betas[index].baseAddress,
                    let out = outputs[index].baseAddress
                else { continue }
                let (row, gate) = (input + first * shape.stride, first * shape.valueHeads)
                runs.append(
                    leap_recurrence_run(
                        before: first == 0 ? nil : UnsafePointer(state), after: state, q: row, k: row + keys,
                        v: row + 2 * keys, decay: decay + gate, beta: beta + gate,
                        skip: shape.skips ? UnsafePointer(skip.baseAddress) : nil, out: out + first * width,
                        count: Int64(min(piece, counts[index] - first))))
            }
            pool.use { leap_recurrence($0, &kernel, runs, Int64(runs.count)) }
        }
        return (outputs.map { Array($0) }, states.map { Array($0) })
    }

    /// Returns the result of the definition in double precision.
    private static func expected(_ text: Text, _ shape: Shape) -> [Double] {
        let (n, width) = (shape.keys, shape.values)
        var out: [Double] = []
        var states = [[Double]](repeating: [Double](repeating: 0, count: n * width), count: shape.valueHeads)
        for token in 0..<text.decay.count / shape.valueHeads {
            let row = text.inputs[token * shape.stride..<(token + 1) * shape.stride].map(Double.init)
            for head in 0..<shape.valueHeads {
                let key = shape.isGrouped ? head / (shape.valueHeads / shape.keyHeads) : head % shape.keyHeads
                let q = Array(row[key * n..<(key + 1) * n])
                let k = Array(row[(shape.keyHeads + key) * n..<(shape.keyHeads + key + 1) * n])
                let v = Array(row[2 * shape.keyHeads * n + head * width..<2 * shape.keyHeads * n + (head + 1) * width])
                let gate = token * shape.valueHeads + head
                for j in 0..<width {
                    for i in 0..<n { states[head][i * width + j] *= Double(text.decay[gate]) }
                    let known = (0..<n).reduce(0.0) { $0 + states[head][$1 * width + j] * k[$1] }
                    let delta = Double(text.beta[gate]) * (shape.isCorrected ? v[j] - known : v[j])
                    for i in 0..<n { states[head][i * width + j] += k[i] * delta }
                    let found = (0..<n).reduce(0.0) { $0 + states[head][$1 * width + j] * q[$1] }
                    out.append(found + Double(shape.skip?[head] ?? 0) * v[j])
                }
            }
        }
        return out
    }

    @Test(
        "The definition's numbers, the same bits on every instruction set, with any threads and in any pieces",
        arguments: [
            Shape(keyHeads: 1, valueHeads: 1, keys: 1, values: 1),
            Shape(keyHeads: 1, valueHeads: 2, keys: 5, values: 5),
            Shape(keyHeads: 2, valueHeads: 4, keys: 16, values: 16),
            Shape(keyHeads: 2, valueHeads: 2, keys: 23, values: 23),
            Shape(keyHeads: 1, valueHeads: 3, keys: 64, values: 64, skips: true),
            Shape(keyHeads: 2, valueHeads: 4, keys: 100, values: 100),
            Shape(keyHeads: 1, valueHeads: 4, keys: 16, values: 16, isGrouped: true, isCorrected: false, skips: true),
            Shape(keyHeads: 2, valueHeads: 6, keys: 9, values: 37, isGrouped: true, isCorrected: false, skips: true),
            Shape(keyHeads: 3, valueHeads: 6, keys: 128, values: 64, isGrouped: true, isCorrected: false),
            Shape(keyHeads: 2, valueHeads: 4, keys: 7, values: 130, isCorrected: false),
        ])
    func recurrence(shape: Shape) throws {
        var generator = SeededGenerator(seed: UInt64(shape.stride))
        let texts = [13, 1, 7].map { shape.text($0, using: &generator) }
        let pools = try [1, 3].map { try TestPool(threads: $0) }
        let (outputs, states) = withInstructionSet("scalar") { Self.run(texts, shape, piece: 100, pool: pools[0]) }
        for (text, output) in zip(texts, outputs) {
            let worst = zip(output, Self.expected(text, shape)).map { abs(Double($0) - $1) }.max() ?? 1
            #expect(worst <= 1e-5, "\(worst)")
        }
        for name in instructionSets {
            for pool in TestLevel.isAll ? pools : [pools[1]] {
                for piece in TestLevel.cases([1, 4, 100], standard: 2) {
                    let found = withInstructionSet(name) { Self.run(texts, shape, piece: piece, pool: pool) }
                    #expect(found.outputs == outputs && found.states == states, "\(name), pieces of \(piece)")
                }
            }
        }
    }

    @Test("Time steps are the softplus of their inputs, and decays what that leaves", arguments: [1, 3])
    func timeSteps(threads: Int32) throws {
        let (n, rows) = (37, 40)
        var generator = SeededGenerator(seed: 5)
        let bias = randomInput(n, using: &generator)
        let rate = (0..<n).map { -Float($0 + 1) / 8 }
        var inputs = randomInput(n * rows, using: &generator).map { 8 * $0 }
        // Where the exponential overflows, and where nothing is left of it.
        (inputs[3], inputs[4]) = (200, -200)
        var (steps, decays) = (inputs, [Float](repeating: .nan, count: n * rows))
        try TestPool(threads: threads).use { leap_time_steps($0, &steps, bias, rate, Int64(n), Int64(rows), &decays) }
        for index in inputs.indices {
            let x = Double(inputs[index] + bias[index % n])
            let step = max(x, 0) + log1p(exp(-abs(x)))
            #expect(abs(Double(steps[index]) - step) <= 1e-6 * max(step, 1), "\(x)")
            #expect(abs(Double(decays[index]) - exp(Double(rate[index % n]) * step)) <= 2e-6, "\(x)")
        }
    }
}

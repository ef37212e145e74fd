import CLeapKernels
import LeapTestSupport
import Testing

/// The recurrence of Gated DeltaNet.
struct DeltaNetTests {
    /// Tokens of one sequence, `[count][2 · keyHeads + valueHeads][n]`, and what changes their states.
    private struct Text {
        let inputs: [Float]
        let decay: [Float]
        let beta: [Float]
    }

    private struct Shape {
        let keyHeads: Int
        let valueHeads: Int
        let n: Int

        var stride: Int { (2 * keyHeads + valueHeads) * n }
        var stateCount: Int { valueHeads * n * n }

        var kernel: leap_delta_shape {
            leap_delta_shape(
                key_heads: Int32(keyHeads), value_heads: Int32(valueHeads), head_dim: Int32(n), stride: Int64(stride))
        }

        func text(_ count: Int, using generator: inout SeededGenerator) -> Text {
            let inputs = randomInput(count * stride, using: &generator).map { $0 / Float(n).squareRoot() }
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
        let (width, keys) = (shape.valueHeads * shape.n, shape.keyHeads * shape.n)
        let counts = texts.map { $0.decay.count / shape.valueHeads }
        let inputs = texts.map { placed($0.inputs) }
        let decays = texts.map { placed($0.decay) }
        let betas = texts.map { placed($0.beta) }
        let outputs = counts.map { placed([Float](repeating: .nan, count: $0 * width)) }
        let states = texts.map { _ in placed([Float](repeating: .nan, count: shape.stateCount)) }
        defer { for place in inputs + decays + betas + outputs + states { place.deallocate() } }
        var kernel = shape.kernel
        for first in stride(from: 0, to: counts.max() ?? 0, by: piece) {
            var runs: [leap_delta_run] = []
            for index in texts.indices where first < counts[index] {
                guard let state = states[index].baseAddress, let input = inputs[index].baseAddress,
                    let decay = decays[index].baseAddress, let beta = betas[index].baseAddress,
                    let out = outputs[index].baseAddress
                else { continue }
                let (row, gate) = (input + first * shape.stride, first * shape.valueHeads)
                runs.append(
                    leap_delta_run(
                        before: first == 0 ? nil : UnsafePointer(state), after: state, q: row, k: row + keys,
                        v: row + 2 * keys, decay: decay + gate, beta: beta + gate, out: out + first * width,
                        count: Int64(min(piece, counts[index] - first))))
            }
            pool.use { leap_delta_net($0, &kernel, runs, Int64(runs.count)) }
        }
        return (outputs.map { Array($0) }, states.map { Array($0) })
    }

    /// What the definition gives in double precision.
    private static func expected(_ text: Text, _ shape: Shape) -> [Double] {
        let n = shape.n
        var out: [Double] = []
        var states = [[Double]](repeating: [Double](repeating: 0, count: n * n), count: shape.valueHeads)
        for token in 0..<text.decay.count / shape.valueHeads {
            for head in 0..<shape.valueHeads {
                let row = text.inputs[token * shape.stride..<(token + 1) * shape.stride].map(Double.init)
                let key = head % shape.keyHeads
                let q = row[key * n..<(key + 1) * n]
                let k = row[(shape.keyHeads + key) * n..<(shape.keyHeads + key + 1) * n]
                let v = row[(2 * shape.keyHeads + head) * n..<(2 * shape.keyHeads + head + 1) * n]
                let gate = token * shape.valueHeads + head
                for j in 0..<n {
                    for i in 0..<n { states[head][i * n + j] *= Double(text.decay[gate]) }
                    let known = (0..<n).reduce(0.0) { $0 + states[head][$1 * n + j] * k[k.startIndex + $1] }
                    let delta = Double(text.beta[gate]) * (v[v.startIndex + j] - known)
                    for i in 0..<n { states[head][i * n + j] += k[k.startIndex + i] * delta }
                    out.append((0..<n).reduce(0.0) { $0 + states[head][$1 * n + j] * q[q.startIndex + $1] })
                }
            }
        }
        return out
    }

    @Test(
        "The definition's numbers, the same bits on every instruction set, with any threads and in any pieces",
        arguments: [(1, 1, 1), (1, 2, 5), (2, 4, 16), (2, 2, 23), (1, 3, 64), (2, 4, 100)])
    func recurrence(keyHeads: Int, valueHeads: Int, n: Int) throws {
        let shape = Shape(keyHeads: keyHeads, valueHeads: valueHeads, n: n)
        var generator = SeededGenerator(seed: UInt64(n))
        let texts = [13, 1, 7].map { shape.text($0, using: &generator) }
        let pools = try [1, 3].map { try TestPool(threads: $0) }
        let (outputs, states) = withInstructionSet("scalar") { Self.run(texts, shape, piece: 100, pool: pools[0]) }
        for (text, output) in zip(texts, outputs) {
            let worst = zip(output, Self.expected(text, shape)).map { abs(Double($0) - $1) }.max() ?? 1
            #expect(worst <= 1e-5, "\(worst)")
        }
        for name in instructionSets {
            for pool in pools {
                for piece in [1, 4, 100] {
                    let found = withInstructionSet(name) { Self.run(texts, shape, piece: piece, pool: pool) }
                    #expect(found.outputs == outputs && found.states == states, "\(name), pieces of \(piece)")
                }
            }
        }
    }
}

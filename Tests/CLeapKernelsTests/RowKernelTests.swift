import CLeapKernels
import LeapBase
import LeapTestSupport
import Testing

/// A kernel that maps rows x and y to rows, with the exact result of each element.
struct RowKernel: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Runs on rows of n, in place of x or not.
    let run:
        @Sendable (OpaquePointer, UnsafePointer<Float>, UnsafePointer<Float>, Int64, Int64, UnsafeMutablePointer<Float>)
            -> Void
    /// The exact element i of a row of n.
    let exact: @Sendable (_ x: ArraySlice<Float>, _ y: ArraySlice<Float>, _ row: Int, _ i: Int) -> Double

    static let all: [RowKernel] = [
        RowKernel(testDescription: "rms norm") { pool, x, y, n, rows, out in
            leap_rms_norm(pool, x, n, y, 1e-5, n, rows, out, n)
        } exact: { x, _, _, i in
            let mean = x.reduce(0) { $0 + Double($1) * Double($1) } / Double(x.count)
            return Double(x[x.startIndex + i]) / (mean + 1e-5).squareRoot()
        },
        RowKernel(testDescription: "layer norm") { pool, x, _, n, rows, out in
            leap_layer_norm(pool, x, n, nil, nil, 1e-5, n, rows, out, n)
        } exact: { x, _, _, i in
            let mean = x.reduce(0) { $0 + Double($1) } / Double(x.count)
            let variance = x.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / Double(x.count)
            return (Double(x[x.startIndex + i]) - mean) / (variance + 1e-5).squareRoot()
        },
        RowKernel(testDescription: "gelu") { pool, x, _, n, rows, out in
            out.update(from: x, count: Int(n * rows))
            leap_gelu(pool, out, n, n, rows)
        } exact: { x, _, _, i in
            let value = Double(x[x.startIndex + i])
            return value / 2 * erfc(-value / 2.0.squareRoot())
        },
        RowKernel(testDescription: "gelu in its tanh form") { pool, x, _, n, rows, out in
            out.update(from: x, count: Int(n * rows))
            leap_gelu_tanh(pool, out, n, n, rows)
        } exact: { x, _, _, i in
            let value = Double(x[x.startIndex + i])
            let inner = (2 / Double.pi).squareRoot() * (value + 0.044715 * value * value * value)
            return value / (1 + exp(-2 * inner))
        },
        RowKernel(testDescription: "silu") { pool, x, _, n, rows, out in
            out.update(from: x, count: Int(n * rows))
            leap_silu(pool, out, n, n, rows)
        } exact: { x, _, _, i in
            let value = Double(x[x.startIndex + i])
            return value / (1 + exp(-value))
        },
        RowKernel(testDescription: "relu") { pool, x, _, n, rows, out in
            out.update(from: x, count: Int(n * rows))
            leap_relu(pool, out, n, n, rows)
        } exact: { x, _, _, i in
            Double(max(0, x[x.startIndex + i]))
        },
        RowKernel(testDescription: "squared relu") { pool, x, _, n, rows, out in
            out.update(from: x, count: Int(n * rows))
            leap_relu_squared(pool, out, n, n, rows)
        } exact: { x, _, _, i in
            let value = Double(max(0, x[x.startIndex + i]))
            return value * value
        },
        RowKernel(testDescription: "softmax") { pool, x, _, n, rows, out in
            out.update(from: x, count: Int(n * rows))
            leap_softmax(pool, out, n, 0.4, n, rows)
        } exact: { x, _, _, i in
            let factor = Double(Float(0.4))
            let largest = Double(x.max() ?? 0)
            let sum = x.reduce(0) { $0 + exp(factor * (Double($1) - largest)) }
            return exp(factor * (Double(x[x.startIndex + i]) - largest)) / sum
        },
        RowKernel(testDescription: "glu") { pool, x, y, n, rows, out in
            leap_glu(pool, x, n, y, n, n, rows, out, n)
        } exact: { x, y, _, i in
            Double(x[x.startIndex + i]) / (1 + exp(-Double(y[y.startIndex + i])))
        },
        RowKernel(testDescription: "gate") { pool, x, _, n, rows, out in
            let gates = (0..<rows).map { Float($0) * 3 - 4 }
            leap_gate(pool, x, n, gates, n, rows, out, n)
        } exact: { x, _, row, i in
            Double(x[x.startIndex + i]) / (1 + exp(4 - Double(row) * 3))
        },
        RowKernel(testDescription: "swiglu") { pool, x, y, n, rows, out in
            leap_swiglu(pool, x, n, y, n, n, rows, out, n)
        } exact: { x, y, _, i in
            let gate = Double(x[x.startIndex + i])
            return gate / (1 + exp(-gate)) * Double(y[y.startIndex + i])
        },
        RowKernel(testDescription: "geglu") { pool, x, y, n, rows, out in
            leap_geglu(pool, x, n, y, n, n, rows, out, n)
        } exact: { x, y, _, i in
            let gate = Double(x[x.startIndex + i])
            let inner = (2 / Double.pi).squareRoot() * (gate + 0.044715 * gate * gate * gate)
            return gate / (1 + exp(-2 * inner)) * Double(y[y.startIndex + i])
        },
        RowKernel(testDescription: "clamped swiglu") { pool, x, y, n, rows, out in
            leap_swiglu_clamped(pool, x, n, y, n, 1.5, n, rows, out, n)
        } exact: { x, y, _, i in
            let gate = min(Double(x[x.startIndex + i]), 1.5)
            let up = max(-1.5, min(Double(y[y.startIndex + i]), 1.5))
            return gate / (1 + exp(-1.702 * gate)) * (up + 1)
        },
        RowKernel(testDescription: "geglu by its definition") { pool, x, y, n, rows, out in
            leap_geglu_exact(pool, x, n, y, n, n, rows, out, n)
        } exact: { x, y, _, i in
            let gate = Double(x[x.startIndex + i])
            return 0.5 * gate * erfc(-gate / 2.0.squareRoot()) * Double(y[y.startIndex + i])
        },
        RowKernel(testDescription: "add") { pool, x, y, n, rows, out in
            leap_add(pool, x, n, y, n, n, rows, out, n)
        } exact: { x, y, _, i in
            Double(x[x.startIndex + i]) + Double(y[y.startIndex + i])
        },
        RowKernel(testDescription: "add scaled") { pool, x, y, n, rows, out in
            let factors = (0..<rows).map { Float($0) * 0.25 - 1 }
            leap_add_scaled(pool, x, n, y, n, factors, n, rows, out, n)
        } exact: { x, y, row, i in
            Double(x[x.startIndex + i]) + (Double(row) * 0.25 - 1) * Double(y[y.startIndex + i])
        },
        RowKernel(testDescription: "scale") { pool, x, _, n, rows, out in
            out.update(from: x, count: Int(n * rows))
            leap_scale(pool, out, n, -0.3, n, rows)
        } exact: { x, _, _, i in
            Double(x[x.startIndex + i]) * Double(Float(-0.3))
        },
        RowKernel(testDescription: "softcap") { pool, x, _, n, rows, out in
            out.update(from: x, count: Int(n * rows))
            leap_softcap(pool, out, n, 3, n, rows)
        } exact: { x, _, _, i in
            3 * tanh(Double(x[x.startIndex + i]) / 3)
        },
    ]
}

struct RowKernelTests {
    /// The kernel's result; `inPlace` writes over x where the kernel allows it.
    private static func run(_ kernel: RowKernel, _ x: [Float], _ y: [Float], n: Int, pool: TestPool) -> [Float] {
        var out = [Float](repeating: .nan, count: x.count)
        out.withUnsafeMutableBufferPointer { out in
            guard let out = out.baseAddress else { return }
            pool.use { kernel.run($0, x, y, Int64(n), Int64(x.count / n), out) }
        }
        return out
    }

    @Test("Every instruction set is within rounding of the exact result", arguments: RowKernel.all)
    func errorBound(kernel: RowKernel) throws {
        var generator = SeededGenerator(seed: 7)
        let pool = try TestPool(threads: 2)
        for (rows, n) in [(3, 64), (2, 1), (5, 37), (2, 515)] {
            let x = randomInput(rows * n, using: &generator)
            let y =
                kernel.testDescription == "rms norm"
                ? [Float](repeating: 1, count: rows * n) : randomInput(rows * n, using: &generator)
            for name in instructionSets {
                let found = withInstructionSet(name) { Self.run(kernel, x, y, n: n, pool: pool) }
                for index in found.indices {
                    let row = index / n
                    let span = (row * n)..<((row + 1) * n)
                    let exact = kernel.exact(x[span], y[span], row, index % n)
                    // Sums of several roundings, and of a cancellation in add.
                    let bound = 4e-6 * abs(exact) + 1e-7 * (abs(Double(x[index])) + abs(Double(y[index]))) + 1e-30
                    #expect(
                        abs(Double(found[index]) - exact) <= bound,
                        "\(name), \(rows) rows of \(n), element \(index): \(found[index]) for \(exact)")
                }
            }
        }
    }

    @Test("Results do not depend on the number of rows or threads", arguments: RowKernel.all)
    func oneArithmetic(kernel: RowKernel) throws {
        var generator = SeededGenerator(seed: 8)
        let n = 301
        let rows = 120
        let x = randomInput(rows * n, using: &generator)
        let y = randomInput(rows * n, using: &generator)
        let pools = try [1, 3].map { try TestPool(threads: $0) }
        for name in instructionSets {
            withInstructionSet(name) {
                let expected = Self.run(kernel, x, y, n: n, pool: pools[0])
                #expect(Self.run(kernel, x, y, n: n, pool: pools[1]) == expected, "\(name)")
                let first = Self.run(kernel, Array(x[..<n]), Array(y[..<n]), n: n, pool: pools[1])
                #expect(first == Array(expected[..<n]), "\(name)")
            }
        }
    }

    @Test("A layer norm has a weight and a bias for each element, and works in place")
    func layerNormWeights() throws {
        var generator = SeededGenerator(seed: 10)
        let n = 45
        let x = randomInput(3 * n, using: &generator)
        let weight = randomInput(n, using: &generator)
        let bias = randomInput(n, using: &generator)
        let pool = try TestPool(threads: 2)
        for name in instructionSets {
            withInstructionSet(name) {
                pool.use { pool in
                    let length = Int64(n)
                    var plain = x
                    leap_layer_norm(pool, x, length, nil, nil, 1e-6, length, 3, &plain, length)
                    var found = x
                    found.withUnsafeMutableBufferPointer { found in
                        guard let base = found.baseAddress else { return }
                        leap_layer_norm(pool, base, length, weight, bias, 1e-6, length, 3, base, length)
                    }
                    #expect(found == plain.indices.map { plain[$0] * weight[$0 % n] + bias[$0 % n] }, "\(name)")
                }
            }
        }
    }

    @Test(
        "What is far above the mean of its row stays, less what it has to be above; rows of one number are 0, and NaN stays"
    )
    func gaussianTopK() throws {
        var generator = SeededGenerator(seed: 11)
        let pools = try [1, 3].map { try TestPool(threads: $0) }
        for (rows, n, deviations) in [(2, 1, 0.5), (3, 37, 1.64), (5, 64, -0.5), (40, 1040, 0.84)]
            as [(Int, Int, Float)]
        {
            let x = randomInput(rows * n, using: &generator)
            for name in instructionSets {
                var found = [x, x]
                withInstructionSet(name) {
                    for index in 0..<2 {
                        pools[index].use {
                            leap_gaussian_topk($0, &found[index], Int64(n), deviations, Int64(n), Int64(rows))
                        }
                    }
                }
                #expect(found[0] == found[1], "\(name)")
                for row in 0..<rows {
                    let values = x[row * n..<(row + 1) * n].map { Double($0) }
                    let mean = values.reduce(0, +) / Double(n)
                    let deviation = (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(n)).squareRoot()
                    for (index, value) in values.enumerated() {
                        let exact = max(value - (mean + Double(deviations) * deviation), 0)
                        let bound = 1e-6 * (abs(value) + abs(mean) + deviation)
                        #expect(abs(Double(found[0][row * n + index]) - exact) <= bound, "\(name), \(n) elements")
                    }
                }
                var bad: [Float] = [1, .nan, 3]
                withInstructionSet(name) { pools[0].use { leap_gaussian_topk($0, &bad, 3, 1, 3, 1) } }
                #expect(bad.allSatisfy { $0.isNaN }, "\(name)")
            }
        }
    }

    @Test("GELU is near its exact value over its whole range, and passes on what is no number")
    func geluRange() throws {
        let pool = try TestPool(threads: 1)
        let x = (-900...900).map { Float($0) / 64 } + [.infinity, -1e30, -40, .nan]
        for name in instructionSets {
            var found = x
            withInstructionSet(name) { pool.use { leap_gelu($0, &found, Int64(x.count), Int64(x.count), 1) } }
            for (value, result) in zip(x, found).dropLast(4) {
                let exact = Double(value) / 2 * erfc(-Double(value) / 2.0.squareRoot())
                #expect(abs(Double(result) - exact) <= 1.5e-6 * abs(exact) + 1e-10, "\(name): \(value) gives \(result)")
            }
            #expect(found[1801] == .infinity && abs(found[1802]) <= 1e-30 && abs(found[1803]) <= 1e-30, "\(name)")
            #expect(found[1804].isNaN, "\(name)")
        }
    }

    @Test("The logarithm of a sum of exponentials is exact to rounding for vocabularies of any size")
    func logSumExp() throws {
        var generator = SeededGenerator(seed: 12)
        let pools = try [1, 3].map { try TestPool(threads: $0) }
        for n in [1, 5, 16, 37, 1023, 1040, 70_001] {
            let rows = 3
            let x = randomInput(rows * n, using: &generator).map { $0 * 8 + 30 }
            for name in instructionSets {
                var found = [[Float]](repeating: [Float](repeating: 0, count: rows), count: 2)
                withInstructionSet(name) {
                    for index in 0..<2 {
                        pools[index].use { leap_log_sum_exp($0, x, Int64(n), Int64(n), Int64(rows), &found[index]) }
                    }
                }
                #expect(found[0] == found[1], "\(name)")
                for row in 0..<rows {
                    let values = x[row * n..<(row + 1) * n].map { Double($0) }
                    let largest = values.max() ?? 0
                    let exact = largest + log(values.reduce(0) { $0 + exp($1 - largest) })
                    #expect(abs(Double(found[0][row]) - exact) <= 2e-7 * abs(exact) + 2e-7, "\(name), \(n) elements")
                }
            }
        }
        for name in instructionSets {
            for bad in [[Float.nan, 1, 2], [1, 2, .infinity], [-.infinity, -.infinity, -.infinity]] {
                var found: Float = 0
                withInstructionSet(name) { pools[0].use { leap_log_sum_exp($0, bad, 3, 3, 1, &found) } }
                #expect(found.isNaN, "\(name): \(bad)")
            }
            var found: Float = 0
            withInstructionSet(name) {
                pools[0].use { leap_log_sum_exp($0, [-.infinity, 2, -.infinity], 3, 3, 1, &found) }
            }
            #expect(found == 2, "\(name)")
        }
    }

    @Test("Norms and sums work in place, and a bias row is added to every row")
    func inPlace() throws {
        var generator = SeededGenerator(seed: 9)
        let n = 45
        let x = randomInput(4 * n, using: &generator)
        let bias = randomInput(n, using: &generator)
        let pool = try TestPool(threads: 2)
        for name in instructionSets {
            withInstructionSet(name) {
                pool.use { pool in
                    let length = Int64(n)
                    var apart = x
                    leap_rms_norm(pool, x, length, nil, 1e-6, length, 4, &apart, length)
                    var same = x
                    same.withUnsafeMutableBufferPointer { same in
                        guard let base = same.baseAddress else { return }
                        leap_rms_norm(pool, base, length, nil, 1e-6, length, 4, base, length)
                    }
                    #expect(same == apart, "\(name)")
                    var sum = x
                    sum.withUnsafeMutableBufferPointer { sum in
                        guard let base = sum.baseAddress else { return }
                        leap_add(pool, base, length, bias, 0, length, 4, base, length)
                    }
                    #expect(sum == x.indices.map { x[$0] + bias[$0 % n] }, "\(name)")
                }
            }
        }
    }

    @Test("A product of low rank is added in one order on every instruction set, whatever the rows, pieces and threads")
    func lowRank() throws {
        var generator = SeededGenerator(seed: 12)
        for (rows, rank, n, stride) in [
            (1, 1, 1, 1), (1, 16, 515, 600), (3, 7, 64, 64), (4, 16, 37, 40), (9, 3, 16, 16), (6, 64, 2051, 2100),
        ] {
            let c = randomInput(rows * rank, using: &generator)
            let panel = Int(LEAP_LOW_RANK_PANEL)
            let b = randomInput((n + panel - 1) / panel * panel * rank, using: &generator)
            let x = randomInput(rows * stride, using: &generator)
            var expected = x
            for r in 0..<rows {
                for k in 0..<rank {
                    for i in 0..<n {
                        expected[r * stride + i].addProduct(
                            c[r * rank + k], b[(i / panel * rank + k) * panel + i % panel])
                    }
                }
            }
            for name in instructionSets {
                for threads in [1, 3] {
                    let pool = try TestPool(threads: Int32(threads))
                    var out = x
                    withInstructionSet(name) {
                        out.withUnsafeMutableBufferPointer { out in
                            guard let base = out.baseAddress else { return }
                            pool.use {
                                leap_add_low_rank(
                                    $0, base, Int64(stride), c, Int64(rank), b, Int64(n), Int64(rows))
                            }
                        }
                    }
                    #expect(out == expected, "\(name): \(rows) rows, rank \(rank), \(n) columns, \(threads) threads")
                }
            }
        }
    }

    @Test("Values that are not numbers and infinities stay what they are")
    func specialValues() throws {
        let pool = try TestPool(threads: 1)
        let x: [Float] = [.nan, .infinity, 100, -100, 0, -0.0, 1e-38, -3e38] + [Float](repeating: 1, count: 12)
        let ones = [Float](repeating: 1, count: x.count)
        for name in instructionSets {
            withInstructionSet(name) {
                pool.use { pool in
                    var out = ones
                    leap_swiglu(pool, x, 20, ones, 20, 20, 1, &out, 20)
                    #expect(out[0].isNaN && out[1] == .infinity && out[2] == 100, "\(name): \(out)")
                    #expect(out[3] <= 0 && out[3] > -1e-30 && out[4] == 0 && out[7] <= 0, "\(name): \(out)")
                    var capped = x
                    leap_softcap(pool, &capped, 20, 2, 20, 1)
                    #expect(capped[0].isNaN && capped[1] == 2 && capped[7] == -2, "\(name): \(capped)")
                }
            }
        }
    }
}

/// Rotary positions.
struct RopeTests {
    @Test("Pairs turn by position times frequency, side by side or half a head apart", arguments: [0, 1])
    func rotates(interleaved: Int32) throws {
        var generator = SeededGenerator(seed: 10)
        let pool = try TestPool(threads: 2)
        for (heads, headDim, rotary) in [(3, 64, 64), (2, 80, 40), (1, 6, 2), (2, 128, 96)] {
            let rows = 5
            let positions: [Int32] = [0, 1, 7, 5000, 31_999]
            let frequencies = (0..<(rotary / 2)).map { Float(1 / pow(10_000, 2 * Double($0) / Double(rotary))) }
            let x = randomInput(rows * heads * headDim, using: &generator)
            for name in instructionSets {
                var found = x
                withInstructionSet(name) {
                    pool.use { pool in
                        var table = [Float](repeating: 0, count: rows * rotary)
                        leap_rope_table(
                            positions, 1, nil, Int64(rows), frequencies, Int32(rotary), 1.25, &table)
                        leap_rope(
                            pool, &found, Int64(heads * headDim), Int64(rows), Int32(heads), Int32(headDim),
                            Int32(rotary), table, interleaved)
                    }
                }
                for head in 0..<(rows * heads) {
                    let start = head * headDim
                    let position = positions[head / heads]
                    for i in 0..<(rotary / 2) {
                        let first = start + (interleaved == 1 ? 2 * i : i)
                        let second = interleaved == 1 ? first + 1 : first + rotary / 2
                        // The angle is a float product by definition.
                        let angle = Double(Float(position) * frequencies[i])
                        let a = Double(x[first]) * 1.25
                        let b = Double(x[second]) * 1.25
                        let bound = 1e-6 * (abs(a) + abs(b))
                        #expect(abs(Double(found[first]) - (a * cos(angle) - b * sin(angle))) <= bound, "\(name)")
                        #expect(abs(Double(found[second]) - (a * sin(angle) + b * cos(angle))) <= bound, "\(name)")
                    }
                    let rest = (start + rotary)..<(start + headDim)
                    #expect(found[rest] == x[rest], "\(name): what is not rotary stays")
                }
            }
        }
    }
}

/// The short convolution of LFM2.
struct ShortConvolutionTests {
    /// Runs tokens in calls of `step`, carrying the state from one to the next; out and state, [tokens][n].
    private static func run(
        _ bcx: [Float], weights: [Float], taps: Int, n: Int, step: Int, pool: TestPool
    ) throws -> (out: [Float], state: [Float]) {
        let count = bcx.count / (3 * n)
        var out = [Float](repeating: .nan, count: count * n)
        var state = out
        try out.withUnsafeMutableBufferPointer { out in
            try state.withUnsafeMutableBufferPointer { state in
                try bcx.withUnsafeBufferPointer { bcx in
                    let outBase = try #require(out.baseAddress)
                    let stateBase = try #require(state.baseAddress)
                    let inputBase = try #require(bcx.baseAddress)
                    for first in stride(from: 0, to: count, by: step) {
                        let tokens = (first..<min(first + step, count)).map { index in
                            var token = leap_conv_token(
                                bcx: inputBase + index * 3 * n, previous: (nil, nil, nil, nil, nil, nil, nil),
                                state: stateBase + index * n, out: outBase + index * n)
                            withUnsafeMutableBytes(of: &token.previous) { previous in
                                let slots = previous.bindMemory(to: UnsafePointer<Float>?.self)
                                for back in 1..<8 where back < taps && back <= index {
                                    slots[back - 1] = UnsafePointer(stateBase + (index - back) * n)
                                }
                            }
                            return token
                        }
                        pool.use { leap_short_conv($0, weights, Int32(taps), Int64(n), tokens, Int64(tokens.count)) }
                    }
                }
            }
        }
        return (out, state)
    }

    @Test("Every instruction set computes C (w * (B x)), token by token or all at once", arguments: [1, 3, 8])
    func convolves(taps: Int) throws {
        var generator = SeededGenerator(seed: UInt64(taps))
        let pool = try TestPool(threads: 3)
        for n in [5, 64, 151] {
            let count = 11
            let bcx = randomInput(count * 3 * n, using: &generator)
            let weights = (0..<(n * taps)).map { _ in Float.random(in: -1...1, using: &generator) }
            for name in instructionSets {
                try withInstructionSet(name) {
                    let found = try Self.run(bcx, weights: weights, taps: taps, n: n, step: count, pool: pool)
                    for t in 0..<count {
                        for c in 0..<n {
                            var sum = 0.0
                            var magnitude = 0.0
                            for j in 0..<taps where t - (taps - 1) + j >= 0 {
                                let at = (t - (taps - 1) + j) * 3 * n
                                let term = Double(weights[c * taps + j]) * Double(bcx[at + c] * bcx[at + 2 * n + c])
                                sum += term
                                magnitude += abs(term)
                            }
                            let gate = Double(bcx[t * 3 * n + n + c])
                            let error = abs(Double(found.out[t * n + c]) - gate * sum)
                            #expect(error <= 1e-6 * magnitude * abs(gate) + 1e-30, "\(name), token \(t), channel \(c)")
                        }
                    }
                    for step in [1, 2, 4] {
                        let other = try Self.run(bcx, weights: weights, taps: taps, n: n, step: step, pool: pool)
                        #expect(other.out == found.out && other.state == found.state, "\(name), \(step) at a time")
                    }
                }
            }
        }
    }
}

package import CLeapKernels
import LeapBase
package import LeapCompute
package import LeapModel

/// The thread pool and the elementwise kernels, with Swift types.
package final class Kernels {
    /// The threads that compute, the caller's included.
    package let pool: OpaquePointer
    /// The number of threads that were started.
    package let threads: Int
    /// The form in which products take their inputs.
    let precision: Precision
    /// The recorder of the cost of operations; nil except while something is measured.
    package var recorder: (any OperationRecorder)?
    /// The weights that the kernels need in another form.
    let bound = BoundValues()

    /// Starts a pool.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    package init(threads: Int, precision: Precision = .fast) throws(EngineError) {
        guard let pool = leap_pool_create(Int32(clamping: threads)) else {
            throw EngineError(.outOfMemory, "no memory for a pool of \(threads) threads: use fewer", field: "threads")
        }
        self.pool = pool
        self.precision = precision
        self.threads = Int(leap_pool_threads(pool))
    }

    deinit { leap_pool_destroy(pool) }

    /// Lets at most so many of the threads compute from the next call on.
    package func limitThreads(to count: Int) { leap_pool_limit(pool, Int32(clamping: count)) }

    /// Begins to measure what the threads do, from zero, or stops.
    package func measureThreads(_ isMeasured: Bool) { leap_pool_measure(pool, isMeasured ? 1 : 0) }

    /// The time of each thread since ``measureThreads(_:)``, the caller's first.
    package var threadTimes: [leap_thread_time] { (0..<Int32(threads)).map { leap_pool_time(pool, $0) } }

    /// Norms each row, or as many elements at its beginning as there are weights; in place where `out` is `x`.
    func rmsNorm(_ x: Rows, _ norm: RMSNorm, into out: Rows) {
        let (n, stride) = (Int64(norm.weight?.count ?? x.length), Int64(x.length))
        timed("norm") {
            leap_rms_norm(
                pool, x.base, stride, norm.weight.map(bound.floats), norm.epsilon, n, Int64(x.count), out.base,
                Int64(out.length))
        }
    }

    /// Norms each of as many parts of the same length that rows have, in place.
    ///
    /// - Parameter norm: has the weights of all parts.
    func rmsNorm(_ x: Rows, _ norm: RMSNorm, groups: Int) {
        let length = x.length / groups
        guard groups > 1, norm.weight != nil else {
            let parts = x.split(into: groups)
            return rmsNorm(parts, norm, into: parts)
        }
        for group in 0..<groups {
            let part = Rows(base: x.base + group * length, count: x.count, length: x.length)
            rmsNorm(part, norm.part(group * length..<(group + 1) * length), into: part)
        }
    }

    /// Norms each row; in place where `out` is `x`.
    func norm(_ x: Rows, _ norm: Norm, into out: Rows) {
        switch norm {
        case .rms(let norm): rmsNorm(x, norm, into: out)
        case .layer(let norm):
            let n = Int64(x.length)
            timed("norm") {
                leap_layer_norm(
                    pool, x.base, n, bound.floats(norm.weight), norm.bias.map(bound.floats), norm.epsilon, n,
                    Int64(x.count), out.base, n)
            }
        }
    }

    /// x = GELU(x), by its definition or by its approximation with tanh (Hendrycks and Gimpel 2016).
    func gelu(_ x: Rows, usesTanh: Bool = false) {
        let n = Int64(x.length)
        timed("activation") {
            if usesTanh {
                leap_gelu_tanh(pool, x.base, n, n, Int64(x.count))
            } else {
                leap_gelu(pool, x.base, n, n, Int64(x.count))
            }
        }
    }

    /// x = activation(x).
    func activate(_ activation: PlainFeedForward.Activation, _ x: Rows) {
        switch activation {
        case .exactGELU: gelu(x)
        case .gelu: gelu(x, usesTanh: true)
        case .relu: relu(x)
        case .squaredReLU: squaredReLU(x)
        }
    }

    /// x = x / (1 + exp(-x)).
    func silu(_ x: Rows) {
        timed("activation") { leap_silu(pool, x.base, Int64(x.length), Int64(x.length), Int64(x.count)) }
    }

    /// x = max(x, 0).
    func relu(_ x: Rows) {
        timed("activation") { leap_relu(pool, x.base, Int64(x.length), Int64(x.length), Int64(x.count)) }
    }

    /// x = max(x, 0)².
    func squaredReLU(_ x: Rows) {
        timed("activation") { leap_relu_squared(pool, x.base, Int64(x.length), Int64(x.length), Int64(x.count)) }
    }

    /// x = max(x - (mean + deviations · standard deviation), 0), both over each row.
    func gaussianTopK(_ x: Rows, deviations: Float) {
        let n = Int64(x.length)
        timed("activation") { leap_gaussian_topk(pool, x.base, n, deviations, n, Int64(x.count)) }
    }

    /// The first half of each row times the logistic function of the second.
    func gatedLinearUnit(_ x: Rows, into out: Rows) {
        let (n, stride) = (Int64(out.length), Int64(x.length))
        timed("gated activation") {
            leap_glu(pool, x.base, stride, x.base + out.length, stride, n, Int64(out.count), out.base, n)
        }
    }

    /// Each row times the logistic function of its gate, in place.
    func gate(_ x: Rows, by gates: Rows) {
        let n = Int64(x.length)
        precondition(gates.count * gates.length == x.count, "a gate for each row")
        timed("head gate") { leap_gate(pool, x.base, n, gates.base, n, Int64(x.count), x.base, n) }
    }

    /// Each row as a distribution: exp(factor · x) over its sum.
    func softmax(_ x: Rows, factor: Float) {
        let n = Int64(x.length)
        timed("softmax") { leap_softmax(pool, x.base, n, factor, n, Int64(x.count)) }
    }

    /// A convolution of each channel for itself.
    ///
    /// - Parameter inputs: the vectors that each output is made of, one for each tap; nil for zeros.
    func depthwise(_ inputs: [UnsafePointer<Float>?], _ filters: DepthwiseFilters, into out: Rows) {
        let filters = bound.filters(filters)
        precondition(
            inputs.count == out.count * filters.taps && filters.bias.count == out.length, "an input for each tap")
        timed("depthwise convolution") {
            leap_depthwise(
                pool, inputs, Int32(filters.taps), filters.weights.pointer, filters.bias.pointer, Int64(out.length),
                Int64(out.count), out.base, Int64(out.length))
        }
    }

    /// A convolution of each channel for itself.
    ///
    /// - Parameters:
    ///   - inputs: as of ``depthwise(_:_:into:)``.
    ///   - filters: `[channels][taps]`.
    func depthwise(
        _ inputs: [UnsafePointer<Float>?], _ filters: Vector, bias: Vector? = nil, taps: Int, into out: Rows
    ) {
        let weights = bound.turned(filters, taps: taps)
        precondition(inputs.count == out.count * taps && weights.count == taps * out.length, "an input for each tap")
        timed("depthwise convolution") {
            leap_depthwise(
                pool, inputs, Int32(taps), weights.pointer, bias.map(bound.floats), Int64(out.length),
                Int64(out.count), out.base, Int64(out.length))
        }
    }

    /// Brings queries and keys to length 1, and queries to what scores are multiplied with besides, 1 / sqrt(length).
    ///
    /// - Parameters:
    ///   - x: rows that begin with as many heads of queries and then of keys.
    ///   - epsilon: is added to the sum of squares.
    func normalizeLengths(_ x: Rows, heads: Int, length: Int, epsilon: Float) {
        let (n, size) = (Int64(length), Int64(heads * length))
        timed("norm") {
            // Head by head or row by row: each is a call, and all of them norm the same heads.
            if x.count > 2 * heads {
                for head in 0..<2 * heads {
                    let (first, stride) = (x.base + head * length, Int64(x.length))
                    leap_rms_norm(pool, first, stride, nil, epsilon / Float(length), n, Int64(x.count), first, stride)
                }
            } else {
                for row in 0..<x.count {
                    leap_rms_norm(
                        pool, x.row(row), n, nil, epsilon / Float(length), n, Int64(2 * heads), x.row(row), n)
                }
            }
            // The norm divides by the root of the mean of squares, not of their sum.
            leap_scale(pool, x.base, Int64(x.length), 1 / Float(length), size, Int64(x.count))
            leap_scale(
                pool, x.base + heads * length, Int64(x.length), 1 / sqrtf(Float(length)), size, Int64(x.count))
        }
    }

    /// Copies the parts of joined rows to where each has rows of its own.
    ///
    /// - Parameters:
    ///   - joined: rows of `groups` groups, each of which has all parts one after the other.
    ///   - parts: each with its floats in a group, and the rows that it goes to, from a place in each on.
    func separate(_ joined: Rows, groups: Int, _ parts: [(length: Int, target: Rows, start: Int)]) {
        timed("copy", bytes: 2 * joined.values.count * MemoryLayout<Float>.stride) {
            for index in 0..<joined.count {
                var source = joined.row(index)
                for group in 0..<groups {
                    for part in parts {
                        (part.target.row(index) + part.start + group * part.length)
                            .update(from: source, count: part.length)
                        source += part.length
                    }
                }
            }
        }
    }

    /// The recurrence of a layer over runs of tokens of different sequences.
    func recur(_ shape: RecurrenceShape, stride: Int, _ runs: [leap_recurrence_run]) {
        var kernel = leap_recurrence_shape(
            key_heads: Int32(shape.keyHeads), value_heads: Int32(shape.valueHeads), key_dim: Int32(shape.keyLength),
            value_dim: Int32(shape.valueLength), is_grouped: shape.isGrouped ? 1 : 0,
            is_corrected: shape.form == .deltaNet ? 1 : 0, stride: Int64(stride))
        let operations = shape.form == .deltaNet ? 7 : 5
        timed(
            "recurrence", bytes: 2 * runs.count * shape.stateCount * MemoryLayout<Float>.stride,
            operations: runs.reduce(0) { $0 + operations * shape.stateCount * Int($1.count) }
        ) {
            leap_recurrence(pool, &kernel, runs, Int64(runs.count))
        }
    }

    /// Makes the time steps of recurrent layers, in place, and what states are multiplied with over them.
    ///
    /// - Parameters:
    ///   - bias: is added to the steps, one number for each head.
    ///   - rate: the logarithms of the decays over a step of 1.
    func makeTimeSteps(_ steps: Rows, bias: Vector, rate: Vector, decays: Rows) {
        timed("time steps") {
            leap_time_steps(
                pool, steps.base, bound.floats(bias), bound.floats(rate), Int64(steps.length), Int64(steps.count),
                decays.base)
        }
    }

    /// x = 1 / (1 + exp(-x)).
    func sigmoid(_ x: Rows) {
        timed("activation") {
            for index in x.values.indices { x.values[index] = 1 / (1 + expf(-x.values[index])) }
        }
    }

    /// x = x / (1 + exp(-gate)), where the rows of gates are `stride` floats apart.
    func gate(_ x: Rows, by gates: UnsafePointer<Float>, stride: Int) {
        let n = Int64(x.length)
        timed("gated activation") {
            leap_glu(pool, x.base, n, gates, Int64(stride), n, Int64(x.count), x.base, n)
        }
    }

    /// For each row the logarithm of the sum of its exponentials.
    func logSumExp(_ x: Rows) -> [Float] {
        [Float](unsafeUninitializedCapacity: x.count) { out, count in
            if let base = out.baseAddress {
                timed("probabilities") {
                    leap_log_sum_exp(pool, x.base, Int64(x.length), Int64(x.length), Int64(x.count), base)
                }
            }
            count = x.count
        }
    }

    /// The same of rows that follow one another.
    func logSumExp(_ values: UnsafeMutableBufferPointer<Float>, length: Int) -> [Float] {
        guard let base = values.baseAddress, length > 0 else { return [] }
        return logSumExp(Rows(base: base, count: values.count / length, length: length))
    }

    /// gate = activation(gate) ⊙ up.
    func activate(_ activation: GateActivation, gate: Rows, up: Rows) {
        let n = Int64(gate.length)
        timed("gated activation") {
            switch activation {
            case .silu: leap_swiglu(pool, gate.base, n, up.base, n, n, Int64(gate.count), gate.base, n)
            case .gelu: leap_geglu(pool, gate.base, n, up.base, n, n, Int64(gate.count), gate.base, n)
            case .clampedSilu(let limit):
                leap_swiglu_clamped(pool, gate.base, n, up.base, n, limit, n, Int64(gate.count), gate.base, n)
            case .exactGELU: leap_geglu_exact(pool, gate.base, n, up.base, n, n, Int64(gate.count), gate.base, n)
            }
        }
    }

    /// gate = GELU(gate) ⊙ factors, in its tanh form, where the rows of factors are `stride` floats apart.
    func gatedGELU(_ gate: Rows, times factors: UnsafePointer<Float>, stride: Int) {
        let n = Int64(gate.length)
        timed("gated activation") {
            leap_geglu(pool, gate.base, n, factors, Int64(stride), n, Int64(gate.count), gate.base, n)
        }
    }

    /// x += y.
    func add(_ y: Rows, to x: Rows) {
        let n = Int64(x.length)
        timed("add") { leap_add(pool, x.base, n, y.base, n, n, Int64(x.count), x.base, n) }
    }

    /// x += factor · y, with a factor for each row.
    func add(_ y: Rows, times factors: Rows, to x: Rows) { add(y, times: factors, to: x, into: x) }

    /// out = x + factor · y, with a factor for each row.
    func add(_ y: Rows, times factors: Rows, to x: Rows, into out: Rows) {
        let n = Int64(x.length)
        timed("add") { leap_add_scaled(pool, x.base, n, y.base, n, factors.base, n, Int64(x.count), out.base, n) }
    }

    /// x += c · table, with `table.rank` factors for each row in c.
    func add(_ c: UnsafePointer<Float>, times table: LowRankTable, to x: Rows) {
        timed(
            "add low rank", bytes: table.rank * table.columns * MemoryLayout<Float>.stride,
            operations: 2 * x.count * table.rank * table.columns
        ) {
            leap_add_low_rank(
                pool, x.base, Int64(x.length), c, Int64(table.rank), table.values.pointer, Int64(table.columns),
                Int64(x.count))
        }
    }

    /// x += y, whose rows are `stride` floats apart.
    func add(_ y: UnsafePointer<Float>, stride: Int, to x: Rows) {
        let n = Int64(x.length)
        timed("add") { leap_add(pool, x.base, n, y, Int64(stride), n, Int64(x.count), x.base, n) }
    }

    /// out = x + bias, where the rows of x are `stride` floats apart.
    func add(_ x: UnsafePointer<Float>, stride: Int, _ bias: Vector, into out: Rows) {
        let n = Int64(out.length)
        timed("add") { leap_add(pool, x, Int64(stride), bound.floats(bias), 0, n, Int64(out.count), out.base, n) }
    }

    /// Adds one row to every row of x.
    func addBias(_ bias: Vector, to x: Rows) {
        let n = Int64(x.length)
        timed("add") { leap_add(pool, x.base, n, bound.floats(bias), 0, Int64(bias.count), Int64(x.count), x.base, n) }
    }

    /// x *= factor.
    func scale(_ x: Rows, by factor: Float) {
        timed("scale") { leap_scale(pool, x.base, Int64(x.length), factor, Int64(x.length), Int64(x.count)) }
    }

    /// x = cap · tanh(x / cap).
    func softcap(_ x: Rows, _ cap: Float) {
        timed("softcap") { leap_softcap(pool, x.base, Int64(x.length), cap, Int64(x.length), Int64(x.count)) }
    }

    /// Rotates the heads of queries or keys by their positions.
    func rotate(_ x: Rows, heads: Int, _ rope: RopeSpecification, table: UnsafePointer<Float>) {
        timed("rotation") {
            leap_rope(
                pool, x.base, Int64(x.length), Int64(x.count), Int32(heads), Int32(x.length / heads),
                Int32(rope.dimensions), table, rope.interleaved ? 1 : 0)
        }
    }

    /// Runs an operation, and has its cost recorded where something is measured.
    @inline(__always)
    func timed(
        _ name: @autoclosure () -> String, bytes: @autoclosure () -> Int = 0, operations: @autoclosure () -> Int = 0,
        arithmetic: @autoclosure () -> Arithmetic = .float, _ body: () -> Void
    ) {
        guard let recorder else { return body() }
        recorder.measure(name(), bytes: bytes(), operations: operations(), arithmetic: arithmetic(), body)
    }
}

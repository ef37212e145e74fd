import CLeapKernels

/// The thread pool and the elementwise kernels, with Swift types.
final class Kernels {
    /// The threads that compute, the caller's included.
    let pool: OpaquePointer
    /// Their number.
    let threads: Int
    /// Where the cost of operations is booked; nil, as a rule, for nowhere.
    var profile: OperationProfile?

    /// Starts a pool.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    init(threads: Int) throws(EngineError) {
        guard let pool = leap_pool_create(Int32(clamping: threads)) else {
            throw EngineError(.outOfMemory, "no memory for a pool of \(threads) threads: use fewer", field: "threads")
        }
        self.pool = pool
        self.threads = Int(leap_pool_threads(pool))
    }

    deinit { leap_pool_destroy(pool) }

    /// Norms `rows` rows of `length` floats that follow one another; in place where `into` is `x`.
    func rmsNorm(
        _ x: UnsafePointer<Float>, _ norm: RMSNorm, length: Int, rows: Int, into out: UnsafeMutablePointer<Float>
    ) {
        timed("norm") {
            leap_rms_norm(
                pool, x, Int64(length), norm.weight.pointer, norm.epsilon, Int64(length), Int64(rows), out,
                Int64(length))
        }
    }

    /// `rmsNorm` in place.
    func rmsNorm(
        _ x: UnsafeMutablePointer<Float>, _ norm: RMSNorm, length: Int, rows: Int, into out: UnsafeMutablePointer<Float>
    ) {
        rmsNorm(UnsafePointer(x), norm, length: length, rows: rows, into: out)
    }

    /// gate = activation(gate) ⊙ up.
    func activate(
        _ activation: GateActivation, gate: UnsafeMutablePointer<Float>, up: UnsafeMutablePointer<Float>, length: Int,
        rows: Int
    ) {
        let n = Int64(length)
        timed("gated activation") {
            switch activation {
            case .silu: leap_swiglu(pool, gate, n, up, n, n, Int64(rows), gate, n)
            case .gelu: leap_geglu(pool, gate, n, up, n, n, Int64(rows), gate, n)
            }
        }
    }

    /// x += y.
    func add(_ y: UnsafePointer<Float>, to x: UnsafeMutablePointer<Float>, length: Int, rows: Int) {
        let n = Int64(length)
        timed("add") { leap_add(pool, x, n, y, n, n, Int64(rows), x, n) }
    }

    /// Adds one row to every row of x.
    func addBias(_ bias: FloatVector, to x: UnsafeMutablePointer<Float>, stride: Int, rows: Int) {
        timed("add") {
            leap_add(pool, x, Int64(stride), bias.pointer, 0, Int64(bias.count), Int64(rows), x, Int64(stride))
        }
    }

    /// x *= factor.
    func scale(_ x: UnsafeMutablePointer<Float>, by factor: Float, length: Int, rows: Int) {
        timed("scale") { leap_scale(pool, x, Int64(length), factor, Int64(length), Int64(rows)) }
    }

    /// Runs an operation, and books its time where a profile is attached.
    @inline(__always)
    func timed(
        _ name: @autoclosure () -> String, bytes: @autoclosure () -> Int = 0, operations: @autoclosure () -> Int = 0,
        arithmetic: @autoclosure () -> Arithmetic = .float, _ body: () -> Void
    ) {
        guard let profile else { return body() }
        profile.measure(name(), bytes: bytes(), operations: operations(), arithmetic: arithmetic(), body)
    }
}

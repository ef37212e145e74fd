import LeapCPU
import LeapEngine

/// The cost of the operations of forward passes: time, bytes of weights or cache read, arithmetic.
///
/// Not shared between threads: it belongs to the `Kernels` that it is attached to.
final class OperationProfile: OperationRecorder {
    /// The cost of one kind of operation.
    struct Cost: Sendable, Hashable {
        /// The name of the operation, with types and shapes for products.
        var name: String
        /// The number of calls.
        var calls = 0
        /// Wall-clock time of all calls.
        var seconds = 0.0
        /// Bytes read from the model file or the cache; activations, which stay in the processor's caches, do not
        /// count.
        var bytes = 0
        /// Multiplications and additions.
        var operations = 0
        /// The arithmetic that it uses.
        var arithmetic = Arithmetic.float
    }

    private var costs: [String: Cost] = [:]
    private let clock = ContinuousClock()

    /// Runs an operation and adds its cost to the costs under its name.
    func measure(_ name: String, bytes: Int, operations: Int, arithmetic: Arithmetic, _ body: () -> Void) {
        let start = clock.now
        body()
        let elapsed = (clock.now - start).seconds
        var cost = costs[name] ?? Cost(name: name)
        cost.calls += 1
        cost.seconds += elapsed
        cost.bytes += bytes
        cost.operations += operations
        cost.arithmetic = arithmetic
        costs[name] = cost
    }

    /// All costs, the longest first.
    var sorted: [Cost] { costs.values.sorted { ($0.seconds, $1.name) > ($1.seconds, $0.name) } }

    /// Forgets everything.
    func reset() { costs.removeAll() }
}

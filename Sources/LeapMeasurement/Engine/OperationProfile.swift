import LeapCPU
import LeapEngine

/// The cost of the operations of forward passes: time, bytes of weights or cache read, arithmetic.
///
/// Not shared between threads: it belongs to the `Kernels` that it is attached to.
final class OperationProfile: OperationRecorder {
    /// One kind of operation.
    struct Entry: Sendable, Hashable {
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

    private var entries: [String: Entry] = [:]
    private let clock = ContinuousClock()

    /// Runs an operation and adds its cost to the entry of its name.
    func measure(_ name: String, bytes: Int, operations: Int, arithmetic: Arithmetic, _ body: () -> Void) {
        let start = clock.now
        body()
        let elapsed = (clock.now - start).seconds
        var entry = entries[name] ?? Entry(name: name)
        entry.calls += 1
        entry.seconds += elapsed
        entry.bytes += bytes
        entry.operations += operations
        entry.arithmetic = arithmetic
        entries[name] = entry
    }

    /// All entries, the longest first.
    var sorted: [Entry] { entries.values.sorted { ($0.seconds, $1.name) > ($1.seconds, $0.name) } }

    /// Forgets everything.
    func reset() { entries.removeAll() }
}

/// The arithmetic that an operation mostly consists of.
package enum Arithmetic: Sendable, Hashable {
    /// 8-bit integers.
    case integer
    /// 32-bit floats.
    case float
    /// 16-bit floats, summed as 32-bit ones.
    case half
}

/// Takes note of the operations of forward passes: a profile, where one is measured.
package protocol OperationRecorder: AnyObject {
    /// Runs an operation and records what it cost.
    ///
    /// - Parameters:
    ///   - name: what is computed, with types and shapes for products.
    ///   - bytes: bytes that are read from the model file or the cache; activations, which stay in the processor's
    ///     caches, do not count.
    ///   - operations: multiplications and additions.
    func measure(_ name: String, bytes: Int, operations: Int, arithmetic: Arithmetic, _ body: () -> Void)
}

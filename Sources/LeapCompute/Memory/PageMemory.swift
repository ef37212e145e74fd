package import LeapModel

/// Memory for pages, or for recurrent states, that a device beside the processor reads and writes too.
///
/// Safe from any thread.
package protocol PageMemory: AnyObject, Sendable {
    /// Names the device and what it computes: the same tokens give the same bits where it is the same.
    var arithmetic: String { get }

    /// Zeroed memory for one of them; nil where there is none left: it then lies where only the processor reads it.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory`, from the pool.
    func take(byteCount: Int, pool: MemoryPool) throws(EngineError) -> AlignedMemory?
}

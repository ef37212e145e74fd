import LeapBase
package import LeapModel

/// Zeroed memory straight from the system: untouched parts cost nothing, and freeing it gives it back at once.
package final class AlignedMemory {
    /// The first byte, aligned to a page of the system.
    package let base: UnsafeMutableRawPointer
    /// Usable bytes.
    package let byteCount: Int

    private let pool: MemoryPool
    /// Takes back memory that is a part of another; nil where it was mapped for itself.
    private let giveBack: (@Sendable () -> Void)?

    /// Maps memory.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory`, from the system or the pool.
    package init(byteCount: Int, pool: MemoryPool) throws(EngineError) {
        let size = max(byteCount, 1)
        try pool.take(size)
        #if canImport(Darwin)
            let flags = MAP_PRIVATE | MAP_ANON
        #else
            let flags = MAP_PRIVATE | MAP_ANONYMOUS
        #endif
        let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0)
        guard let mapped, mapped != MAP_FAILED else {
            pool.giveBack(size)
            throw EngineError(
                .outOfMemory,
                "the system cannot provide \(size) bytes of memory: use a smaller context or model, or close other programs"
            )
        }
        base = mapped
        self.byteCount = size
        self.pool = pool
        giveBack = nil
    }

    /// A zeroed part of memory that lies somewhere already.
    ///
    /// - Parameter giveBack: called on any thread when the part is no longer used.
    /// - Throws: ``EngineError`` with code `outOfMemory`, from the pool; `giveBack` is called then too.
    package init(
        base: UnsafeMutableRawPointer, byteCount: Int, pool: MemoryPool, giveBack: @escaping @Sendable () -> Void
    ) throws(EngineError) {
        do {
            try pool.take(byteCount)
        } catch {
            giveBack()
            throw error
        }
        self.base = base
        self.byteCount = byteCount
        self.pool = pool
        self.giveBack = giveBack
    }

    deinit {
        if let giveBack { giveBack() } else { munmap(base, byteCount) }
        pool.giveBack(byteCount)
    }
}

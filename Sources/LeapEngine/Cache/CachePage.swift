import LeapBase

/// The state of 64 consecutive positions, for all layers.
///
/// Pages are shared between sequences by reference. Positions that a sequence holds are never written again through a shared
/// page: a sequence that wants to write into one takes a copy first.
final class CachePage {
    private let memory: AlignedMemory

    /// The first byte; ``CacheLayout`` says what is where.
    var base: UnsafeMutableRawPointer { memory.base }
    /// Bytes of the page.
    var byteCount: Int { memory.byteCount }

    /// An empty page.
    init(_ layout: CacheLayout) throws(EngineError) {
        memory = try AlignedMemory(byteCount: layout.pageByteCount, pool: layout.memory)
    }

    /// A page with the same contents.
    init(copying other: CachePage, _ layout: CacheLayout) throws(EngineError) {
        memory = try AlignedMemory(byteCount: other.byteCount, pool: layout.memory)
        memcpy(memory.base, other.base, other.byteCount)
    }
}

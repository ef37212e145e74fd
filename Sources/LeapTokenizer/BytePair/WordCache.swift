import LeapBase

/// The tokens of pieces met before, so that a frequent word is merged once.
///
/// Of fixed size: when it is full it is emptied. Not thread-safe; each ``EncodingScratch`` has its own.
final class WordCache {
    private struct CachedWord {
        var hash: UInt64 = 0
        var keyStart: UInt32 = 0
        var idStart: UInt32 = 0
        var keyCount: UInt16 = 0
        /// 0 where the slot is free.
        var idCount: UInt16 = 0
    }

    /// Longer pieces are rarely met twice.
    private static let maximumLength = 64
    private static let slotCount = 1 << 14
    private static let maximumEntries = slotCount / 2
    private static let keyCapacity = 1 << 17
    private static let idCapacity = 1 << 16

    private var entries: UnsafeMutablePointer<CachedWord>?
    private let keys: UnsafeMutablePointer<UInt8>
    private let ids: UnsafeMutablePointer<TokenID>
    private var count = 0
    private var keysUsed = 0
    private var idsUsed = 0

    init() {
        // Untouched memory costs nothing: the system gives pages as they are written.
        keys = .allocate(capacity: Self.keyCapacity)
        ids = .allocate(capacity: Self.idCapacity)
    }

    deinit {
        entries?.deallocate()
        keys.deallocate()
        ids.deallocate()
    }

    /// Appends the tokens of the piece of `count` bytes at `bytes`: those that are known, or what `encode` appends.
    @inline(__always)
    func append(
        _ bytes: UnsafePointer<UInt8>, _ count: Int, to tokens: TokenBuffer, orElse encode: () -> Void
    ) {
        guard count <= Self.maximumLength else { return encode() }
        let hash = ByteHash.of(bytes, count)
        if appendKnown(bytes, count, hash: hash, to: tokens) { return }
        let start = tokens.count
        encode()
        insert(bytes, count, hash: hash, tokens: tokens.pointer(from: start), tokens.count - start)
    }

    /// Appends the tokens of a piece if they are known; otherwise returns false.
    @inline(__always)
    private func appendKnown(_ bytes: UnsafePointer<UInt8>, _ count: Int, hash: UInt64, to tokens: TokenBuffer) -> Bool
    {
        guard let entries else { return false }
        var position = Int(truncatingIfNeeded: hash) & (Self.slotCount - 1)
        while entries[position].idCount != 0 {
            let entry = entries[position]
            if entry.hash == hash, Int(entry.keyCount) == count,
                ByteHash.equal(keys + Int(entry.keyStart), bytes, count)
            {
                tokens.append(ids + Int(entry.idStart), Int(entry.idCount))
                return true
            }
            position = (position + 1) & (Self.slotCount - 1)
        }
        return false
    }

    /// Remembers the tokens of a piece, which must not be known yet.
    private func insert(
        _ bytes: UnsafePointer<UInt8>, _ byteCount: Int, hash: UInt64, tokens: UnsafePointer<TokenID>, _ tokenCount: Int
    ) {
        guard tokenCount > 0 else { return }
        if count == Self.maximumEntries || keysUsed + byteCount > Self.keyCapacity
            || idsUsed + tokenCount > Self.idCapacity
        {
            clear()
        }
        let entries = entries ?? allocate()
        var position = Int(truncatingIfNeeded: hash) & (Self.slotCount - 1)
        while entries[position].idCount != 0 { position = (position + 1) & (Self.slotCount - 1) }
        entries[position] = CachedWord(
            hash: hash, keyStart: UInt32(keysUsed), idStart: UInt32(idsUsed), keyCount: UInt16(byteCount),
            idCount: UInt16(tokenCount))
        (keys + keysUsed).update(from: bytes, count: byteCount)
        (ids + idsUsed).update(from: tokens, count: tokenCount)
        keysUsed += byteCount
        idsUsed += tokenCount
        count += 1
    }

    private func allocate() -> UnsafeMutablePointer<CachedWord> {
        let entries = UnsafeMutablePointer<CachedWord>.allocate(capacity: Self.slotCount)
        entries.initialize(repeating: CachedWord(), count: Self.slotCount)
        self.entries = entries
        return entries
    }

    private func clear() {
        entries?.update(repeating: CachedWord(), count: Self.slotCount)
        (count, keysUsed, idsUsed) = (0, 0, 0)
    }
}

import LeapBase

/// The ids of tokens by their texts: an open-addressing hash table over ``TokenTexts``.
final class TokenIndex: @unchecked Sendable {
    // Sendable: the table is filled in `init` and never changes.
    private let texts: TokenTexts
    /// Each slot: the upper half of the hash, and the token plus one; 0 where free.
    private let slots: UnsafeMutablePointer<UInt64>
    private let mask: Int

    /// Indexes the texts that `includes` wants; empty ones never, of equal ones the first.
    init(_ texts: TokenTexts, includes: (Int) -> Bool = { _ in true }) {
        self.texts = texts
        var capacity = 16
        while capacity < texts.count * 2 { capacity *= 2 }
        mask = capacity - 1
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: 0, count: capacity)
        for token in 0..<texts.count {
            let text = texts[token]
            guard let base = text.baseAddress, text.count > 0, includes(token) else { continue }
            insert(base, text.count, token)
        }
    }

    deinit { slots.deallocate() }

    private func insert(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ token: Int) {
        let hash = ByteHash.of(bytes, count)
        let tag = hash & 0xFFFF_FFFF_0000_0000
        var position = Int(truncatingIfNeeded: hash) & mask
        while slots[position] != 0 {
            if slots[position] & 0xFFFF_FFFF_0000_0000 == tag, equals(slots[position], bytes, count) { return }
            position = (position + 1) & mask
        }
        slots[position] = tag | UInt64(token + 1)
    }

    @inline(__always)
    private func equals(_ slot: UInt64, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        let text = texts[Int(UInt32(truncatingIfNeeded: slot)) - 1]
        guard text.count == count, let base = text.baseAddress else { return false }
        return ByteHash.equal(base, bytes, count)
    }

    /// The token whose text is the `count` bytes at `bytes`, or -1.
    @inline(__always)
    func find(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> TokenID {
        if count > texts.maximumLength || count == 0 { return -1 }
        let hash = ByteHash.of(bytes, count)
        let tag = hash & 0xFFFF_FFFF_0000_0000
        var position = Int(truncatingIfNeeded: hash) & mask
        while true {
            let slot = slots[position]
            if slot == 0 { return -1 }
            if slot & 0xFFFF_FFFF_0000_0000 == tag, equals(slot, bytes, count) {
                return TokenID(truncatingIfNeeded: UInt32(truncatingIfNeeded: slot) - 1)
            }
            position = (position + 1) & mask
        }
    }

    /// The token whose text is `bytes`, or nil.
    func find(_ bytes: UnsafeBufferPointer<UInt8>) -> TokenID? {
        guard let base = bytes.baseAddress else { return nil }
        let token = find(base, bytes.count)
        return token < 0 ? nil : token
    }

    /// The token whose text is `text`, or nil.
    func find(_ text: String) -> TokenID? {
        var text = text
        return text.withUTF8 { find($0) }
    }
}

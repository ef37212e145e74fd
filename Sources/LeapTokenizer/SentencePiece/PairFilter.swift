import LeapBase

/// The pairs of characters that stand next to each other in some token.
///
/// No merge crosses a place where two characters meet that no token has side by side, so the text can be cut there and
/// the parts be tokenized, and remembered, on their own: with the same result, and in time that does not grow with the
/// text. The filter may say yes where the answer is no (it hashes pairs beyond ASCII), never the reverse.
struct PairFilter: Sendable {
    private var ascii = [UInt64](repeating: 0, count: 128 * 128 / 64)
    private var hashed: [UInt64]
    private let shift: UInt64

    /// U+2581, which stands for a space; kept as the space it stands for, which has no other use here.
    static let space: UInt32 = 0x20

    /// A filter for about `count` tokens.
    init(tokenCount count: Int) {
        var bits: UInt64 = 16
        while 1 << bits < count * 16, bits < 26 { bits += 1 }
        shift = 64 - bits
        hashed = Array(repeating: 0, count: 1 << (bits - 6))
    }

    /// Enters the pairs of `text`, which is what a token stands for.
    mutating func insert(_ text: UnsafeBufferPointer<UInt8>) {
        var position = 0
        var previous: UInt32?
        while position < text.count {
            let (symbol, next) = Self.symbol(text, position)
            if let previous { insert(previous, symbol) }
            previous = symbol
            position = next
        }
    }

    /// A number for the symbol at `position` (a character, or a broken one), and where the next one starts.
    @inline(__always)
    static func symbol(_ text: UnsafeBufferPointer<UInt8>, _ position: Int) -> (symbol: UInt32, next: Int) {
        let lead = text[position]
        if lead < 0x80 { return (UInt32(lead), position + 1) }
        let next = min(position + UTF8Length.of(lead: lead), text.count)
        var symbol: UInt32 = 0
        var index = position
        while index < next {
            symbol = symbol << 8 | UInt32(text[index])
            index += 1
        }
        return (symbol == 0xE2_96_81 ? space : symbol, next)
    }

    private mutating func insert(_ left: UInt32, _ right: UInt32) {
        if left | right < 0x80 {
            let bit = Int(left << 7 | right)
            ascii[bit >> 6] |= 1 << UInt64(bit & 63)
        } else {
            let bit = place(left, right)
            hashed[bit >> 6] |= 1 << UInt64(bit & 63)
        }
    }

    @inline(__always)
    private func place(_ left: UInt32, _ right: UInt32) -> Int {
        Int(truncatingIfNeeded: ByteHash.mix(UInt64(left) << 32 | UInt64(right)) >> shift)
    }

    /// Returns whether a merge may join a text that ends with `left` to one that begins with `right`.
    @inline(__always)
    func mayJoin(_ left: UInt32, _ right: UInt32) -> Bool {
        if left | right < 0x80 {
            let bit = Int(left << 7 | right)
            return ascii[bit >> 6] >> UInt64(bit & 63) & 1 != 0
        }
        let bit = place(left, right)
        return hashed[bit >> 6] >> UInt64(bit & 63) & 1 != 0
    }
}

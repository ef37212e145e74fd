/// A SentencePiece `precompiled_charsmap`: which character sequences are replaced by which.
///
/// Four bytes give the size of a double array trie (Darts) of 32-bit units, which follows; the replacements come last,
/// each ended by a zero byte. Of a unit, bits 10 to 30 are the offset (shifted by 8 more if bit 9 is set), bit 8 says
/// that a sequence ends here, bits 0 to 7 are the byte that leads here; a unit with bit 31 set holds where the
/// replacement is.
struct CharsMap: Sendable {
    private let units: [UInt32]
    private let replacements: [UInt8]

    /// Reads a map; nil if it does not have that form.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > 4 else { return nil }
        func word(_ offset: Int) -> UInt32 {
            UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2]) << 16
                | UInt32(bytes[offset + 3]) << 24
        }
        let size = Int(word(0))
        guard size + 4 < bytes.count, size >= 4, bytes[bytes.count - 1] == 0 else { return nil }
        units = (0..<size / 4).map { word(4 + $0 * 4) }
        replacements = Array(bytes[(4 + size)...])
    }

    /// The longest sequence at `position` that is replaced: its length and where its replacement is; nil if there is
    /// none.
    func longestMatch(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> (length: Int, replacement: Int)? {
        var best: (length: Int, replacement: Int)?
        guard var node = offset(of: 0) else { return nil }
        var index = position
        while index < text.count, text[index] != 0 {
            let byte = UInt32(text[index])
            node ^= byte
            guard node < units.count, units[Int(node)] & 0x8000_00FF == byte else { break }
            let isEnd = units[Int(node)] >> 8 & 1 != 0
            guard let step = offset(of: node) else { break }
            node ^= step
            index += 1
            if isEnd, node < units.count {
                let replacement = Int(units[Int(node)] & 0x7FFF_FFFF)
                if replacement < replacements.count { best = (index - position, replacement) }
            }
        }
        return best
    }

    private func offset(of node: UInt32) -> UInt32? {
        guard node < units.count else { return nil }
        let unit = units[Int(node)]
        return (unit >> 10) << ((unit & 1 << 9) >> 6)
    }

    /// Calls `body` with each byte of the replacement at `offset`.
    @inline(__always)
    func forEachByte(of offset: Int, _ body: (UInt8) -> Void) {
        var position = offset
        // The map ends with a zero, so this ends.
        while replacements[position] != 0 {
            body(replacements[position])
            position += 1
        }
    }
}

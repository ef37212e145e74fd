/// The printable characters that stand for bytes in byte-level vocabularies: GPT-2's `bytes_to_unicode`.
///
/// Bytes that are printable in Latin-1 stand for themselves; the other 68 are U+0100 and up, in order.
enum ByteLevelAlphabet {
    /// Returns whether `byte` stands for itself.
    @inline(__always)
    private static func isPrintable(_ byte: Int) -> Bool {
        byte >= 0x21 && byte <= 0x7E || byte >= 0xA1 && byte <= 0xAC || byte >= 0xAE && byte <= 0xFF
    }

    /// The character of each byte.
    static let characters: [UInt16] = {
        var next: UInt16 = 0x100
        return (0..<256).map { byte in
            if isPrintable(byte) { return UInt16(byte) }
            defer { next += 1 }
            return next
        }
    }()

    /// The byte of each character below U+0144; 0xFFFF where there is none.
    static let bytes: [UInt16] = {
        var bytes = [UInt16](repeating: 0xFFFF, count: 0x144)
        for (byte, character) in characters.enumerated() { bytes[Int(character)] = UInt16(byte) }
        return bytes
    }()

    /// Appends the bytes that `text` stands for, or `text` itself if it has a character that stands for none.
    static func decode(_ text: UnsafeBufferPointer<UInt8>, into result: inout [UInt8]) {
        let start = result.count
        var position = 0
        while position < text.count {
            let lead = text[position]
            var code = Int(lead)
            if lead >= 0x80 {
                // Only two-byte characters can stand for bytes.
                guard lead >= 0xC2, lead <= 0xC5, position + 1 < text.count, text[position + 1] & 0xC0 == 0x80 else {
                    break
                }
                code = Int(lead & 0x1F) << 6 | Int(text[position + 1] & 0x3F)
                position += 1
            }
            position += 1
            guard code < bytes.count, bytes[code] != 0xFFFF else {
                position = -1
                break
            }
            result.append(UInt8(truncatingIfNeeded: bytes[code]))
        }
        if position < text.count {
            result.removeSubrange(start...)
            result.append(contentsOf: text)
        }
    }
}

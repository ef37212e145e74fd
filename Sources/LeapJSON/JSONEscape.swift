import LeapBase

/// Characters as they stand inside a JSON string.
package enum JSONEscape {
    /// Appends a byte of UTF-8, escaped where JSON demands it.
    package static func append(_ byte: UInt8, to text: inout [UInt8]) {
        if let letter = letter(byte) {
            text.append(UInt8(ascii: "\\"))
            text.append(letter)
        } else if byte < 0x20 {
            append(unit: UInt32(byte), to: &text)
        } else {
            text.append(byte)
        }
    }

    /// Appends a character, escaped where JSON demands it and, with `escapesNonASCII`, where it is not ASCII.
    package static func append(_ scalar: Unicode.Scalar, to text: inout [UInt8], escapesNonASCII: Bool) {
        let value = scalar.value
        if value < 0x80 {
            append(UInt8(value), to: &text)
        } else if !escapesNonASCII {
            UTF8Bytes.append(value, to: &text)
        } else if value < 0x10000 {
            append(unit: value, to: &text)
        } else {
            append(unit: 0xD800 + (value - 0x10000) >> 10, to: &text)
            append(unit: 0xDC00 + (value - 0x10000) & 0x3FF, to: &text)
        }
    }

    /// The letter after the backslash, for the characters that have one.
    private static func letter(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
        case 0x08: UInt8(ascii: "b")
        case 0x09: UInt8(ascii: "t")
        case 0x0A: UInt8(ascii: "n")
        case 0x0C: UInt8(ascii: "f")
        case 0x0D: UInt8(ascii: "r")
        default: nil
        }
    }

    private static func append(unit: UInt32, to text: inout [UInt8]) {
        text += [UInt8(ascii: "\\"), UInt8(ascii: "u")]
        for shift in [12, 8, 4, 0] as [UInt32] { text.append(HexDigit.ascii(unit >> shift)) }
    }
}

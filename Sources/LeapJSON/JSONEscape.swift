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

    /// Appends a character; see ``append(_:to:escapesNonASCII:)-(UInt32,_,_)``.
    package static func append(_ scalar: Unicode.Scalar, to text: inout [UInt8], escapesNonASCII: Bool) {
        append(scalar.value, to: &text, escapesNonASCII: escapesNonASCII)
    }

    /// Appends a code point, escaped where JSON demands it and, with `escapesNonASCII`, where it is not ASCII that can
    /// be printed, as Python does.
    package static func append(_ code: UInt32, to text: inout [UInt8], escapesNonASCII: Bool) {
        if code < 0x7F {
            append(UInt8(code), to: &text)
        } else if !escapesNonASCII {
            UTF8Bytes.append(code, to: &text)
        } else if code < 0x10000 {
            append(unit: code, to: &text)
        } else {
            append(unit: 0xD800 + (code - 0x10000) >> 10, to: &text)
            append(unit: 0xDC00 + (code - 0x10000) & 0x3FF, to: &text)
        }
    }

    /// Returns whether a byte of UTF-8 stands for itself inside a JSON string.
    @inlinable
    package static func isPlain(_ byte: UInt8, escapesNonASCII: Bool) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") && (!escapesNonASCII || byte < 0x7F)
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

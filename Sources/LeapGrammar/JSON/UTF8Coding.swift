/// Small helpers between code points and UTF-8 bytes.
package enum UTF8Coding {
    /// Appends the UTF-8 bytes of a code point.
    package static func append(_ codePoint: UInt32, to bytes: inout [UInt8]) {
        switch codePoint {
        case 0..<0x80: bytes.append(UInt8(codePoint))
        case 0x80..<0x800:
            bytes.append(UInt8(0xC0 | codePoint >> 6))
            bytes.append(UInt8(0x80 | codePoint & 0x3F))
        case 0x800..<0x10000:
            bytes.append(UInt8(0xE0 | codePoint >> 12))
            bytes.append(UInt8(0x80 | codePoint >> 6 & 0x3F))
            bytes.append(UInt8(0x80 | codePoint & 0x3F))
        default:
            bytes.append(UInt8(0xF0 | codePoint >> 18 & 7))
            bytes.append(UInt8(0x80 | codePoint >> 12 & 0x3F))
            bytes.append(UInt8(0x80 | codePoint >> 6 & 0x3F))
            bytes.append(UInt8(0x80 | codePoint & 0x3F))
        }
    }

    /// 0…15 for a hexadecimal digit.
    package static func hexValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// The number of code points in well-formed UTF-8; nil where it is malformed or incomplete.
    package static func codePointCount(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = 0
        var count = 0
        while index < bytes.count {
            let lead = bytes[index]
            let length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0
            guard length > 0, index + length <= bytes.count else { return nil }
            if length > 1 {
                for offset in 1..<length where bytes[index + offset] & 0xC0 != 0x80 { return nil }
                let second = bytes[index + 1]
                if lead == 0xE0 && second < 0xA0 || lead == 0xED && second > 0x9F || lead == 0xF0 && second < 0x90
                    || lead == 0xF4 && second > 0x8F
                {
                    return nil
                }
            }
            index += length
            count += 1
        }
        return count
    }
}

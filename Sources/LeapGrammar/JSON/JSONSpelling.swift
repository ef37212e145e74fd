/// Writing JSON strings.
package enum JSONSpelling {
    private static let hex = Array("0123456789abcdef".utf8)

    /// Appends one character as it stands inside a JSON string.
    package static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8], escapesNonASCII: Bool) {
        let value = scalar.value
        switch value {
        case 0x22: bytes += [0x5C, 0x22]
        case 0x5C: bytes += [0x5C, 0x5C]
        case 0x08: bytes += Array("\\b".utf8)
        case 0x09: bytes += Array("\\t".utf8)
        case 0x0A: bytes += Array("\\n".utf8)
        case 0x0C: bytes += Array("\\f".utf8)
        case 0x0D: bytes += Array("\\r".utf8)
        case 0..<0x20: unicodeEscape(value, to: &bytes)
        case 0x80... where escapesNonASCII:
            if value >= 0x10000 {
                unicodeEscape(0xD800 + (value - 0x10000) >> 10, to: &bytes)
                unicodeEscape(0xDC00 + (value - 0x10000) & 0x3FF, to: &bytes)
            } else {
                unicodeEscape(value, to: &bytes)
            }
        default: UTF8Coding.append(value, to: &bytes)
        }
    }

    private static func unicodeEscape(_ value: UInt32, to bytes: inout [UInt8]) {
        bytes += [0x5C, 0x75]
        for shift in [12, 8, 4, 0] { bytes.append(hex[Int(value >> UInt32(shift) & 15)]) }
    }
}

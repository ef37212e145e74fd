/// Hexadecimal digits in ASCII.
package enum HexDigit {
    /// 0 to 15 for a digit, upper or lower case; nil for any other byte.
    @inlinable
    package static func value(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// All digits of a number, in lower case, zeros in front included.
    package static func text(of value: some FixedWidthInteger & UnsignedInteger) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: value.bitWidth / 4 - digits.count) + digits
    }

    /// The lower-case digit of the four lowest bits.
    @inlinable
    package static func ascii(_ value: some BinaryInteger) -> UInt8 {
        let digit = UInt8(truncatingIfNeeded: value) & 15
        return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }
}

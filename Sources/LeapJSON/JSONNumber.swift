/// A JSON number as it was written.
///
/// Equality is that of the values: `1`, `1.0` and `10e-1` are one number.
package struct JSONNumber: Sendable {
    /// The largest exponent that is read, either way: a bound on what writing the digits out may cost.
    package static let maxExponent = 100_000

    /// The number's text, which JSON allows.
    package let spelling: String

    /// A number whose text is known to be one.
    init(checked spelling: String) { self.spelling = spelling }

    /// A whole number.
    package init(_ value: some BinaryInteger) { spelling = String(value) }

    /// A number; nil for infinities and NaN, which JSON has not.
    package init?(_ value: Double) {
        guard value.isFinite else { return nil }
        spelling = value.description
    }

    /// A number of single precision, with the digits that tell it from its neighbours; nil for infinities and NaN.
    package init?(_ value: Float) {
        guard value.isFinite else { return nil }
        spelling = value.description
    }

    /// A decimal number, written without an exponent.
    package init(_ value: ExactDecimal) { spelling = String(decoding: value.fixedText, as: UTF8.self) }

    /// True if it is written with a fraction or an exponent, which makes it a float in Python and in early JSON Schema.
    package var isFloatSpelled: Bool { !spelling.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0 &- 0x30 < 10 } }

    /// The exact value.
    package var decimal: ExactDecimal { ExactDecimal(self) }

    /// The value as an integer, if it has no fraction and fits.
    package var integer: Int? { Int(spelling) ?? decimal.intValue }

    /// The `Double` nearest to the value; the largest finite ones for what is beyond them.
    package var double: Double {
        let value = Double(spelling) ?? 0
        return value.isFinite ? value : value.sign == .minus ? -.greatestFiniteMagnitude : .greatestFiniteMagnitude
    }

    /// The text that Python's `json.dumps` gives for the value: `1e2` is `100.0`.
    package var pythonSpelling: [UInt8] {
        let value = decimal
        let isFloat = isFloatSpelled
        guard isFloat, value.point > 16 || value.point < -3, !value.isZero else {
            return value.fixedText + (isFloat && value.isInteger ? Array(".0".utf8) : [])
        }
        var bytes: [UInt8] = value.isNegative ? [UInt8(ascii: "-")] : []
        bytes.append(value.digits[0] + UInt8(ascii: "0"))
        if value.digits.count > 1 {
            bytes.append(UInt8(ascii: "."))
            bytes += value.digits.dropFirst().map { $0 + UInt8(ascii: "0") }
        }
        let exponent = abs(value.point - 1)
        bytes += Array((value.point <= 0 ? "e-" : "e+").utf8)
        bytes += Array((exponent < 10 ? "0" : "").utf8) + Array(String(exponent).utf8)
        return bytes
    }
}

extension JSONNumber: Hashable {
    package static func == (a: JSONNumber, b: JSONNumber) -> Bool {
        a.spelling.utf8.elementsEqual(b.spelling.utf8) || a.decimal == b.decimal
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(decimal) }
}

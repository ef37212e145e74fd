/// A decimal number as written, without rounding: `±0.d₁d₂… × 10^point`.
///
/// Bounds and multiples in schemas are compared as decimals, so `0.1` is one tenth and 2⁵³+1 is not 2⁵³.
package struct ExactDecimal: Hashable, Sendable {
    /// True for numbers below zero; zero is never negative.
    package var isNegative: Bool
    /// Digits without leading and trailing zeros; empty for zero.
    package var digits: [UInt8]
    /// Position of the decimal point: the value is `0.digits × 10^point`.
    package var point: Int

    package static let zero = ExactDecimal(isNegative: false, digits: [], point: 0)

    package init(isNegative: Bool, digits: [UInt8], point: Int) {
        var first = 0
        while first < digits.count, digits[first] == 0 { first += 1 }
        var last = digits.count
        while last > first, digits[last - 1] == 0 { last -= 1 }
        self.digits = Array(digits[first..<last])
        self.point = self.digits.isEmpty ? 0 : point - first
        self.isNegative = isNegative && !self.digits.isEmpty
    }

    package init(_ value: Int) {
        var digits: [UInt8] = []
        var rest = value.magnitude
        while rest > 0 {
            digits.append(UInt8(rest % 10))
            rest /= 10
        }
        self.init(isNegative: value < 0, digits: digits.reversed(), point: digits.count)
    }

    /// The exact value of a JSON number.
    package init(_ number: JSONNumber) {
        var negative = false
        var digits: [UInt8] = []
        var point: Int?
        var exponent = 0
        var exponentSign = 1
        var inExponent = false
        for byte in number.spelling.utf8 {
            switch byte {
            case UInt8(ascii: "-"):
                if inExponent { exponentSign = -1 } else { negative = true }
            case UInt8(ascii: "."): point = digits.count
            case UInt8(ascii: "e"), UInt8(ascii: "E"): inExponent = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let digit = byte - UInt8(ascii: "0")
                if inExponent {
                    exponent = min(exponent * 10 + Int(digit), JSONNumber.maxExponent)
                } else {
                    digits.append(digit)
                }
            default: break  // the sign of a positive exponent
            }
        }
        let whole = point ?? digits.count
        self.init(isNegative: negative, digits: digits, point: whole + exponentSign * exponent)
    }

    package var isZero: Bool { digits.isEmpty }

    package var isInteger: Bool { digits.count <= point || isZero }

    package var negated: ExactDecimal { ExactDecimal(isNegative: !isNegative, digits: digits, point: point) }

    /// The value as an `Int` where it is one.
    package var intValue: Int? {
        guard isInteger, point <= 18 else { return nil }
        var value = 0
        for index in 0..<max(point, 0) { value = value * 10 + Int(index < digits.count ? digits[index] : 0) }
        return isNegative ? -value : value
    }

    /// Digits before the point (at least `[0]`) and after it.
    package var fixed: (whole: [UInt8], fraction: [UInt8]) {
        if isZero { return ([0], []) }
        if point <= 0 { return ([0], [UInt8](repeating: 0, count: -point) + digits) }
        if digits.count <= point {
            return (digits + [UInt8](repeating: 0, count: point - digits.count), [])
        }
        return (Array(digits[..<point]), Array(digits[point...]))
    }

    /// Text without exponent, `-12.5`.
    package var fixedText: [UInt8] {
        let (whole, fraction) = fixed
        var text: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
        text += whole.map { $0 + UInt8(ascii: "0") }
        if !fraction.isEmpty {
            text.append(UInt8(ascii: "."))
            text += fraction.map { $0 + UInt8(ascii: "0") }
        }
        return text
    }

    private static func compareMagnitudes(_ a: ExactDecimal, _ b: ExactDecimal) -> Int {
        if a.isZero || b.isZero { return (a.isZero ? 0 : 1) - (b.isZero ? 0 : 1) }
        if a.point != b.point { return a.point < b.point ? -1 : 1 }
        for index in 0..<max(a.digits.count, b.digits.count) {
            let x = index < a.digits.count ? a.digits[index] : 0
            let y = index < b.digits.count ? b.digits[index] : 0
            if x != y { return x < y ? -1 : 1 }
        }
        return 0
    }
}

extension ExactDecimal: Comparable {
    package static func < (a: ExactDecimal, b: ExactDecimal) -> Bool {
        if a.isNegative != b.isNegative { return a.isNegative }
        let order = compareMagnitudes(a, b)
        return a.isNegative ? order > 0 : order < 0
    }
}

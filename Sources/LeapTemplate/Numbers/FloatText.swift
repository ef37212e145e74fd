/// Text forms of a `Double`, digit for digit as CPython writes them.
enum FloatText {
    /// `repr(float)`: the shortest digits that read back as the same number.
    static func repr(_ value: Double) -> [UInt8] {
        if let special = special(value) { return special }
        let (digits, exponent) = shortest(value.magnitude)
        var out = [UInt8]()
        if value.sign == .minus { out.append(0x2D) }
        if exponent < -4 || exponent >= 16 {
            appendScientific(digits, exponent, to: &out)
        } else {
            appendPositional(digits, exponent, to: &out)
            if !out.contains(0x2E) { out.append(ascii: ".0") }
        }
        return out
    }

    /// `nan`, `inf` and `-inf`.
    static func special(_ value: Double) -> [UInt8]? {
        if value.isNaN { return Array("nan".utf8) }
        if value.isInfinite { return Array((value < 0 ? "-inf" : "inf").utf8) }
        return nil
    }

    /// The shortest decimal digits and the exponent of the first one.
    ///
    /// Swift's own description has the digits (both are the shortest that round-trip, and the closest of those);
    /// only the layout differs from Python's.
    static func shortest(_ value: Double) -> (digits: [UInt8], exponent: Int) {
        var digits = [UInt8]()
        var exponent = 0
        var point: Int?
        var inExponent = false
        var exponentValue = 0
        var exponentSign = 1
        for byte in value.description.utf8 {
            switch byte {
            case 0x65: inExponent = true
            case 0x2E: point = digits.count
            case 0x2D: if inExponent { exponentSign = -1 }
            case 0x30...0x39:
                if inExponent {
                    exponentValue = exponentValue * 10 + Int(byte - 0x30)
                } else {
                    digits.append(byte)
                }
            default: break
            }
        }
        exponent = (point ?? digits.count) - 1 + exponentSign * exponentValue
        let leading = digits.prefix { $0 == 0x30 }.count
        digits.removeFirst(leading)
        exponent -= leading
        while digits.last == 0x30 { digits.removeLast() }
        return digits.isEmpty ? ([0x30], 0) : (digits, exponent)
    }

    /// `value` (finite) rounded half to even at `decimals` places: the digits of the scaled integer, without sign.
    static func scaledDigits(_ value: Double, decimals: Int) -> [UInt8] {
        let magnitude = value.magnitude
        guard magnitude > 0 else { return [0x30] }
        // value = significand × 2^power exactly.
        let power = Int(magnitude.exponent) - 52
        let significand = BigInt(truncating: magnitude.significand * 4_503_599_627_370_496)
        var numerator = significand
        var denominator = BigInt(1)
        if decimals >= 0 {
            numerator = numerator * .powerOfTen(decimals)
        } else {
            denominator = .powerOfTen(-decimals)
        }
        if power >= 0 {
            numerator = numerator.shifted(left: power)
        } else {
            denominator = denominator.shifted(left: -power)
        }
        let (quotient, remainder) = numerator.floorDivided(by: denominator)
        let twice = remainder.shifted(left: 1)
        let isOdd = quotient.digits.first.map { $0 & 1 == 1 } ?? false
        let roundsUp = twice > denominator || (twice == denominator && isOdd)
        return (roundsUp ? quotient + BigInt(1) : quotient).digits(radix: 10)
    }

    /// `%.{decimals}f` of a finite number, without sign.
    static func fixed(_ value: Double, decimals: Int) -> [UInt8] {
        var digits = scaledDigits(value, decimals: decimals)
        if decimals == 0 { return digits }
        let missing = decimals + 1 - digits.count
        if missing > 0 { digits = [UInt8](repeating: 0x30, count: missing) + digits }
        digits.insert(0x2E, at: digits.count - decimals)
        return digits
    }

    /// `count` significant digits of a finite number, and the exponent of the first.
    static func significant(_ value: Double, count: Int) -> (digits: [UInt8], exponent: Int) {
        guard value != 0 else { return ([UInt8](repeating: 0x30, count: count), 0) }
        var exponent = shortest(value.magnitude).exponent
        var digits = scaledDigits(value, decimals: count - 1 - exponent)
        if digits.count > count {
            // Rounding carried into a new digit, for example 9.99 to two digits.
            exponent += 1
            digits = scaledDigits(value, decimals: count - 1 - exponent)
        }
        return (digits, exponent)
    }

    static func appendScientific(_ digits: [UInt8], _ exponent: Int, to out: inout [UInt8], marker: UInt8 = 0x65) {
        out.append(digits[0])
        if digits.count > 1 {
            out.append(0x2E)
            out += digits[1...]
        }
        out.append(marker)
        out.append(exponent < 0 ? 0x2D : 0x2B)
        let magnitude = exponent.magnitude
        if magnitude < 10 { out.append(0x30) }
        out += Array(String(magnitude).utf8)
    }

    /// Digits with a decimal point after the one of weight 10^0; no point when nothing follows it.
    static func appendPositional(_ digits: [UInt8], _ exponent: Int, to out: inout [UInt8]) {
        if exponent < 0 {
            out.append(ascii: "0.")
            for _ in 0..<(-exponent - 1) { out.append(0x30) }
            out += digits
            return
        }
        for i in 0...max(exponent, digits.count - 1) {
            if i == exponent + 1 { out.append(0x2E) }
            out.append(i < digits.count ? digits[i] : 0x30)
        }
    }
}

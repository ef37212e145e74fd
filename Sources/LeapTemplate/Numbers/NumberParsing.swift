/// Python's `int(text)` and `float(text)`.
enum NumberParsing {
    /// Reads an integer in `base` (0 means by prefix, else 2...36), white space and single underscores allowed.
    ///
    /// Nil where Python raises `ValueError`.
    ///
    /// - Parameter renderer: whom to account to; nil for literals and for values that a caller gives.
    static func integer(_ text: Text, base: Int, _ renderer: Renderer?) throws(TemplateError) -> Value? {
        let trimmed = text.stripped(.both)
        // No integer of at most so many digits, with an underscore behind each, is longer in any script.
        guard trimmed.bytes.count <= 8 * maxDigits else { return nil }
        let digits = min(trimmed.bytes.count, maxDigits) / 8
        try renderer?.touch(digits: digits, by: digits)
        var points = trimmed.codePoints[...]
        var negative = false
        if let first = points.first, first == 0x2B || first == 0x2D {
            negative = first == 0x2D
            points.removeFirst()
        }
        var radix = base
        if points.count >= 2, points.first == 0x30 {
            let marker = points[points.startIndex + 1] | 0x20
            let prefix: Int? = marker == 0x78 ? 16 : marker == 0x6F ? 8 : marker == 0x62 ? 2 : nil
            if let prefix, base == 0 || base == prefix {
                radix = prefix
                points.removeFirst(2)
                if points.first == 0x5F { points.removeFirst() }
            }
        }
        let byPrefix = base == 0 && radix == 0
        if byPrefix { radix = 10 }
        guard radix >= 2, radix <= 36 else { return nil }
        var values = [UInt32]()
        var lastWasDigit = false
        for c in points {
            if c == 0x5F {
                guard lastWasDigit else { return nil }
                lastWasDigit = false
                continue
            }
            guard let value = digitValue(c), value < UInt32(radix) else { return nil }
            values.append(value)
            lastWasDigit = true
        }
        guard lastWasDigit, values.count <= TemplateLimits.maxIntegerDigits || radix.nonzeroBitCount == 1 else {
            return nil
        }
        // "010" is an error when the base comes from the prefix, except for zeros.
        if byPrefix, values.count > 1, values[0] == 0, values.contains(where: { $0 != 0 }) { return nil }
        guard values.count < maxDigits else { return nil }
        return Value(BigInt(negative: negative, radix: UInt32(radix), digitValues: values))
    }

    private static let maxDigits = 1 << 14

    private static func digitValue(_ c: UInt32) -> UInt32? {
        if let decimal = CharacterClasses.decimalValue(c) { return decimal }
        guard c < 0x80 else { return nil }
        let letter = c | 0x20
        return letter >= 0x61 && letter <= 0x7A ? letter - 0x61 + 10 : nil
    }

    /// Reads a floating-point number; nil where Python raises `ValueError`.
    static func float(_ text: Text) -> Double? {
        var ascii = [UInt8]()
        for c in text.stripped(.both).codePoints {
            if let digit = CharacterClasses.decimalValue(c) {
                ascii.append(UInt8(digit) + 0x30)
            } else if c < 0x80 {
                ascii.append(UInt8(c) | (c >= 0x41 && c <= 0x5A ? 0x20 : 0))
            } else {
                return nil
            }
        }
        var body = ascii[...]
        var sign = 1.0
        if let first = body.first, first == 0x2B || first == 0x2D {
            sign = first == 0x2D ? -1 : 1
            body.removeFirst()
        }
        switch String(decoding: body, as: UTF8.self) {
        case "inf", "infinity": return sign * .infinity
        case "nan": return .nan
        default: break
        }
        guard let plain = decimalLiteral(body), let value = Double(String(decoding: plain, as: UTF8.self)) else {
            return nil
        }
        return sign * value
    }

    /// Checks `digits[.digits][e[+-]digits]` with single underscores between digits, and drops the underscores.
    private static func decimalLiteral(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var out = [UInt8]()
        var mantissaDigits = 0
        var exponentDigits = 0
        var seenPoint = false
        var seenExponent = false
        var previous: UInt8 = 0
        for byte in text {
            switch byte {
            case 0x30...0x39:
                if seenExponent { exponentDigits += 1 } else { mantissaDigits += 1 }
                out.append(byte)
            case 0x5F:
                guard previous >= 0x30, previous <= 0x39 else { return nil }
            case 0x2E:
                guard !seenPoint, !seenExponent, previous != 0x5F else { return nil }
                seenPoint = true
                // Swift wants a digit on both sides of the point.
                if mantissaDigits == 0 { out.append(0x30) }
                out.append(byte)
            case 0x65:
                guard !seenExponent, mantissaDigits > 0, previous != 0x5F else { return nil }
                seenExponent = true
                if previous == 0x2E { out.append(0x30) }
                out.append(byte)
            case 0x2B, 0x2D:
                guard previous == 0x65 else { return nil }
                out.append(byte)
            default: return nil
            }
            if previous == 0x5F, byte < 0x30 || byte > 0x39 { return nil }
            previous = byte
        }
        guard previous != 0x5F, mantissaDigits > 0, !seenExponent || exponentDigits > 0 else { return nil }
        if previous == 0x2E { out.append(0x30) }
        return out
    }
}

import LeapBase

/// Float operations whose Python meaning differs from C's.
enum FloatMath {
    /// Floor division or the remainder with the divisor's sign, as CPython's `float_divmod`.
    static func divmod(_ x: Double, _ y: Double, quotient: Bool) -> Double {
        var mod = fmod(x, y)
        var div = (x - mod) / y
        if mod != 0 {
            if (y < 0) != (mod < 0) {
                mod += y
                div -= 1
            }
        } else {
            mod = copysign(0, y)
        }
        if !quotient { return mod }
        if div == 0 { return copysign(0, x / y) }
        var floored = floor(div)
        if div - floored > 0.5 { floored += 1 }
        return floored
    }

    static func power(_ x: Double, _ y: Double) throws(TemplateError) -> Double {
        if x == 0, y < 0 { throw .value("0.0 cannot be raised to a negative power") }
        if x < 0, x.isFinite, y.isFinite, y != y.rounded() {
            throw .type("a negative number to a fractional power is complex, which templates do not have")
        }
        let result = pow(x, y)
        if result.isInfinite, x.isFinite, y.isFinite { throw .value("(34, 'Numerical result out of range')") }
        return result
    }

    /// `round(value, digits)`: half to even on the exact value.
    static func round(_ value: Double, digits: Int) throws(TemplateError) -> Double {
        guard value.isFinite, value != 0, digits < 324 else { return value }
        if digits < -308 { return copysign(0, value) }
        let scaled = FloatText.scaledDigits(value, decimals: digits)
        var text = [UInt8]()
        if value < 0 { text.append(0x2D) }
        text += scaled
        text.append(0x65)
        text += Array(String(-digits).utf8)
        guard let rounded = Double(String(decoding: text, as: UTF8.self)), rounded.isFinite else {
            throw .value("rounded value too large to represent")
        }
        return rounded
    }
}

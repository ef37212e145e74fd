// Filters that make numbers.
extension FilterCall {
    func int() throws(TemplateError) -> Value {
        let bound = try bind(["default", "base"])
        let fallback = bound[0] ?? .int(0)
        switch value {
        case .int, .big: return value
        case .bool(let b): return .int(b ? 1 : 0)
        case .undefined(let u): throw u.error
        case .float(let d):
            if d.isInfinite { throw .value("cannot convert float infinity to integer") }
            return d.isNaN ? fallback : Value(BigInt(truncating: d))
        case .string(let text), .markup(let text):
            let base = try integer(bound[1], default: 10)
            if let integer = try NumberParsing.integer(text, base: base, renderer) { return integer }
            // "42.23" is 42.
            guard let number = NumberParsing.float(text), number.isFinite else { return fallback }
            return Value(BigInt(truncating: number))
        default: return fallback
        }
    }

    func float() throws(TemplateError) -> Value {
        let bound = try bind(["default"])
        switch value {
        case .undefined(let u): throw u.error
        case .string(let text), .markup(let text):
            return NumberParsing.float(text).map { .float($0) } ?? bound[0] ?? .float(0)
        case .int, .big, .bool, .float: return .float(try Arithmetic.double(value))
        default: return bound[0] ?? .float(0)
        }
    }

    func abs() throws(TemplateError) -> Value {
        try noArguments()
        switch value {
        case .float(let d): return .float(d.magnitude)
        default:
            guard let integer = value.bigInteger else { throw .type("bad operand type for abs(): '\(value.typeName)'") }
            return Value(integer.magnitude)
        }
    }

    func round() throws(TemplateError) -> Value {
        let bound = try bind(["precision", "method"])
        let method = bound[1] ?? .string("common")
        guard let kind = method.text, ["common", "ceil", "floor"].contains(kind) else {
            throw .value("method must be common, ceil or floor")
        }
        let precision = try integer(bound[0], default: 0)
        if kind == "common" {
            if case .float(let d) = value {
                // Up to 324 digits before and after the point.
                try renderer.step(64)
                return .float(try FloatMath.round(d, digits: precision))
            }
            guard let integer = value.bigInteger else {
                throw .type("type \(value.typeName) doesn't define __round__ method")
            }
            if precision < 0 {
                // The power of ten has as many digits, and dividing by it takes their product.
                let unit = (precision < -5000 ? 5000 : -precision) / 9 + 1
                try renderer.touch(digits: unit, by: unit)
                try renderer.touch(digits: integer.digits.count + 1, by: unit)
            }
            return Value(Self.round(integer, digits: precision))
        }
        // func(value * 10**precision) / 10**precision, in Python's arithmetic.
        let scale = try Arithmetic.apply(.power, .int(10), .int(precision), renderer)
        let scaled = try Arithmetic.apply(.multiply, value, scale, renderer)
        var whole = scaled
        if case .float(let d) = scaled {
            guard d.isFinite else { throw .value("cannot convert float \(d.isNaN ? "NaN" : "infinity") to integer") }
            whole = Value(BigInt(truncating: kind == "ceil" ? d.rounded(.up) : d.rounded(.down)))
        } else if !scaled.isNumber {
            throw .type("must be real number, not \(scaled.typeName)")
        }
        return try Arithmetic.apply(.divide, whole, scale, renderer)
    }

    /// Rounds an integer half to even at a power of ten; nothing changes for precisions from 0 up.
    private static func round(_ integer: BigInt, digits: Int) -> BigInt {
        guard digits < 0 else { return integer }
        guard digits > -5000 else { return BigInt(0) }
        let unit = BigInt.powerOfTen(-digits)
        let (quotient, remainder) = integer.floorDivided(by: unit)
        let twice = remainder + remainder
        let isOdd = quotient.digits.first.map { $0 & 1 == 1 } ?? false
        let roundsUp = unit < twice || twice == unit && isOdd
        return (roundsUp ? quotient + BigInt(1) : quotient) * unit
    }
}

/// A Python integer that does not fit `Int`: sign and magnitude, 32-bit digits, least significant first.
///
/// Templates almost never make one, so the arithmetic is the schoolbook kind; the size is bounded by
/// ``TemplateLimits/maxIntegerBits``.
struct BigInt: Sendable, Hashable {
    private(set) var isNegative: Bool
    private(set) var digits: [UInt32]

    init(negative: Bool, digits: [UInt32]) {
        var digits = digits
        while digits.last == 0 { digits.removeLast() }
        self.digits = digits
        isNegative = negative && !digits.isEmpty
    }

    init(_ value: Int) {
        let magnitude = UInt64(value.magnitude)
        self.init(negative: value < 0, digits: [UInt32(truncatingIfNeeded: magnitude), UInt32(magnitude >> 32)])
    }

    /// The integer part of a finite number, exactly.
    init(truncating value: Double) {
        guard value.magnitude >= 1 else {
            self.init(negative: false, digits: [])
            return
        }
        let exponent = Int(value.exponent)
        let significand = value.significandBitPattern | (1 << 52)
        let base = BigInt(
            negative: value < 0,
            digits: [UInt32(truncatingIfNeeded: significand), UInt32(significand >> 32)])
        self = base.shifted(left: exponent - 52)
    }

    /// The value as an `Int`, where it fits.
    var asInt: Int? {
        guard digits.count <= 2 else { return nil }
        let magnitude = UInt64(digits.first ?? 0) | (digits.count > 1 ? UInt64(digits[1]) << 32 : 0)
        if isNegative { return magnitude <= 1 << 63 ? Int(truncatingIfNeeded: 0 &- magnitude) : nil }
        return Int(exactly: magnitude)
    }

    var isZero: Bool { digits.isEmpty }

    var bitWidth: Int {
        guard let top = digits.last else { return 0 }
        return digits.count * 32 - top.leadingZeroBitCount
    }

    var negated: BigInt { BigInt(negative: !isNegative, digits: digits) }

    var magnitude: BigInt { BigInt(negative: false, digits: digits) }

    /// The nearest double, ties to even; infinite when out of range.
    var asDouble: Double {
        let width = bitWidth
        guard width > 64 else {
            let m = UInt64(digits.first ?? 0) | (digits.count > 1 ? UInt64(digits[1]) << 32 : 0)
            return isNegative ? -Double(m) : Double(m)
        }
        // Keep 64 bits and fold the rest into the lowest one, so that the conversion below rounds correctly.
        let shift = width - 64
        let top = shifted(left: -shift)
        var m = UInt64(top.digits[0]) | UInt64(top.digits[1]) << 32
        if top.shifted(left: shift).digits != digits { m |= 1 }
        let scaled = Double(sign: .plus, exponent: shift, significand: Double(m))
        return isNegative ? -scaled : scaled
    }
}

extension BigInt: Comparable {
    static func < (a: BigInt, b: BigInt) -> Bool {
        if a.isNegative != b.isNegative { return a.isNegative }
        let order = compare(a.digits, b.digits)
        return a.isNegative ? order > 0 : order < 0
    }

    private static func compare(_ a: [UInt32], _ b: [UInt32]) -> Int {
        if a.count != b.count { return a.count < b.count ? -1 : 1 }
        for i in a.indices.reversed() where a[i] != b[i] { return a[i] < b[i] ? -1 : 1 }
        return 0
    }
}

extension BigInt {
    static func + (a: BigInt, b: BigInt) -> BigInt {
        if a.isNegative == b.isNegative {
            return BigInt(negative: a.isNegative, digits: add(a.digits, b.digits))
        }
        if compare(a.digits, b.digits) >= 0 {
            return BigInt(negative: a.isNegative, digits: subtract(a.digits, b.digits))
        }
        return BigInt(negative: b.isNegative, digits: subtract(b.digits, a.digits))
    }

    static func - (a: BigInt, b: BigInt) -> BigInt { a + b.negated }

    static func * (a: BigInt, b: BigInt) -> BigInt {
        guard !a.isZero, !b.isZero else { return BigInt(0) }
        var out = [UInt32](repeating: 0, count: a.digits.count + b.digits.count)
        for (i, x) in a.digits.enumerated() {
            var carry: UInt64 = 0
            for (j, y) in b.digits.enumerated() {
                let t = UInt64(x) * UInt64(y) + UInt64(out[i + j]) + carry
                out[i + j] = UInt32(truncatingIfNeeded: t)
                carry = t >> 32
            }
            out[i + b.digits.count] = UInt32(carry)
        }
        return BigInt(negative: a.isNegative != b.isNegative, digits: out)
    }

    /// Floor division and the remainder with the divisor's sign, as Python's `divmod`.
    ///
    /// The divisor must not be 0.
    func floorDivided(by divisor: BigInt) -> (quotient: BigInt, remainder: BigInt) {
        let (q, r) = Self.divide(digits, divisor.digits)
        var quotient = BigInt(negative: isNegative != divisor.isNegative, digits: q)
        var remainder = BigInt(negative: isNegative, digits: r)
        if !remainder.isZero, isNegative != divisor.isNegative {
            quotient = quotient - BigInt(1)
            remainder = remainder + divisor
        }
        return (quotient, remainder)
    }

    /// The magnitude shifted left by `count` bits, or right where `count` is negative; the sign stays.
    func shifted(left count: Int) -> BigInt {
        if count == 0 || isZero { return self }
        if count > 0 {
            let bits = UInt32(count % 32)
            var out = [UInt32](repeating: 0, count: count / 32)
            var carry: UInt32 = 0
            for d in digits {
                out.append(d << bits | carry)
                carry = bits == 0 ? 0 : d >> (32 - bits)
            }
            out.append(carry)
            return BigInt(negative: isNegative, digits: out)
        }
        let skip = -count / 32
        let bits = UInt32(-count % 32)
        guard skip < digits.count else { return BigInt(0) }
        var out = [UInt32]()
        for i in skip..<digits.count {
            let above = i + 1 < digits.count ? digits[i + 1] : 0
            out.append(bits == 0 ? digits[i] : digits[i] >> bits | above << (32 - bits))
        }
        return BigInt(negative: isNegative, digits: out)
    }

    private static func add(_ a: [UInt32], _ b: [UInt32]) -> [UInt32] {
        var out = [UInt32]()
        var carry: UInt64 = 0
        for i in 0..<max(a.count, b.count) {
            let t = UInt64(i < a.count ? a[i] : 0) + UInt64(i < b.count ? b[i] : 0) + carry
            out.append(UInt32(truncatingIfNeeded: t))
            carry = t >> 32
        }
        out.append(UInt32(carry))
        return out
    }

    private static func subtract(_ a: [UInt32], _ b: [UInt32]) -> [UInt32] {
        var out = [UInt32]()
        var borrow: Int64 = 0
        for i in 0..<a.count {
            var t = Int64(a[i]) - Int64(i < b.count ? b[i] : 0) - borrow
            borrow = t < 0 ? 1 : 0
            if t < 0 { t += 1 << 32 }
            out.append(UInt32(t))
        }
        return out
    }

    /// Knuth's algorithm D on magnitudes.
    private static func divide(_ a: [UInt32], _ b: [UInt32]) -> ([UInt32], [UInt32]) {
        if compare(a, b) < 0 { return ([], a) }
        if b.count == 1 {
            let (q, r) = divide(a, by: b[0])
            return (q, [r])
        }
        let shift = b[b.count - 1].leadingZeroBitCount
        let v = BigInt(negative: false, digits: b).shifted(left: shift).digits
        var u = BigInt(negative: false, digits: a).shifted(left: shift).digits
        while u.count <= a.count { u.append(0) }
        let n = v.count
        let m = u.count - n - 1
        var q = [UInt32](repeating: 0, count: m + 1)
        for j in stride(from: m, through: 0, by: -1) {
            let top = UInt64(u[j + n]) << 32 | UInt64(u[j + n - 1])
            var guess = top / UInt64(v[n - 1])
            var rest = top % UInt64(v[n - 1])
            while guess >= 1 << 32 || guess * UInt64(v[n - 2]) > rest << 32 | UInt64(u[j + n - 2]) {
                guess -= 1
                rest += UInt64(v[n - 1])
                if rest >= 1 << 32 { break }
            }
            var borrow: Int64 = 0
            var carry: UInt64 = 0
            for i in 0..<n {
                let p = guess * UInt64(v[i]) + carry
                carry = p >> 32
                let t = Int64(u[i + j]) - borrow - Int64(p & 0xFFFF_FFFF)
                u[i + j] = UInt32(truncatingIfNeeded: t)
                borrow = t < 0 ? 1 : 0
            }
            let t = Int64(u[j + n]) - borrow - Int64(carry)
            u[j + n] = UInt32(truncatingIfNeeded: t)
            if t < 0 {
                guess -= 1
                var add: UInt64 = 0
                for i in 0..<n {
                    let s = UInt64(u[i + j]) + UInt64(v[i]) + add
                    u[i + j] = UInt32(truncatingIfNeeded: s)
                    add = s >> 32
                }
                u[j + n] = u[j + n] &+ UInt32(add)
            }
            q[j] = UInt32(guess)
        }
        let rest = BigInt(negative: false, digits: Array(u[0..<n])).shifted(left: -shift)
        return (q, rest.digits)
    }

    static func divide(_ a: [UInt32], by divisor: UInt32) -> ([UInt32], UInt32) {
        var out = a
        var rest: UInt64 = 0
        for i in a.indices.reversed() {
            let t = rest << 32 | UInt64(a[i])
            out[i] = UInt32(t / UInt64(divisor))
            rest = t % UInt64(divisor)
        }
        return (out, UInt32(rest))
    }
}

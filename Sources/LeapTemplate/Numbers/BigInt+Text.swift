extension BigInt {
    /// Reads the digits (0–35, values already checked against `radix`) of a magnitude, most significant first.
    init(negative: Bool, radix: UInt32, digitValues: some Sequence<UInt32>) {
        var digits = [UInt32]()
        // As many digits at a time as fit 32 bits.
        var scale: UInt64 = 1
        var chunk: UInt64 = 0
        func take() {
            var carry = chunk
            for i in digits.indices {
                let t = UInt64(digits[i]) * scale + carry
                digits[i] = UInt32(truncatingIfNeeded: t)
                carry = t >> 32
            }
            if carry > 0 { digits.append(UInt32(carry)) }
            (scale, chunk) = (1, 0)
        }
        for value in digitValues {
            scale *= UInt64(radix)
            chunk = chunk * UInt64(radix) + UInt64(value)
            if scale * UInt64(radix) > UInt64(UInt32.max) { take() }
        }
        if scale > 1 { take() }
        self.init(negative: negative, digits: digits)
    }

    /// The magnitude's digits in `radix` (2–16), lower case, most significant first.
    func digits(radix: UInt32) -> [UInt8] {
        if isZero { return [0x30] }
        // Peel off as many digits at a time as fit 32 bits.
        var chunk = radix
        var perChunk = 1
        while chunk <= UInt32.max / radix {
            chunk *= radix
            perChunk += 1
        }
        var rest = digits
        var out = [UInt8]()
        while !rest.isEmpty {
            let (q, r) = Self.divide(rest, by: chunk)
            rest = BigInt(negative: false, digits: q).digits
            var value = r
            for _ in 0..<perChunk {
                if rest.isEmpty, value == 0 { break }
                let d = UInt8(value % radix)
                out.append(d < 10 ? 0x30 + d : 0x57 + d)
                value /= radix
            }
        }
        return out.reversed()
    }

    /// 10 to the power of `exponent`.
    static func powerOfTen(_ exponent: Int) -> BigInt {
        BigInt(10).power(exponent)
    }

    /// `self` to a non-negative power.
    func power(_ exponent: Int) -> BigInt {
        var result = BigInt(1)
        var base = self
        var rest = exponent
        while rest > 0 {
            if rest & 1 == 1 { result = result * base }
            rest >>= 1
            if rest > 0 { base = base * base }
        }
        return result
    }
}

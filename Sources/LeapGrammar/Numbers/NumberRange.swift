package import LeapJSON

/// A conjunction of limits on a number: an interval, multiples and non-multiples.
///
/// Exact on decimals.
struct NumberRange: Hashable, Sendable {
    struct Bound: Hashable, Sendable {
        var value: ExactDecimal
        var isExclusive: Bool
    }

    var lower: Bound?
    var upper: Bound?
    /// The number is a multiple of each of these (positive).
    var multiples: [ExactDecimal] = []
    /// The number is a multiple of none of these.
    var nonMultiples: [ExactDecimal] = []
    /// Draft 4: `1.0` is not an integer, so no fraction may be written.
    var isIntegerSpelled = false
    /// Only the spellings that every reader takes as meant; see ``GrammarOptions/NumberSpelling/plain``.
    var isPlain = false
    /// Draft 4: what is spelled with a fraction or an exponent, whatever its value.
    var isFractionSpelled = false

    static let any = NumberRange()
    static let integer = NumberRange(multiples: [ExactDecimal(1)])

    static func point(_ value: ExactDecimal) -> NumberRange {
        NumberRange(lower: Bound(value: value, isExclusive: false), upper: Bound(value: value, isExclusive: false))
    }

    var isInteger: Bool { multiples.contains { $0.isInteger } }

    /// The largest integer up to which a `Double` tells all integers apart.
    private static let exactLimit = ExactDecimal(1 << 53 - 1)
    /// Remainders beyond which counting digits as well would take too many states.
    private static let remainderLimit = ExactDecimal(1_500)

    /// The range in plain spelling: integers lie within what a `Double` holds exactly, unless the schema's own bounds
    /// or multiples lie beyond.
    var plain: NumberRange {
        var result = self
        result.isPlain = true
        guard isInteger, multiples.allSatisfy({ $0 < Self.remainderLimit }) else { return result }
        let limits = NumberRange(
            lower: lower == nil ? Bound(value: Self.exactLimit.negated, isExclusive: false) : nil,
            upper: upper == nil ? Bound(value: Self.exactLimit, isExclusive: false) : nil)
        return result.intersection(limits) ?? result
    }

    func contains(_ value: ExactDecimal) -> Bool {
        if let lower, value < lower.value || lower.isExclusive && value == lower.value { return false }
        if let upper, upper.value < value || upper.isExclusive && value == upper.value { return false }
        return multiples.allSatisfy { value.isMultiple(of: $0) } && !nonMultiples.contains { value.isMultiple(of: $0) }
    }

    func intersection(_ other: NumberRange) -> NumberRange? {
        var result = self
        if let bound = other.lower {
            if let mine = lower {
                if mine.value < bound.value || mine.value == bound.value && bound.isExclusive { result.lower = bound }
            } else {
                result.lower = bound
            }
        }
        if let bound = other.upper {
            if let mine = upper {
                if bound.value < mine.value || mine.value == bound.value && bound.isExclusive { result.upper = bound }
            } else {
                result.upper = bound
            }
        }
        for value in other.multiples where !result.multiples.contains(value) { result.multiples.append(value) }
        for value in other.nonMultiples where !result.nonMultiples.contains(value) { result.nonMultiples.append(value) }
        // A multiple of a multiple says nothing new.
        result.multiples = result.multiples.filter { value in
            !result.multiples.contains { $0 != value && $0.isMultiple(of: value) }
        }
        result.multiples.sort()
        result.nonMultiples.sort()
        result.isIntegerSpelled = isIntegerSpelled || other.isIntegerSpelled
        result.isPlain = isPlain || other.isPlain
        result.isFractionSpelled = isFractionSpelled || other.isFractionSpelled
        return result.isObviouslyEmpty ? nil : result
    }

    var isObviouslyEmpty: Bool {
        if isIntegerSpelled, isFractionSpelled { return true }
        if let lower, let upper {
            if upper.value < lower.value { return true }
            if upper.value == lower.value {
                return lower.isExclusive || upper.isExclusive || !contains(lower.value)
            }
        }
        return multiples.contains { value in nonMultiples.contains { value.isMultiple(of: $0) } }
    }

    /// The ranges that together hold exactly the numbers outside this one; they may overlap.
    var complement: [NumberRange] {
        var result: [NumberRange] = []
        if let lower { result.append(NumberRange(upper: Bound(value: lower.value, isExclusive: !lower.isExclusive))) }
        if let upper { result.append(NumberRange(lower: Bound(value: upper.value, isExclusive: !upper.isExclusive))) }
        for value in multiples { result.append(NumberRange(nonMultiples: [value])) }
        for value in nonMultiples { result.append(NumberRange(multiples: [value])) }
        if isIntegerSpelled { result.append(NumberRange(isFractionSpelled: true)) }
        if isFractionSpelled { result.append(NumberRange(isIntegerSpelled: true)) }
        return result
    }
}

extension ExactDecimal {
    /// The value as `mantissa × 10^-scale` with a mantissa that fits 63 bits.
    package func scaled() -> (mantissa: Int, scale: Int)? {
        let scale = max(0, digits.count - point)
        var mantissa = 0
        for index in 0..<max(point + scale, 0) {
            let (product, overflow) = mantissa.multipliedReportingOverflow(by: 10)
            let (sum, overflow2) = product.addingReportingOverflow(Int(index < digits.count ? digits[index] : 0))
            if overflow || overflow2 { return nil }
            mantissa = sum
        }
        return (isNegative ? -mantissa : mantissa, scale)
    }

    /// Returns true if the value is an integer times `divisor`, computed digit by digit.
    package func isMultiple(of divisor: ExactDecimal) -> Bool {
        if isZero { return true }
        guard let (modulus, scale) = divisor.scaled(), modulus != 0 else { return self == divisor }
        // value × 10^scale must be an integer that is divisible by the modulus.
        let end = point + scale
        if digits.count > end { return false }
        var remainder = 0
        for index in 0..<end {
            let digit = index < digits.count ? Int(digits[index]) : 0
            remainder = Self.step(remainder, digit, modulus: Int(modulus.magnitude))
        }
        return remainder == 0
    }

    /// `(remainder × 10 + digit) mod modulus` without overflow.
    static func step(_ remainder: Int, _ digit: Int, modulus: Int) -> Int {
        let wide = UInt(remainder).multipliedFullWidth(by: 10)
        let (low, carry) = wide.low.addingReportingOverflow(UInt(digit))
        return Int(UInt(modulus).dividingFullWidth((wide.high + (carry ? 1 : 0), low)).remainder)
    }
}

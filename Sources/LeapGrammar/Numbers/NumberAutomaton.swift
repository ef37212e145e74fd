import LeapJSON

/// The spellings of the numbers of a ``NumberRange``, as a deterministic automaton over bytes.
///
/// Plain decimals are compared with the bounds digit by digit. Numbers with an exponent are admitted in normal form
/// (one digit before the point) where there are bounds, in any form where there are none, and never for multiples; the
/// exponent stays within what a `Double` has, so that every reader can read the number.
/// States are made when first reached; which of them can still end is found by a search over all of them, except in the
/// exponent, where the admissible exponents are an interval.
struct NumberAutomaton: Sendable {
    static let dead: Int32 = -1
    /// 18 digits: so many fit 64 bits with room for one more.
    private static let largestModulus = 1_000_000_000_000_000_000

    /// The comparison of the digits read so far with one bound's magnitude.
    private struct Comparison: Hashable {
        /// −1, 0, 1: the digits read against the bound's digits, aligned at the point.
        var fixed: Int8 = 0
        /// The comparison with the bound's digits aligned at its first nonzero digit (for exponents).
        var mantissa: Int8 = 0
    }

    private enum Phase: UInt8 { case start, sign, zero, whole, point, fraction, e, eSign, eDigits }

    private struct State: Hashable {
        var phase: Phase
        var isNegative = false
        /// Whole digits read, saturating above what the bounds need.
        var wholeCount: Int32 = 0
        /// Fraction digits read, saturating.
        var fractionCount: Int32 = 0
        var lower = Comparison()
        var upper = Comparison()
        var remainders: [Int] = []
        /// Per modulus: a nonzero digit stands beyond its scale.
        var inexact: UInt32 = 0
        /// The value is zero so far.
        var isZero = true
        /// The digit before the point is 0, so no exponent may follow where there are bounds.
        var beginsWithZero = false
        /// In the exponent: its admissible interval; after the sign, for each number k of digits still to come, which
        /// values of those digits are admissible (pairs of ends, empty as 1, 0).
        var exponents: [Int32]?
    }

    private struct Magnitude {
        var whole: [UInt8]
        var fraction: [UInt8]
        var digits: [UInt8]
        var point: Int
        var isExclusive: Bool

        init(_ bound: NumberRange.Bound) {
            (whole, fraction) = bound.value.fixed
            digits = bound.value.digits
            point = bound.value.point
            isExclusive = bound.isExclusive
        }
    }

    let range: NumberRange
    private let modulus: [(value: Int, scale: Int)]
    private let multipleCount: Int
    private let lowerBounds: [Bool: Magnitude]
    private let upperBounds: [Bool: Magnitude]
    private let signs: [Bool: Bool]
    private let wholeLimit: Int32
    private let fractionLimit: Int32
    private var states: [State] = []
    private var ids: [State: Int32] = [:]
    private var edges: [Int32: [Int32]] = [:]
    private var costs: [Int32] = []

    /// - Throws: ``GrammarError`` where a multiple has too many digits or the automaton would be too large.
    init(_ range: NumberRange) throws(GrammarError) {
        self.range = range
        var modulus: [(Int, Int)] = []
        for value in range.multiples + range.nonMultiples {
            guard let (mantissa, scale) = value.scaled(), mantissa > 0, mantissa <= Self.largestModulus, scale <= 30
            else {
                throw GrammarError(.unsupported, "multipleOf has more than 18 digits, or more than 30 after the point")
            }
            modulus.append((mantissa, scale))
        }
        if modulus.count > 32 { throw GrammarError(.tooComplex, "more than 32 multiples on one number") }
        for bound in [range.lower, range.upper] where abs(bound?.value.point ?? 0) > 1_000 {
            throw GrammarError(.unsupported, "a bound beyond 10^±1000")
        }
        self.modulus = modulus
        multipleCount = range.multiples.count
        // For negative numbers the bounds on the magnitude swap.
        var lowers: [Bool: Magnitude] = [:]
        var uppers: [Bool: Magnitude] = [:]
        var signs = [false: true, true: true]
        func limit(_ bound: NumberRange.Bound, isLower: Bool) {
            for negative in [false, true] {
                var value = bound.value
                if negative { value = value.negated }
                let limitsBelow = isLower != negative
                if value.isNegative {
                    // magnitude ≥ a negative number: always; magnitude ≤ a negative number: never.
                    if !limitsBelow { signs[negative] = false }
                    continue
                }
                if !limitsBelow, value.isZero, bound.isExclusive { signs[negative] = false }
                let magnitude = Magnitude(NumberRange.Bound(value: value, isExclusive: bound.isExclusive))
                if limitsBelow {
                    if !value.isZero || bound.isExclusive { lowers[negative] = magnitude }
                } else {
                    uppers[negative] = magnitude
                }
            }
        }
        if let bound = range.lower { limit(bound, isLower: true) }
        if let bound = range.upper { limit(bound, isLower: false) }
        lowerBounds = lowers
        upperBounds = uppers
        self.signs = signs
        let all = Array(lowers.values) + Array(uppers.values)
        wholeLimit = Int32((all.map(\.whole.count).max() ?? 0) + 1)
        let scales = modulus.map(\.1)
        fractionLimit = Int32(
            max(all.map { max($0.fraction.count, $0.digits.count) }.max() ?? 0, scales.max() ?? 0) + 1)
        _ = intern(State(phase: .start, remainders: [Int](repeating: 0, count: modulus.count)))
        try explore()
    }

    /// The automaton of a range; those that most schemas use are made once.
    static func of(_ range: NumberRange) throws(GrammarError) -> NumberAutomaton {
        if let known = common[range] { return known }
        return try NumberAutomaton(range)
    }

    private static let common: [NumberRange: NumberAutomaton] = {
        var result: [NumberRange: NumberAutomaton] = [:]
        let fromZero = NumberRange(lower: .init(value: .zero, isExclusive: false))
        for range in [.any, .integer, fromZero, fromZero.intersection(.integer) ?? .integer] {
            for range in [range, range.plain] { result[range] = try? NumberAutomaton(range) }
        }
        return result
    }()

    /// Returns the least number of values of the numbers that go on from a state; at most `limit`.
    ///
    /// Zeros at the end of a fraction make no other value, and numbers with an exponent are not counted.
    func valueCount(from start: Int32, limit: Int32) -> Int32 {
        /// Ways to be in a state, by whether the last digit says nothing new.
        var ways: [Int32: (fresh: Int32, stale: Int32)] = [start: (1, 0)]
        var count: Int32 = isAccepting(start) ? 1 : 0
        for _ in 0..<48 where count < limit {
            var next: [Int32: (fresh: Int32, stale: Int32)] = [:]
            for (state, number) in ways {
                let isFraction = states[Int(state)].phase == .point || states[Int(state)].phase == .fraction
                for byte in UInt8(ascii: "-")...UInt8(ascii: "9") where byte != UInt8(ascii: "/") {
                    let target = self.next(state, byte)
                    guard target >= 0 else { continue }
                    let all = min(number.fresh + number.stale, limit)
                    let isStale = byte == UInt8(ascii: ".") || isFraction && byte == UInt8(ascii: "0")
                    var sum = next[target] ?? (0, 0)
                    if isStale {
                        sum.stale = min(sum.stale + all, limit)
                    } else {
                        sum.fresh = min(sum.fresh + all, limit)
                    }
                    next[target] = sum
                    if !isStale, isPlainEnd(target) { count = min(count + all, limit) }
                }
            }
            if next.count > 4_096 { break }
            ways = next
        }
        return count
    }

    /// True if a number may end in a state that is none of an exponent.
    private func isPlainEnd(_ state: Int32) -> Bool {
        switch states[Int(state)].phase {
        case .zero, .whole, .fraction: isAccepting(state)
        default: false
        }
    }

    /// The number of states.
    var stateCount: Int { states.count }

    /// True if no number fits.
    var isEmpty: Bool { costs[0] == TermStore.unreachable }

    func cost(_ state: Int32) -> Int32 { costs[Int(state)] }

    func isAccepting(_ state: Int32) -> Bool { accepts(states[Int(state)]) }

    func next(_ state: Int32, _ byte: UInt8) -> Int32 {
        guard let row = edges[state], let column = Self.column(byte) else { return Self.dead }
        let target = row[column]
        return target >= 0 && costs[Int(target)] != TermStore.unreachable ? target : Self.dead
    }

    private static let alphabet = Array("0123456789-+.eE".utf8)

    private static func column(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "-"): 10
        case UInt8(ascii: "+"): 11
        case UInt8(ascii: "."): 12
        case UInt8(ascii: "e"): 13
        case UInt8(ascii: "E"): 14
        default: nil
        }
    }

    private mutating func intern(_ state: State) -> Int32 {
        if let id = ids[state] { return id }
        let id = Int32(states.count)
        states.append(state)
        ids[state] = id
        return id
    }

    private mutating func explore() throws(GrammarError) {
        var next = 0
        var reverse: [[Int32]] = [[]]
        var classes = modulus.map { RemainderClasses(modulus: $0.value) }
        while next < states.count {
            guard states.count < 60_000 else {
                throw GrammarError(.tooComplex, "the bounds and multiples of a number need more than 60,000 states")
            }
            let state = states[next]
            var row = [Int32](repeating: Self.dead, count: 15)
            for (column, byte) in Self.alphabet.enumerated() {
                if var target = step(state, byte) {
                    for index in modulus.indices {
                        target.remainders[index] = classes[index].representative(of: target.remainders[index])
                    }
                    let id = intern(target)
                    row[column] = id
                    if reverse.count < states.count { reverse.append([]) }
                    reverse[Int(id)].append(Int32(next))
                }
            }
            edges[Int32(next)] = row
            next += 1
        }
        costs = [Int32](repeating: TermStore.unreachable, count: states.count)
        var frontier = states.indices.filter { accepts(states[$0]) }.map { Int32($0) }
        var distance: Int32 = 0
        for id in frontier { costs[Int(id)] = 0 }
        while !frontier.isEmpty {
            distance += 1
            var following: [Int32] = []
            for id in frontier {
                for source in reverse[Int(id)] where costs[Int(source)] == TermStore.unreachable {
                    costs[Int(source)] = distance
                    following.append(source)
                }
            }
            frontier = following
        }
        ids = [:]
    }

    // MARK: Steps

    /// True if no fraction may be written.
    private var isWholeSpelled: Bool {
        range.isIntegerSpelled || range.isPlain && range.isInteger && !range.isFractionSpelled
    }

    private func step(_ state: State, _ byte: UInt8) -> State? {
        var next = state
        switch byte {
        case UInt8(ascii: "-"):
            switch state.phase {
            case .start:
                guard signs[true] == true else { return nil }
                next.phase = .sign
                next.isNegative = true
            case .e:
                return exponentSign(state, isNegative: true)
            default: return nil
            }
        case UInt8(ascii: "+"):
            guard state.phase == .e else { return nil }
            return exponentSign(state, isNegative: false)
        case UInt8(ascii: "."):
            guard state.phase == .zero || state.phase == .whole, !isWholeSpelled else { return nil }
            next.phase = .point
            closeWhole(&next)
        case UInt8(ascii: "e"), UInt8(ascii: "E"):
            return exponentStart(state)
        default:
            return digit(state, byte - UInt8(ascii: "0"))
        }
        return next
    }

    private func digit(_ state: State, _ digit: UInt8) -> State? {
        var next = state
        switch state.phase {
        case .start, .sign:
            if state.phase == .start, signs[false] != true { return nil }
            next.phase = digit == 0 ? .zero : .whole
            next.beginsWithZero = digit == 0 && isBounded
            readWhole(&next, digit)
        case .zero: return nil
        case .whole: readWhole(&next, digit)
        case .point, .fraction:
            next.phase = .fraction
            readFraction(&next, digit)
            // Of integers only the fraction `.0` is written.
            if range.isInteger, state.phase == .fraction || digit != 0 { return nil }
        case .e, .eSign, .eDigits:
            return exponentDigit(state, digit)
        }
        return next
    }

    private func compare(_ comparison: inout Comparison, _ digit: UInt8, _ bound: [UInt8], _ index: Int) {
        guard comparison.fixed == 0 else { return }
        let other = index < bound.count ? bound[index] : 0
        if digit != other { comparison.fixed = digit < other ? -1 : 1 }
    }

    private func compareMantissa(_ comparison: inout Comparison, _ digit: UInt8, _ bound: [UInt8], _ index: Int) {
        guard comparison.mantissa == 0 else { return }
        let other = index < bound.count ? bound[index] : 0
        if digit != other { comparison.mantissa = digit < other ? -1 : 1 }
    }

    private func readWhole(_ state: inout State, _ digit: UInt8) {
        let index = Int(state.wholeCount)
        if digit != 0 { state.isZero = false }
        if let bound = lowerBounds[state.isNegative] {
            compare(&state.lower, digit, bound.whole, index)
            if index == 0 { compareMantissa(&state.lower, digit, bound.digits, 0) }
        }
        if let bound = upperBounds[state.isNegative] {
            compare(&state.upper, digit, bound.whole, index)
            if index == 0 { compareMantissa(&state.upper, digit, bound.digits, 0) }
        }
        if state.wholeCount < wholeLimit { state.wholeCount += 1 }
        if state.wholeCount == wholeLimit {
            // Longer than every bound's whole part: what the digits were no longer matters.
            if lowerBounds[state.isNegative] != nil { state.lower = Comparison(fixed: 1, mantissa: 0) }
            if upperBounds[state.isNegative] != nil { state.upper = Comparison(fixed: 1, mantissa: 0) }
        }
        for index in modulus.indices {
            state.remainders[index] = ExactDecimal.step(
                state.remainders[index], Int(digit), modulus: modulus[index].value)
        }
    }

    /// At the end of the whole digits their count decides before the digits themselves.
    private func closeWhole(_ state: inout State) {
        if let bound = lowerBounds[state.isNegative] { settle(&state.lower, state, bound) }
        if let bound = upperBounds[state.isNegative] { settle(&state.upper, state, bound) }
    }

    private func settle(_ comparison: inout Comparison, _ state: State, _ bound: Magnitude) {
        if Int(state.wholeCount) < bound.whole.count { comparison.fixed = -1 }
        if Int(state.wholeCount) > bound.whole.count { comparison.fixed = 1 }
    }

    private func readFraction(_ state: inout State, _ digit: UInt8) {
        let index = Int(state.fractionCount)
        if digit != 0 { state.isZero = false }
        if let bound = lowerBounds[state.isNegative] {
            compare(&state.lower, digit, bound.fraction, index)
            if state.wholeCount == 1 { compareMantissa(&state.lower, digit, bound.digits, index + 1) }
        }
        if let bound = upperBounds[state.isNegative] {
            compare(&state.upper, digit, bound.fraction, index)
            if state.wholeCount == 1 { compareMantissa(&state.upper, digit, bound.digits, index + 1) }
        }
        for position in modulus.indices {
            if index < modulus[position].scale {
                state.remainders[position] = ExactDecimal.step(
                    state.remainders[position], Int(digit), modulus: modulus[position].value)
            } else if digit != 0 {
                state.inexact |= 1 << UInt32(position)
            }
        }
        if state.fractionCount < fractionLimit { state.fractionCount += 1 }
    }

    private func accepts(_ state: State) -> Bool {
        switch state.phase {
        case .start, .sign, .point, .e, .eSign: return false
        case .eDigits: return state.exponents.map { $0[0] <= $0[1] } ?? true
        case .zero, .whole: if range.isFractionSpelled { return false }
        case .fraction: break
        }
        if range.isPlain, state.isNegative, state.isZero { return false }
        var closed = state
        if state.phase != .fraction { closeWhole(&closed) }
        if let bound = lowerBounds[state.isNegative] {
            var order = closed.lower.fixed
            if order == 0, bound.fraction.count > Int(closed.fractionCount) { order = -1 }
            if order < 0 || order == 0 && bound.isExclusive { return false }
        }
        if let bound = upperBounds[state.isNegative] {
            var order = closed.upper.fixed
            if order == 0, bound.fraction.count > Int(closed.fractionCount) { order = -1 }
            if order > 0 || order == 0 && bound.isExclusive { return false }
        }
        for index in modulus.indices {
            var remainder = closed.remainders[index]
            var missing = modulus[index].scale - Int(closed.fractionCount)
            while missing > 0 {
                remainder = ExactDecimal.step(remainder, 0, modulus: modulus[index].value)
                missing -= 1
            }
            let isMultiple = remainder == 0 && closed.inexact & 1 << UInt32(index) == 0
            if isMultiple != (index < multipleCount) { return false }
        }
        return true
    }

    // MARK: Exponents

    private static let leastExponent: Int32 = -324
    private static let greatestExponent: Int32 = 308

    private var isBounded: Bool { range.lower != nil || range.upper != nil }

    private func exponentStart(_ state: State) -> State? {
        guard modulus.isEmpty, !range.isIntegerSpelled,
            state.phase == .zero || state.phase == .whole || state.phase == .fraction
        else { return nil }
        var next = State(phase: .e, isNegative: state.isNegative)
        guard isBounded else {
            next.exponents = [Self.leastExponent, Self.greatestExponent]
            return next
        }
        // Normal form only: one nonzero digit before the point.
        guard state.wholeCount == 1, !state.beginsWithZero, !state.isZero else { return nil }
        var closed = state
        if state.wholeCount == wholeLimit { return nil }
        func finish(_ comparison: inout Comparison, _ bound: Magnitude?) {
            guard let bound else { return comparison = Comparison() }
            // Digits of the bound that were not reached are above zero, by construction.
            if comparison.mantissa == 0, bound.digits.count > 1 + Int(state.fractionCount) { comparison.mantissa = -1 }
            if bound.digits.isEmpty { comparison.mantissa = 1 }
            comparison.fixed = 0
        }
        finish(&closed.lower, lowerBounds[state.isNegative])
        finish(&closed.upper, upperBounds[state.isNegative])
        guard let range = exponents(closed) else { return nil }
        next.exponents = [Int32(range.lowerBound), Int32(range.upperBound)]
        next.isZero = false
        return next
    }

    /// The interval of exponents with which the mantissa read lies within the bounds.
    private func exponents(_ state: State) -> ClosedRange<Int>? {
        var low = Int(Self.leastExponent)
        var high = Int(Self.greatestExponent)
        if let bound = lowerBounds[state.isNegative], !bound.digits.isEmpty {
            let meets = state.lower.mantissa > 0 || state.lower.mantissa == 0 && !bound.isExclusive
            low = max(low, bound.point - 1 + (meets ? 0 : 1))
        }
        if let bound = upperBounds[state.isNegative] {
            if bound.digits.isEmpty { return nil }
            let meets = state.upper.mantissa < 0 || state.upper.mantissa == 0 && !bound.isExclusive
            high = min(high, bound.point - 1 - (meets ? 0 : 1))
        }
        return low <= high ? low...high : nil
    }

    private func exponentSign(_ state: State, isNegative: Bool) -> State? {
        var next = state
        next.phase = .eSign
        guard let interval = state.exponents else { return next }
        let (low, high) = isNegative ? (-interval[1], -interval[0]) : (interval[0], interval[1])
        var spans: [Int32] = [1, 0]
        var power: Int32 = 1
        for _ in 1...3 {
            power *= 10
            spans += Self.clip(low, high, power)
        }
        next.exponents = spans
        return Self.isPossible(spans) ? next : nil
    }

    private func exponentDigit(_ state: State, _ digit: UInt8) -> State? {
        guard state.phase != .e else {
            return exponentSign(state, isNegative: false).flatMap { exponentDigit($0, digit) }
        }
        var next = state
        next.phase = .eDigits
        guard let spans = state.exponents else { return next }
        var narrowed: [Int32] = []
        var power: Int32 = 1
        for index in 1..<max(spans.count / 2, 1) {
            let shift = Int32(digit) * power
            narrowed += Self.clip(spans[2 * index] - shift, spans[2 * index + 1] - shift, power)
            power *= 10
        }
        next.exponents = narrowed
        return Self.isPossible(narrowed) ? next : nil
    }

    private static func clip(_ low: Int32, _ high: Int32, _ power: Int32) -> [Int32] {
        let (from, to) = (max(low, 0), min(high, power - 1))
        return from <= to ? [from, to] : [1, 0]
    }

    private static func isPossible(_ spans: [Int32]) -> Bool {
        stride(from: 0, to: spans.count, by: 2).contains { spans[$0] <= spans[$0 + 1] }
    }
}

/// Remainders that no further digits tell apart.
///
/// For multiples of 1,000,000 there are seven (so many zeros at the end), not a million.
private struct RemainderClasses {
    let modulus: Int
    private var representatives: [[Int]: Int] = [:]

    init(modulus: Int) { self.modulus = modulus }

    /// The first remainder met of the same class.
    mutating func representative(of remainder: Int) -> Int {
        // For each number of digits: which digits make a multiple, if any.
        var signature: [Int] = []
        var rest = remainder
        var power = 1
        while true {
            let missing = rest == 0 ? 0 : modulus - rest
            signature.append(missing < power ? missing : -1)
            if power >= modulus { break }
            rest = ExactDecimal.step(rest, 0, modulus: modulus)
            power *= 10
        }
        if let known = representatives[signature] { return known }
        representatives[signature] = remainder
        return remainder
    }
}

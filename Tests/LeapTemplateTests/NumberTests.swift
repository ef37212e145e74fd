import LeapTestSupport
import Testing

@testable import LeapTemplate

/// Big integers and the text of numbers.
struct NumberTests {
    @Test("Big integers divide and multiply consistently", arguments: 0..<20)
    func division(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let a = Self.random(&random)
            let b = Self.random(&random)
            #expect((a + b) - b == a, "seed \(seed)")
            #expect(a * b == b * a, "seed \(seed)")
            guard !b.isZero else { continue }
            let (quotient, remainder) = a.floorDivided(by: b)
            #expect(quotient * b + remainder == a, "seed \(seed)")
            #expect(remainder.isZero || remainder.isNegative == b.isNegative, "seed \(seed)")
            #expect(remainder.magnitude < b.magnitude, "seed \(seed)")
            let text = Text(a.magnitude.digits(radix: 10))
            let read = try NumberParsing.integer(text, base: 10, nil)
            #expect(
                read.flatMap { Comparison.numericOrder($0, Value(a.magnitude)) } == 0, "seed \(seed): \(text.string)")
            #expect(a.shifted(left: 77).shifted(left: -77) == a, "seed \(seed)")
        }
    }

    @Test("Integers that fit a word behave like words")
    func words() {
        let edges = [0, 1, -1, 2, -2, 7, -7, Int.max, Int.min, Int.max - 1, Int.min + 1, 1 << 32, -(1 << 32), 1 << 62]
        for a in edges {
            #expect(BigInt(a).asInt == a)
            for b in edges {
                let (sum, overflow) = a.addingReportingOverflow(b)
                #expect((BigInt(a) + BigInt(b)).asInt == (overflow ? nil : sum))
                let (product, overflows) = a.multipliedReportingOverflow(by: b)
                #expect((BigInt(a) * BigInt(b)).asInt == (overflows ? nil : product))
                #expect((BigInt(a) < BigInt(b)) == (a < b))
            }
        }
    }

    @Test("Doubles survive their shortest text", arguments: 0..<10)
    func shortest(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let value = Double(bitPattern: UInt64.random(in: .min ... .max, using: &random))
            guard value.isFinite else { continue }
            let text = Text(FloatText.repr(value))
            #expect(NumberParsing.float(text) == value, "seed \(seed): \(text.string)")
            #expect(BigInt(truncating: value).asDouble == value.rounded(.towardZero), "seed \(seed): \(value)")
        }
    }

    private static func random(_ random: inout SeededGenerator) -> BigInt {
        let count = Int.random(in: 0...6, using: &random)
        let digits = (0..<count).map { _ in
            Bool.random(using: &random)
                ? UInt32.random(in: .min ... .max, using: &random) : [0, 1, .max].randomElement(using: &random) ?? 0
        }
        return BigInt(negative: Bool.random(using: &random), digits: digits)
    }
}

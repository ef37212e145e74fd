import Foundation
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Drawing tokens: each step against a plain computation over the whole vocabulary.
@Suite(.inTurns)
struct SamplerTests {
    /// Logits that look like a model's: few high ones, many low ones, some equal.
    private func logits(_ count: Int, seed: UInt64) -> [Float] {
        var random = RandomGenerator(seed: seed)
        return (0..<count).map { _ in
            let u = Float(random.nextUnit())
            return (u * u * u * 24 - 8).rounded(.toNearestOrEven) + Float(random.next() % 4) * 0.25
        }
    }

    private func sample(_ sampler: inout Sampler, _ logits: [Float], allowed: TokenMask? = nil) -> TokenID? {
        var copy = logits
        return copy.withUnsafeMutableBufferPointer { sampler.sample(logits: $0, allowed: allowed) }
    }

    /// The probabilities that llama.cpp's chain of samplers gives, computed by sorting everything.
    private func expected(_ logits: [Float], _ values: SamplingValues, allowed: TokenMask? = nil) -> [TokenID: Double] {
        let (topK, topP) = (Int(values.value(of: .topK)), values.value(of: .topP))
        var rest: [(token: TokenID, logit: Double)] = []
        for (index, logit) in logits.enumerated() where allowed?[TokenID(index)] ?? true {
            rest.append((TokenID(index), Double(logit)))
        }
        rest.sort { $0.logit > $1.logit || ($0.logit == $1.logit && $0.token < $1.token) }
        if topK > 0 { rest = Array(rest.prefix(topK)) }
        let top = rest[0].logit
        if topP < 1 {
            let sum = rest.reduce(0) { $0 + exp($1.logit - top) }
            var cumulative = 0.0
            let end = rest.firstIndex { (entry: (token: TokenID, logit: Double)) -> Bool in
                cumulative += exp(entry.logit - top) / sum
                return cumulative >= topP
            }
            rest = Array(rest.prefix((end ?? rest.count - 1) + 1))
        }
        let least = values.value(of: .minP) * (1 - 1e-6)
        rest = rest.filter { exp($0.logit - top) >= least }
        let temperature = values.value(of: .temperature)
        let weights: [Double] = rest.map { exp(($0.logit - top) / temperature) }
        let sum = weights.reduce(0, +)
        var result: [TokenID: Double] = [:]
        for (entry, weight) in zip(rest, weights) { result[entry.token] = weight / sum }
        return result
    }

    @Test(
        "Draws follow the probabilities of the chain",
        arguments: TestLevel.cases(
            [
                (40, 0.95, 0.05, 0.8), (0, 0.9, 0, 1), (0, 1, 0.1, 1.5), (0, 1, 0, 1), (5, 1, 0, 0.7),
                (1000, 0.5, 0, 1), (3, 0.4, 0.5, 2),
            ] as [(Double, Double, Double, Double)], standard: 3))
    func drawsFollowProbabilitiesChain(topK: Double, topP: Double, minP: Double, temperature: Double) {
        var values: SamplingValues = [.topK: topK, .topP: topP, .minP: minP, .temperature: temperature]
        values.seed = 5
        var sampler = Sampler(values)
        let logits = logits(333, seed: 3)
        let expected = expected(logits, values)
        var counts: [TokenID: Int] = [:]
        let draws = 3000
        for _ in 0..<draws {
            if let token = sample(&sampler, logits) { counts[token, default: 0] += 1 }
        }
        #expect(Set(counts.keys).isSubset(of: expected.keys))
        for (token, probability) in expected {
            let deviation = (probability * (1 - probability) / Double(draws)).squareRoot()
            let seen = Double(counts[token] ?? 0) / Double(draws)
            #expect(abs(seen - probability) <= 6 * deviation + 1e-4, "token \(token)")
        }
    }

    @Test("The same seed draws the same tokens, another seed others")
    func sameSeedDrawsSame() {
        var values = SamplingValues()
        let logits = logits(1024, seed: 8)
        func draw(_ seed: UInt64) -> [TokenID?] {
            values.seed = seed
            var sampler = Sampler(values)
            return (0..<24).map { _ in sample(&sampler, logits) }
        }
        #expect(draw(1) == draw(1))
        #expect(draw(1) != draw(2))
    }

    @Test("The generator gives the numbers of its definition")
    func generatorGivesNumbersDefinition() {
        // From the reference C code of xoshiro256++ and SplitMix64 with seed 42.
        var random = RandomGenerator(seed: 42)
        #expect(random.next() == 0xd076_4d4f_4476_689f)
        #expect(random.next() == 0x519e_4174_576f_3791)
    }

    @Test("Temperature zero takes the first of the most likely")
    func temperatureZeroTakesFirst() {
        var sampler = Sampler(.greedy)
        #expect(sample(&sampler, [0, 3, 1, 3, 2]) == 1)
        #expect(sample(&sampler, [Float](repeating: -1, count: 200)) == 0)
    }

    @Test("Only allowed tokens are drawn", arguments: [63, 64, 65, 1000])
    func onlyAllowedTokensDrawn(count: Int) {
        var mask = TokenMask(count: count, allowed: false)
        for id in stride(from: 1, to: count, by: 7) { mask[TokenID(id)] = true }
        let logits = logits(count, seed: 12)
        for (topK, topP, minP) in [(40.0, 0.95, 0.0), (0, 0.99, 0), (0, 1, 0.01), (0, 1, 0)] {
            var values: SamplingValues = [.topK: topK, .topP: topP, .minP: minP]
            values.seed = 1
            var sampler = Sampler(values)
            let probabilities = expected(logits, values, allowed: mask)
            for _ in 0..<10 {
                let token = sample(&sampler, logits, allowed: mask)
                #expect(token.map { mask[$0] && probabilities[$0] != nil } == true)
            }
        }
        var greedy = Sampler(.greedy)
        #expect(sample(&greedy, logits, allowed: TokenMask(count: count, allowed: false)) == nil)
    }

    @Test("A repeated token loses logits in either sign, once, while it is in the window")
    func repeatedTokenLosesLogits() {
        var sampler = Sampler([.temperature: 0, .repetitionPenalty: 2, .repetitionWindow: 3])
        sampler.accept(prompt: [9, 0, 0, 1])
        #expect(sample(&sampler, [4, 3, 1.9]) == 0)  // 2, 1.5, 1.9
        #expect(sample(&sampler, [-4, -3, -7]) == 1)  // -8, -6, -7
        sampler.accept(2)
        sampler.accept(2)
        #expect(sample(&sampler, [3.9, 3, 4]) == 0)  // 0 left the window: 3.9, 1.5, 2
    }

    @Test("Logits that are no numbers are never drawn")
    func logitsNoNumbersNever() {
        for (topK, topP, temperature) in [(0.0, 1.0, 1.0), (2, 1, 1), (40, 1, 1), (1, 1, 1), (0, 0.9, 1), (0, 1, 0)] {
            var values: SamplingValues = [.topK: topK, .topP: topP, .temperature: temperature]
            values.seed = 1
            var sampler = Sampler(values)
            for _ in 0..<20 { #expect(sample(&sampler, [.nan, 1, .nan, -.infinity]) == 1) }
            #expect(sample(&sampler, [.nan, .nan]) == nil)
            #expect(sample(&sampler, [-.infinity, -.infinity]) == nil)
            #expect(sample(&sampler, [1, .infinity, .nan]) == nil)
            #expect(sample(&sampler, []) == nil)
        }
    }

    @Test(
        "Only tokens within some standard deviations of the largest logit are drawn",
        arguments: TestLevel.cases([0.5, 1, 2.5] as [Double], standard: 2),
        [(0.0, 1.0), (40, 1), (0, 0.9)])
    func onlyTokensWithinSome(
        deviations: Double, chain: (topK: Double, topP: Double)
    ) {
        let logits = logits(500, seed: 21)
        let mean = logits.reduce(0) { $0 + Double($1) } / 500
        let deviation = (logits.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / 500).squareRoot()
        let lowest = Double(logits.max() ?? 0) - deviations * deviation
        // What the rest of the chain makes of the logits that stay.
        let kept = logits.map { Double($0) >= lowest ? $0 : -1e9 }
        var values: SamplingValues = [.topK: chain.topK, .topP: chain.topP, .minP: 0]
        let expected = expected(kept, values).filter { $0.value > 1e-9 }
        (values[.topNSigma], values.seed) = (deviations, 9)
        var sampler = Sampler(values)
        let drawn = Set((0..<2000).compactMap { _ in sample(&sampler, logits) })
        #expect(drawn.isSubset(of: Set(expected.keys)))
        #expect(drawn.isSuperset(of: expected.filter { $0.value > 0.02 }.keys))
        #expect(expected.count < 500)
    }

    @Test("Each occurrence of a token costs the frequency penalty, the first one the presence penalty too")
    func eachOccurrenceTokenCosts() {
        var sampler = Sampler([.temperature: 0, .frequencyPenalty: 0.5, .presencePenalty: 1, .repetitionWindow: 4])
        sampler.accept(prompt: [0, 0, 0, 1])
        #expect(sample(&sampler, [4, 3.25, 1.6]) == 1)  // 4 - 1.5 - 1, 3.25 - 0.5 - 1, 1.6
        #expect(sample(&sampler, [4, 3, 1.6]) == 2)  // 1.5, 1.5, 1.6
        sampler.accept(2)
        #expect(sample(&sampler, [4, 3, 1.6]) == 0)  // 4 - 1 - 1, 1.5, 0.1
        var encouraged = Sampler([.temperature: 0, .presencePenalty: -2])
        encouraged.accept(1)
        #expect(sample(&encouraged, [1, 0, 0]) == 1)
    }
}

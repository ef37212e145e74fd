import Foundation
import LeapTokenizer
import Testing

@testable import LeapEngine

/// Drawing tokens: each step against a plain computation over the whole vocabulary.
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
    private func expected(_ logits: [Float], _ options: SamplerOptions, allowed: TokenMask? = nil) -> [TokenID: Double]
    {
        var rest: [(token: TokenID, logit: Double)] = []
        for (index, logit) in logits.enumerated() where allowed?[TokenID(index)] ?? true {
            rest.append((TokenID(index), Double(logit)))
        }
        rest.sort { $0.logit > $1.logit || ($0.logit == $1.logit && $0.token < $1.token) }
        if options.topK > 0 { rest = Array(rest.prefix(options.topK)) }
        let top = rest[0].logit
        if options.topP < 1 {
            let sum = rest.reduce(0) { $0 + exp($1.logit - top) }
            var cumulative = 0.0
            let end = rest.firstIndex { (entry: (token: TokenID, logit: Double)) -> Bool in
                cumulative += exp(entry.logit - top) / sum
                return cumulative >= Double(options.topP)
            }
            rest = Array(rest.prefix((end ?? rest.count - 1) + 1))
        }
        let least = Double(options.minP) * (1 - 1e-6)
        rest = rest.filter { exp($0.logit - top) >= least }
        let temperature = Double(options.temperature)
        let weights: [Double] = rest.map { exp(($0.logit - top) / temperature) }
        let sum = weights.reduce(0, +)
        var result: [TokenID: Double] = [:]
        for (entry, weight) in zip(rest, weights) { result[entry.token] = weight / sum }
        return result
    }

    @Test(
        arguments: [
            (40, 0.95, 0.05, 0.8), (0, 0.9, 0, 1), (0, 1, 0.1, 1.5), (0, 1, 0, 1), (5, 1, 0, 0.7), (1000, 0.5, 0, 1),
            (3, 0.4, 0.5, 2),
        ] as [(Int, Float, Float, Float)])
    func `draws follow the probabilities of the chain`(topK: Int, topP: Float, minP: Float, temperature: Float) {
        var options = SamplerOptions()
        (options.topK, options.topP, options.minP, options.temperature) = (topK, topP, minP, temperature)
        options.seed = 5
        var sampler = Sampler(options: options)
        let logits = logits(333, seed: 3)
        let expected = expected(logits, options)
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

    @Test func `the same seed draws the same tokens, another seed others`() {
        var options = SamplerOptions()
        let logits = logits(1024, seed: 8)
        func draw(_ seed: UInt64) -> [TokenID?] {
            options.seed = seed
            var sampler = Sampler(options: options)
            return (0..<24).map { _ in sample(&sampler, logits) }
        }
        #expect(draw(1) == draw(1))
        #expect(draw(1) != draw(2))
    }

    @Test func `the generator gives the numbers of its definition`() {
        // From the reference C code of xoshiro256++ and SplitMix64 with seed 42.
        var random = RandomGenerator(seed: 42)
        #expect(random.next() == 0xd076_4d4f_4476_689f)
        #expect(random.next() == 0x519e_4174_576f_3791)
    }

    @Test func `temperature zero takes the first of the most likely`() {
        var sampler = Sampler(options: .greedy)
        #expect(sample(&sampler, [0, 3, 1, 3, 2]) == 1)
        #expect(sample(&sampler, [Float](repeating: -1, count: 200)) == 0)
    }

    @Test(arguments: [63, 64, 65, 1000])
    func `only allowed tokens are drawn`(count: Int) {
        var mask = TokenMask(count: count, allowed: false)
        for id in stride(from: 1, to: count, by: 7) { mask[TokenID(id)] = true }
        let logits = logits(count, seed: 12)
        for (topK, topP, minP) in [(40, Float(0.95), Float(0)), (0, 0.99, 0), (0, 1, 0.01), (0, 1, 0)] {
            var options = SamplerOptions()
            (options.topK, options.topP, options.minP, options.seed) = (topK, topP, minP, 1)
            var sampler = Sampler(options: options)
            let probabilities = expected(logits, options, allowed: mask)
            for _ in 0..<10 {
                let token = sample(&sampler, logits, allowed: mask)
                #expect(token.map { mask[$0] && probabilities[$0] != nil } == true)
            }
        }
        var greedy = Sampler(options: .greedy)
        #expect(sample(&greedy, logits, allowed: TokenMask(count: count, allowed: false)) == nil)
    }

    @Test func `a repeated token loses logits in either sign, once, while it is in the window`() {
        var options = SamplerOptions.greedy
        options.repetitionPenalty = 2
        options.repetitionWindow = 3
        var sampler = Sampler(options: options)
        sampler.accept(prompt: [9, 0, 0, 1])
        #expect(sample(&sampler, [4, 3, 1.9]) == 0)  // 2, 1.5, 1.9
        #expect(sample(&sampler, [-4, -3, -7]) == 1)  // -8, -6, -7
        sampler.accept(2)
        sampler.accept(2)
        #expect(sample(&sampler, [3.9, 3, 4]) == 0)  // 0 left the window: 3.9, 1.5, 2
    }

    @Test func `logits that are no numbers are never drawn`() {
        var options = SamplerOptions()
        options.seed = 1
        for topK in [0, 2, 40] {
            options.topK = topK
            var sampler = Sampler(options: options)
            for _ in 0..<20 { #expect(sample(&sampler, [.nan, 1, .nan, -.infinity]) == 1) }
            #expect(sample(&sampler, [.nan, .nan]) == nil)
            #expect(sample(&sampler, [-.infinity, -.infinity]) == nil)
            #expect(sample(&sampler, []) == nil)
        }
    }

    @Test func `options out of range are refused by name`() {
        let cases: [(WritableKeyPath<SamplerOptions, Float>, Float, String)] = [
            (\.temperature, -1, "temperature"), (\.temperature, .nan, "temperature"), (\.topP, 0, "topP"),
            (\.topP, 1.5, "topP"), (\.minP, -0.1, "minP"), (\.repetitionPenalty, 0, "repetitionPenalty"),
            (\.temperature, .infinity, "temperature"),
        ]
        for (path, value, name) in cases {
            var options = SamplerOptions()
            options[keyPath: path] = value
            let error = #expect(throws: EngineError.self) { try options.validated() }
            #expect(error?.field == name && error?.code == .invalidOption)
        }
        #expect(throws: Never.self) { try SamplerOptions().validated() }
    }
}

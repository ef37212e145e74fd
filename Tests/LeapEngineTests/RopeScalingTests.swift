import Foundation
import LeapMeasurement
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Rotations stretched by the caller.
@Suite(.inTurns)
struct RopeScalingTests {
    private func frequencies(_ name: String, _ scaling: RopeScaling?, rope: Int = 0) throws -> (
        inverse: [Float], attentionFactor: Float
    ) {
        let model = try Model.load(path: Fixture.path(name), ropeScaling: scaling)
        return model.layers.stack.ropes[rope].frequencies(contextSize: model.contextLimit)
    }

    /// base^(-2i/d), and what it is raised from.
    private func plain(_ name: String) throws -> (inverse: [Double], base: Double, dimensions: Int) {
        let rope = try Fixture.model(name).layers.stack.ropes[0]
        let inverse = (0..<rope.dimensions / 2).map {
            pow(Double(rope.base), -2 * Double($0) / Double(rope.dimensions))
        }
        return (inverse, Double(rope.base), rope.dimensions)
    }

    @Test(
        "Linear scaling divides every frequency by the factor", arguments: ["llama", "lfm2", "qwen2", "qwen3"],
        [1.0, 2, 3.5])
    func linearScalingDividesEvery(name: String, factor: Double) throws {
        let scaled = try frequencies(name, RopeScaling(.linear, factor: factor))
        #expect(scaled.inverse == (try frequencies(name, nil)).inverse.map { $0 / Float(factor) })
        #expect(scaled.attentionFactor == 1)
    }

    @Test(
        "YaRN blends frequencies as its formulas say", arguments: ["llama", "lfm2", "qwen2"],
        [(2.0, nil), (4, 256), (8, 4096)] as [(Double, Int?)])
    func yarnBlendsFrequenciesFormulas(name: String, scaling: (factor: Double, original: Int?)) throws {
        let (plain, base, dimensions) = try plain(name)
        let length = Double(try scaling.original ?? Fixture.model(name).contextLength)
        // Equations 17 to 23 of the paper with alpha 1 and beta 32; the bounds are rounded outwards, as in its
        // reference code.
        func index(turns: Double) -> Double {
            Double(dimensions) * log(length / (turns * 2 * .pi)) / (2 * log(base))
        }
        let low = max(index(turns: 32).rounded(.down), 0)
        let high = min(index(turns: 1).rounded(.up), Double(dimensions - 1))
        let expected = plain.enumerated().map { i, frequency in
            let ramp = min(max((Double(i) - low) / max(high - low, 0.001), 0), 1)
            return frequency * (1 - ramp) + frequency / scaling.factor * ramp
        }
        let (inverse, attention) = try frequencies(
            name, RopeScaling(.yarn, factor: scaling.factor, originalContext: scaling.original))
        #expect(inverse.count == expected.count)
        for (got, want) in zip(inverse, expected) { #expect(abs(Double(got) / want - 1) < 1e-5) }
        #expect(abs(Double(attention) - (1 + 0.1 * log(scaling.factor))) < 1e-6)
    }

    @Test("A file's own YaRN is left out, or said again")
    func filesOwnYaRNLeft() throws {
        let file = try Fixture.model("qwen2-yarn")
        guard case .yarn(let factor, let original, _, _, _) = file.layers.stack.ropes[0].scaling else {
            Issue.record("the fixture has no YaRN")
            return
        }
        let said = try frequencies("qwen2-yarn", nil)
        #expect(try frequencies("qwen2-yarn", RopeScaling(.yarn, factor: Double(factor))).inverse == said.inverse)
        let none = try Model.load(path: Fixture.path("qwen2-yarn"), ropeScaling: RopeScaling(.none))
        #expect(
            none.layers.stack.ropes[0].frequencies(contextSize: 1).inverse
                == (try plain("qwen2-yarn")).inverse.map { Float($0) })
        #expect(none.contextLimit == original)
    }

    @Test("Layers that see a window only are not stretched")
    func layersSeeWindowOnly() throws {
        let (scaled, file) = (RopeScaling(.linear, factor: 2), RopeScaling?.none)
        #expect(
            try frequencies("gemma3", scaled, rope: 1).inverse == (try frequencies("gemma3", file, rope: 1)).inverse)
        #expect(
            try frequencies("gemma3", scaled, rope: 0).inverse != (try frequencies("gemma3", file, rope: 0)).inverse)
    }

    @Test("With factor 2, keys at position 2p are those of position p")
    func factor2KeysPosition() throws {
        // The first layer's keys depend on the token and its position only, and lie in a page with their positions side
        // by side.
        func keys(_ scaling: RopeScaling?) throws -> [Float] {
            let model = try Model.load(path: Fixture.path("llama"), ropeScaling: scaling)
            let runner = try SynchronousRunner(model: model, keyValueType: .f32, threads: 1, contextSize: 64)
            _ = try runner.run([TokenID](repeating: 7, count: 64)[...], wanted: .none)
            let attention = runner.layout.attention[0]
            let page = runner.sequence.pages[0].base + attention.keys
            let count = (attention.values - attention.keys) / MemoryLayout<Float>.stride
            return Array(UnsafeBufferPointer(start: page.assumingMemoryBound(to: Float.self), count: count))
        }
        let (plain, scaled) = (try keys(nil), try keys(RopeScaling(.linear, factor: 2)))
        #expect(plain.count == scaled.count && plain.contains { $0 != 0 })
        var differing = 0
        for element in stride(from: 0, to: plain.count, by: 64) {
            for position in 0..<32 {
                #expect(scaled[element + 2 * position] == plain[element + position])
                if scaled[element + position] != plain[element + position] { differing += 1 }
            }
        }
        #expect(differing > plain.count / 64)
    }

    @Test("The context may be as long as scaled positions allow, and no longer")
    func contextMayLongScaled() async throws {
        func contextSize(_ asked: Int?, _ scaling: RopeScaling?) throws -> Int {
            var options = EngineOptions()
            options.contextSize = asked
            options.threads = 1
            return try Engine(model: Model.load(path: Fixture.path("llama"), ropeScaling: scaling), options: options)
                .contextSize
        }
        let trained = try Fixture.model("llama").contextLength
        #expect(try contextSize(nil, nil) == trained && contextSize(1_000_000, nil) == trained)
        let twice = RopeScaling(.linear, factor: 2)
        #expect(try contextSize(nil, twice) == trained && contextSize(trained + 5, twice) == trained + 5)
        #expect(try contextSize(1_000_000, twice) == 2 * trained)
        #expect(try contextSize(1_000_000, RopeScaling(.yarn, factor: 1.5, originalContext: 100)) == 150)

        var options = EngineOptions()
        options.contextSize = trained + 100
        let engine = try Engine(model: Model.load(path: Fixture.path("llama"), ropeScaling: twice), options: options)
        let prompt = (0..<trained + 20).map { TokenID($0 % 500) }
        var tokens = 0
        for await event in engine.makeSession().events(
            GenerationRequest(prompt: prompt, sampling: .greedy, maxTokens: 10))
        {
            if case .token = event { tokens += 1 }
        }
        #expect(tokens == 10)
    }

    @Test(
        "Values out of range are refused by name",
        arguments: [
            (RopeScaling(.linear, factor: 0.5), "ropeScaling.factor"),
            (RopeScaling(.yarn, factor: .nan), "ropeScaling.factor"),
            (RopeScaling(.linear, factor: 1e9), "ropeScaling.factor"),
            (RopeScaling(.linear, factor: 2, originalContext: 0), "ropeScaling.originalContext"),
            (RopeScaling(.linear, factor: 2, originalContext: .max), "ropeScaling.originalContext"),
        ])
    func valuesOutRangeRefused(scaling: RopeScaling, field: String) {
        let error = #expect(throws: EngineError.self) {
            try Model.load(path: Fixture.path("llama"), ropeScaling: scaling)
        }
        #expect(error?.field == field && error?.code == .invalidOption)
    }
}

/// The changes that architectures make to rotations and queries.
@Suite(.inTurns)
struct PositionRuleTests {
    private static func yarn() -> RopeSpecification {
        var rope = RopeSpecification(base: 150_000, dimensions: 64, interleaved: false)
        rope.scaling = .yarn(factor: 32, originalContext: 4096, betaFast: 32, betaSlow: 1, attentionFactor: 1)
        return rope
    }

    @Test("The factor on cosines and sines leaves out what the model was trained without")
    func logMultiplier() {
        var rope = Self.yarn()
        #expect(abs(rope.frequencies(contextSize: 1).attentionFactor - 1.346574) < 1e-5)
        rope.yarnLogMultiplier = 1
        #expect(rope.frequencies(contextSize: 1).attentionFactor == 1)
        rope.yarnLogMultiplier = 0.5
        #expect(abs(rope.frequencies(contextSize: 1).attentionFactor - 1.346574 / 1.173287) < 1e-5)
    }

    @Test("Without rounding the blend of gpt-oss lies between the frequencies 8.09 and 17.40")
    func unrounded() {
        var rope = Self.yarn()
        let rounded = rope.frequencies(contextSize: 1).inverse
        rope.roundsYaRN = false
        let found = rope.frequencies(contextSize: 1).inverse
        func index(_ rotations: Double) -> Double {
            let turns: Double = log(4096 / (rotations * 2 * Double.pi))
            return 64 * turns / (2 * log(150_000))
        }
        let (low, high) = (index(32), index(1))
        for (i, value) in found.enumerated() {
            let plain: Double = pow(150_000, -2 * Double(i) / 64)
            let ramp: Double = (Double(i) - low) / (high - low)
            let kept: Double = 1 - min(max(ramp, 0), 1)
            let expected: Double = plain * kept + plain / 32 * (1 - kept)
            #expect(abs(Double(value) / expected - 1) < 1e-4, "\(i)")
        }
        #expect(abs(low - 8.09) < 0.01 && abs(high - 17.40) < 0.01 && found != rounded)
    }

    @Test("Queries grow by one step for every original context")
    func temperature() {
        let temperature = QueryTemperature(scale: 0.1, step: 16_384)
        #expect(temperature.factor(at: 0) == 1 && temperature.factor(at: 16_383) == 1)
        #expect(abs(temperature.factor(at: 16_384) - 1.0693147) < 1e-6)
        #expect(temperature.factor(at: 16_384) == temperature.factor(at: 32_767))
        #expect(abs(temperature.factor(at: 49_152) - 1.1386294) < 1e-6)
    }
}

import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The distribution of tokens that are drawn with a drafter's proposals, compared with the model's.
@Suite(.inTurns)
struct BlockDistributionTests {
    /// The tokens that may be drawn.
    private static let alphabet: [TokenID] = [40, 77, 120, 260, 301]

    /// For each token of the alphabet how likely each is to follow.
    private static func distribution(_ model: Model) throws -> [[Double]] {
        let executor = try CPUDevice(threads: 1).makeExecutor(
            for: model, keyValueType: .f32, contextSize: 64, memory: MemoryPool())
        return try alphabet.map { token in
            let sequence = executor.makeSequence(limit: 8)
            let rows = try #require(
                try executor.run(
                    [BatchSegment(sequence: sequence, tokens: [token], wanted: .last)], shouldContinue: { true }))
            let weights = alphabet.map { Double(rows[0].row(0)[Int($0)]).exponential }
            return weights.map { $0 / weights.reduce(0, +) }
        }
    }

    @Test(
        "8,000 tokens drawn with proposals of a random drafter and of one that is right follow the model's distribution, by a chi-square test",
        .enabled(if: TestLevel.isAll, "\(TestLevel.comment)"), arguments: [false, true])
    func chiSquare(isRight: Bool) throws {
        let model = try DrafterFixture.chainModel()
        let drafter = isRight ? try DrafterFixture.chainDrafter() : try DrafterFixture.drafter("dspark")
        let engine = try SteppedEngine(model, draft: drafter) { $0.draftCost = 0 }
        var counts = [[Double]](
            repeating: [Double](repeating: 0, count: Self.alphabet.count), count: Self.alphabet.count)
        var (accepted, drafted) = (0, 0)
        for seed in 0..<16 as Range<UInt64> {
            let running = engine.start(
                SpeculationTests.request(.draft) { request in
                    request.prompt = [1, Self.alphabet[0]]
                    request.sampling = SamplingValues()
                    request.sampling.seed = seed
                    for parameter in [SamplingParameter.topP, .temperature, .repetitionPenalty] {
                        request.sampling[parameter] = 1
                    }
                    request.sampling[.topK] = 0
                    request.sampling[.minP] = 0
                    for token in Self.alphabet { request.logitBias[token] = 80 }
                    request.maxTokens = 501
                })
            engine.runToEnd()
            let places = running.tokens.compactMap { Self.alphabet.firstIndex(of: $0) }
            #expect(places.count == 501)
            for (last, next) in zip(places, places.dropFirst()) { counts[last][next] += 1 }
            accepted += running.result?.acceptedTokens ?? 0
            drafted += running.result?.progress.draftedTokens ?? 0
        }
        #expect(isRight ? accepted > 4_000 && accepted > drafted * 9 / 10 : accepted > 40 && accepted < drafted)
        var statistic = 0.0
        for (row, weights) in zip(counts, try Self.distribution(model)) {
            let total = row.reduce(0, +)
            for (count, weight) in zip(row, weights) {
                statistic += (count - weight * total) * (count - weight * total) / (weight * total)
            }
        }
        // 5 rows of 4 degrees of freedom: a right distribution gives more than 45.3 in one of a thousand cases.
        #expect(statistic < 45.3, "\(statistic)")
    }
}

extension Double {
    /// eˣ.
    fileprivate var exponential: Double { (0..<40).reversed().reduce(1.0) { 1 + self / Double($1 + 1) * $0 } }
}

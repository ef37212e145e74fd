import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The distribution of tokens that are drawn with proposals, compared with a known one.
///
/// The model is a chain over a few tokens, so that the logits behind every token are known and 100,000 draws take
/// seconds; everything from the logits on is what generations run.
@Suite(.inTurns)
struct SpeculationDistributionTests {
    private static let vocabulary = 6
    /// Logits behind each token.
    private static let chain: [[Float]] = table { Float(($0 * 7 + $1 * 5 + $0 * $1) % 11) * 0.4 }
    /// Those of a draft model that is right in a part of all cases only.
    private static let other: [[Float]] = table { Float(($0 * 7 + $1 * 5 + $0 * $1) % 11) * 0.4 + Float($1 % 3) }

    private static func table(_ logit: (Int, Int) -> Float) -> [[Float]] {
        (0..<vocabulary).map { last in (0..<vocabulary).map { logit(last, $0) } }
    }

    /// Runs a generation over the chain.
    private static func output(
        _ speculation: Speculation, seed: UInt64, count: Int, model: Model, layout: CacheLayout
    ) throws -> (tokens: [TokenID], accepted: Int) {
        var request = GenerationRequest(prompt: [0, 1, 2, 0, 1], maxTokens: count)
        request.speculation = speculation
        request.sampling.seed = seed
        for parameter in [SamplingParameter.topP, .temperature, .repetitionPenalty] { request.sampling[parameter] = 1 }
        request.sampling[.topK] = 0
        request.sampling[.minP] = 0
        let limit = count + 64
        let state = layout.makeSequence(limit: limit)
        let draft =
            speculation == .draft
            ? DraftSequence(layout.makeSequence(limit: limit), DraftLength(draftCost: 0)) : nil
        let waiting = WaitingGeneration(
            request: request, task: GenerationTask(), session: Session(id: 1, mailbox: Mailbox()), startTime: .now,
            onEvent: { _ in })
        let generation = ActiveGeneration(
            waiting, state: state,
            vocabulary: OutputVocabulary(size: model.vocabularySize, sampleable: model.sampleableTokens), draft: draft,
            contextSize: limit, counters: EngineCounters(memory: MemoryPool()))
        while !generation.task.isFinished {
            if speculation == .draft, !generation.isPrefilling { propose(generation) }
            let segment = generation.nextSegment(budget: 8, proposals: 4)
            guard case .tokens(let tokens, _) = segment.inputs else { break }
            try state.reserve(segment.count)
            state.commit(segment.inputs)
            _ = generation.advance()
            let indices = segment.wantedIndices.map { tokens.startIndex + $0 }
            var logits = indices.flatMap { chain[Int(tokens[$0])] }
            logits.withUnsafeMutableBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                generation.draw(from: Rows(base: base, count: indices.count, length: vocabulary))
            }
        }
        return (generation.generated, generation.task.progress.acceptedTokens)
    }

    /// Proposes the tokens that a draft model would propose.
    private static func propose(_ generation: ActiveGeneration) {
        var sampler = generation.sampler
        var last = generation.token(generation.tokenCount - 1)
        var tokens: [TokenID] = []
        for _ in 0..<3 {
            var logits = other[Int(last)]
            guard let token = logits.withUnsafeMutableBufferPointer({ sampler.sample(logits: $0) }) else { break }
            sampler.accept(token)
            tokens.append(token)
            last = token
        }
        generation.take(proposal: tokens)
    }

    @Test(
        "100,000 tokens drawn with and without proposals follow the model's distribution, by a chi-square test",
        .enabled(if: TestLevel.isAll, "\(TestLevel.comment)"), arguments: Speculation.allCases)
    func distribution(speculation: Speculation) throws {
        let model = try Fixture.model("lfm2")
        let layout = CacheLayout(model: model, keyValueType: .f32)
        var counts = [[Int]](repeating: [Int](repeating: 0, count: Self.vocabulary), count: Self.vocabulary)
        var accepted = 0
        for seed in 0..<200 as Range<UInt64> {
            let (tokens, right) = try Self.output(speculation, seed: seed, count: 501, model: model, layout: layout)
            for (last, next) in zip(tokens, tokens.dropFirst()) { counts[Int(last)][Int(next)] += 1 }
            accepted += right
        }
        #expect(counts.joined().reduce(0, +) == 100_000)
        #expect((accepted > 3_000) == (speculation != .off), "\(accepted)")
        var statistic = 0.0
        for (logits, row) in zip(Self.chain, counts) {
            let weights = logits.map { Double($0).exponential }
            let total = weights.reduce(0, +)
            for (weight, count) in zip(weights, row) {
                let expected = weight / total * Double(row.reduce(0, +))
                statistic += (Double(count) - expected) * (Double(count) - expected) / expected
            }
        }
        // 6 rows of 5 degrees of freedom: a right distribution gives more than 59.7 in one of a thousand cases.
        #expect(statistic < 59.7, "\(statistic)")
    }
}

extension Double {
    /// eˣ.
    fileprivate var exponential: Double { (0..<40).reversed().reduce(1.0) { 1 + self / Double($1 + 1) * $0 } }
}

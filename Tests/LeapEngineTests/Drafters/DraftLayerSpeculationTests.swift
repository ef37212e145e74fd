import LeapBase
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Output with proposals of layers that predict further tokens, compared with the same output without.
@Suite(.inTurns)
struct DraftLayerSpeculationTests {
    private static func engine(
        _ model: Model, _ change: (inout EngineOptions) -> Void = { _ in }
    ) throws -> SteppedEngine {
        try SteppedEngine(model) { options in
            (options.draftLayers, options.draftCost) = (.automatic, 0.02)
            change(&options)
        }
    }

    /// An engine whose block is right about what follows all tokens but every third.
    private static func mixed(_ change: (inout EngineOptions) -> Void = { _ in }) throws -> SteppedEngine {
        try engine(try DraftLayerFixture.chain { $0 % 3 == 0 }, change)
    }

    @Test(
        "Output is the same with random blocks, greedy and for every seed", arguments: DraftLayerFixture.names)
    func random(name: String) throws {
        let engine = try Self.engine(try DraftLayerFixture.whole(name))
        let (plain, checked) = engine.pair()
        #expect(plain.tokens == checked.tokens && plain.tokens.count == 60)
        #expect((checked.result?.progress.draftedTokens ?? 0) > 0 && plain.result?.progress.draftedTokens == 0)
        for seed in TestLevel.seeds(2, all: 10) {
            let (plain, checked) = engine.pair { $0.sample(seed) }
            #expect(plain.tokens == checked.tokens && plain.tokens.count == 40, "seed \(seed)")
        }
    }

    @Test("A block that knows what follows is right throughout, at any temperature")
    func right() throws {
        let engine = try Self.engine(try DraftLayerFixture.chain())
        let (plain, checked) = engine.pair()
        #expect(plain.tokens == checked.tokens && plain.tokens.count == 60)
        let progress = try #require(checked.result?.progress)
        #expect(progress.acceptedTokens == progress.draftedTokens && progress.acceptedTokens > 40)
        #expect(progress.draftedByPosition.reduce(0, +) == progress.draftedTokens)
        #expect(progress.draftedByPosition == progress.acceptedByPosition && progress.draftedByPosition.count > 3)
        #expect(engine.core.counters.statistics.tokens.acceptedByPosition == progress.acceptedByPosition)
        for seed in TestLevel.seeds(2, all: 6) {
            let (plain, checked) = engine.pair { $0.sample(seed) }
            #expect(plain.tokens == checked.tokens)
            #expect((checked.result?.acceptedTokens ?? 0) > 20, "seed \(seed)")
        }
    }

    @Test("Where some are wrong the sequence goes on behind the right ones, with the same output")
    func mixed() throws {
        let engine = try Self.mixed()
        var wrong = 0
        for seed in TestLevel.seeds(2, all: 8) {
            let (plain, checked) = engine.pair { if seed > 1 { $0.sample(seed) } }
            #expect(plain.tokens == checked.tokens)
            let progress = try #require(checked.result?.progress)
            #expect(progress.acceptedTokens > 0)
            #expect(zip(progress.acceptedByPosition, progress.draftedByPosition).allSatisfy { $0 <= $1 })
            wrong += progress.draftedTokens - progress.acceptedTokens
        }
        #expect(wrong > 0)
    }

    @Test("The number of proposals is limited by the option")
    func limit() throws {
        for most in [1, 3] {
            let engine = try Self.engine(try DraftLayerFixture.chain()) { $0.draftLayers = .most(most) }
            let (plain, checked) = engine.pair()
            #expect(plain.tokens == checked.tokens)
            #expect(checked.result?.progress.draftedByPosition.count == most)
        }
    }

    @Test("It goes on with the next turn, with another history, and with a prompt that another session had")
    func turns() throws {
        let engine = try Self.mixed { $0.prefixCacheBytes = 64 << 20 }
        let first = engine.start(SpeculationTests.request(.draft))
        engine.runToEnd()
        var request = SpeculationTests.request(.draft)
        request.prompt += first.tokens + SpeculationTests.prompt(30)
        let second = engine.start(request, in: first.session)
        #expect(second.task.progress.cachedPromptTokens > 190)
        engine.runToEnd()
        request.prompt.removeLast(70)
        let third = engine.start(request, in: first.session)
        engine.runToEnd()
        let fourth = engine.start(request)
        engine.runToEnd()
        for running in [second, third, fourth] { #expect((running.result?.acceptedTokens ?? 0) > 0) }
        request.speculation = .off
        let expected = engine.start(request)
        engine.runToEnd()
        #expect(third.tokens == expected.tokens && fourth.tokens == expected.tokens)
    }

    @Test("A session whose state was saved and restored goes on with proposals")
    func saved() throws {
        let engine = try Self.mixed()
        let first = engine.start(SpeculationTests.request(.draft))
        engine.runToEnd()
        let snapshot = try #require(try engine.core.snapshot(first.session))
        let session = engine.makeSession()
        try engine.core.restore(snapshot, in: session)
        var request = SpeculationTests.request(.draft)
        request.prompt += first.tokens + [7]
        let outputs = [first.session, session].map { session in
            let running = engine.start(request, in: session)
            engine.runToEnd()
            return running
        }
        #expect(outputs[0].tokens == outputs[1].tokens)
        #expect(outputs.allSatisfy { ($0.result?.acceptedTokens ?? 0) > 0 })
    }

    @Test("Sequences that are decoded together, with and without proposals, are what they are alone")
    func together() throws {
        for model in [try DraftLayerFixture.chain { $0 % 3 == 0 }, try DraftLayerFixture.whole("nemotron-h-moe")] {
            let engine = try Self.engine(model)
            engine.expectSameTogether(promptLength: 100)
        }
    }

    @Test("A generation that is cancelled, in its prompt or its output, leaves a session that goes on as any")
    func cancelled() throws {
        let engine = try Self.mixed { $0.prefillChunk = 40 }
        try engine.expectSameAfterCancelling(0..<9, isRight: false)
    }

    /// Allows tokens of one kind after another, and tells how many of some would pass.
    private struct Turns: TokenConstraint {
        var count = 0
        var isComplete: Bool { false }
        private func allows(_ token: TokenID, at place: Int) -> Bool { place % 4 != 3 || token % 2 == 0 }
        mutating func computeMask(into mask: inout TokenMask) {
            for token in 0..<TokenID(384) { mask[token] = allows(token, at: count) }
        }
        mutating func accept(_ token: TokenID) throws { count += 1 }
        func allowedCount(of tokens: [TokenID]) -> Int {
            zip(tokens, count...).prefix { allows($0, at: $1) }.count
        }
    }

    @Test("Output under a constraint is the same, with forced tokens in it and with proposals that are cut")
    func constrained() throws {
        let engine = try Self.mixed()
        engine.expectSameUnderLimits(small: try Self.mixed { $0.contextSize = 170 })
        let (free, cut) = engine.pair { $0.makeConstraint = { Turns() } }
        #expect(free.tokens == cut.tokens && free.tokens.count == 60)
        #expect((cut.result?.progress.draftedTokens ?? 0) > 0)
    }

    @Test(
        "Layers that are asked for and are not there are an error; those that cannot be used are left out with a notice"
    )
    func missing() throws {
        let error = #expect(throws: EngineError.self) {
            try Self.engine(try Fixture.model("qwen35")) { $0.draftLayers = .most(2) }
        }
        #expect(error?.code == .incompatibleModels && error?.field == "draftLayers")
        #expect(try Self.engine(try Fixture.model("qwen35")).core.usesDraftLayers == false)
        let damaged = try DraftLayerFixture.whole("qwen35") { $0 == "nextn.hnorm.weight" ? nil : $1 }
        let engine = try Self.engine(damaged)
        #expect(!engine.core.usesDraftLayers)
        #expect(engine.notices.withLock { $0 }.contains { $0.contains("blk.4.nextn.hnorm.weight") })
        let other = #expect(throws: EngineError.self) { try Self.engine(damaged) { $0.draftLayers = .most(2) } }
        #expect(other?.code == .missingTensor)
        let off = try Self.engine(try DraftLayerFixture.chain()) { $0.draftLayers = .off }
        #expect(!off.core.usesDraftLayers)
        var wrong = EngineOptions()
        wrong.draftLayers = .most(17)
        #expect(throws: EngineError.self) { try wrong.validated() }
    }

    @Test("Layers of a file apart propose as those of the model's own file")
    func apart() throws {
        let source = try DraftSources.load(path: DraftLayerFixture.path("qwen35"))
        let engine = try SteppedEngine(try Fixture.model("qwen35"), draft: source) { $0.draftCost = 0.02 }
        #expect(engine.core.usesDraftLayers)
        let whole = try Self.engine(try DraftLayerFixture.whole("qwen35"))
        let (plain, checked) = engine.pair()
        let (_, own) = whole.pair()
        #expect(plain.tokens == checked.tokens && own.tokens == checked.tokens)
        #expect(checked.result?.progress == own.result?.progress && (own.result?.progress.draftedTokens ?? 0) > 0)
        let error = #expect(throws: EngineError.self) { try SteppedEngine(try Fixture.model("lfm2"), draft: source) }
        #expect(error?.code == .incompatibleModels)
    }

    @Test("Keys, values and the latest vector of the layers count as memory of the sequences")
    func memory() throws {
        let on = try Self.engine(try DraftLayerFixture.chain())
        let off = try Self.engine(try DraftLayerFixture.chain()) { $0.draftLayers = .off }
        // Two heads of 32 numbers for keys and as many for values, in floats, for 64 positions.
        #expect(on.core.stateMemory.pageByteCount - off.core.stateMemory.pageByteCount == 64 * 2 * 32 * 2 * 4)
        #expect(on.core.stateMemory.recurrentByteCount - off.core.stateMemory.recurrentByteCount == 64 * 4)
        _ = on.start(SpeculationTests.request(.draft))
        on.runToEnd()
        on.core.unload()
        #expect(on.core.memory.used == 0)
    }

    // MARK: The number of proposals

    @Test("A block that is never right loses less than 2 % of an output of 300 tokens")
    func losing() {
        var length = DraftLength(
            draftCost: 0.15, places: PlaceAcceptance(), allowance: DraftLength.Allowance(start: 1, share: 0.015))
        var lost = 0.0
        for _ in 0..<300 {
            length.noteToken()
            let count = length.count(limit: 16, pending: 1)
            guard count > 0 else { continue }
            let cost = length.cost(of: count, pending: 1)
            lost += cost
            length.spend(cost)
            length.note(proposed: count, accepted: 0)
        }
        #expect(lost > 0.5 && lost < 6, "\(lost)")
    }

    @Test("Places that are seldom right are not proposed, and rows that cost more are fewer")
    func places() {
        func count(rowCost: Double, second: Int) -> Int {
            var length = DraftLength(draftCost: 0.1, places: PlaceAcceptance())
            length.set(rowCost: rowCost, stepCost: 0.1)
            for index in 0..<60 { length.note(proposed: 4, accepted: index % 10 < second ? 4 : 1) }
            return length.count(limit: 16, pending: 1)
        }
        #expect(count(rowCost: 0.25, second: 0) == 1)
        #expect(count(rowCost: 0.25, second: 10) > 3)
        #expect(count(rowCost: 0.05, second: 8) > count(rowCost: 0.6, second: 8))
    }

    @Test("Costs are those of the steps that were measured, within bounds, and grow with the sequences beside")
    func timings() {
        var timings = DraftTimings(stepCost: 0.2)
        #expect(timings.rowCost(sequences: 1) == ProposalLength.cost && timings.stepCost == 0.2)
        for _ in 0..<100 {
            timings.note(rows: 1, sequences: 1, seconds: 0.1)
            timings.note(rows: 5, sequences: 1, seconds: 0.12)
            timings.note(steps: 4, seconds: 0.02)
        }
        #expect(abs(timings.rowCost(sequences: 1) - 0.05) < 1e-3 && abs(timings.stepCost - 0.05) < 1e-3)
        #expect(timings.rowCost(sequences: 4) > 3 * timings.rowCost(sequences: 1))
        for _ in 0..<100 {
            timings.note(rows: 5, sequences: 1, seconds: 9)
            timings.note(steps: 1, seconds: 9)
            timings.note(rows: 0, sequences: 0, seconds: -1)
        }
        #expect(timings.rowCost(sequences: 1) <= 1 && timings.stepCost <= 4)
    }
}

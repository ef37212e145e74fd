import LeapGGUF
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Output with proposals of a drafter that reads the model's layers, compared with the same output without.
@Suite(.inTurns)
struct BlockSpeculationTests {
    private static func engine(
        _ model: Model, _ drafter: BlockDrafter, _ change: (inout EngineOptions) -> Void = { _ in }
    ) throws -> SteppedEngine {
        try SteppedEngine(model, draft: drafter) { options in
            options.draftCost = 0.02
            change(&options)
        }
    }

    /// An engine whose drafter is right about every token, up to the last bits of logits.
    private static func chain(_ change: (inout EngineOptions) -> Void = { _ in }) throws -> SteppedEngine {
        try engine(try DrafterFixture.chainModel(), try DrafterFixture.chainDrafter(), change)
    }

    @Test(
        "Greedy output is the same, of models of any architecture and with any type of keys and values",
        arguments: [("lfm2", [1, 3, 5]), ("lfm2moe", [1, 2, 3]), ("llama", [1, 2, 3])] as [(String, [Int32])],
        TestLevel.cases([KeyValueType.f32, .f16, .q8_0], standard: 1))
    func greedy(target: (name: String, layers: [Int32]), type: KeyValueType) throws {
        let model = try Fixture.model(target.name)
        for drafter in [
            try DrafterFixture.drafter("dspark", layers: target.layers),
            try DrafterFixture.drafter("dflash", layers: [target.layers[0], target.layers[2]]),
        ] {
            let (plain, checked) = try Self.engine(model, drafter) { $0.keyValueType = type }.pair()
            #expect(plain.tokens == checked.tokens && plain.tokens.count == 60)
            #expect((checked.result?.progress.draftedTokens ?? 0) > 0 && checked.error == nil)
        }
    }

    @Test("Sampled output is the same for every seed")
    func sampled() throws {
        let engine = try Self.engine(try Fixture.model("lfm2"), try DrafterFixture.drafter("dspark"))
        for seed in TestLevel.seeds(3, all: 12) {
            let (plain, checked) = engine.pair { $0.sample(seed) }
            #expect(plain.tokens == checked.tokens && plain.tokens.count == 40, "seed \(seed)")
        }
    }

    @Test("A drafter that knows what follows is right throughout, at any temperature")
    func right() throws {
        let engine = try Self.chain()
        let (plain, checked) = engine.pair()
        #expect(plain.tokens == checked.tokens && plain.tokens.count == 60)
        let progress = try #require(checked.result?.progress)
        #expect(progress.acceptedTokens == progress.draftedTokens && progress.acceptedTokens > 40)
        for seed in TestLevel.seeds(2, all: 6) {
            let (plain, checked) = engine.pair { $0.sample(seed) }
            #expect(plain.tokens == checked.tokens)
            let progress = try #require(checked.result?.progress)
            #expect(progress.acceptedTokens == progress.draftedTokens && progress.acceptedTokens > 20, "seed \(seed)")
        }
    }

    @Test("It goes on with the next turn, with another history, and with a prompt that another session had")
    func turns() throws {
        let engine = try Self.chain { $0.prefixCacheBytes = 64 << 20 }
        let first = engine.start(SpeculationTests.request(.draft))
        engine.runToEnd()
        var request = SpeculationTests.request(.draft)
        request.prompt += first.tokens + SpeculationTests.prompt(30)
        let second = engine.start(request, in: first.session)
        engine.runToEnd()
        request.prompt.removeLast(70)
        let third = engine.start(request, in: first.session)
        engine.runToEnd()
        let fourth = engine.start(request)
        engine.runToEnd()
        for running in [second, third, fourth] {
            let progress = try #require(running.result?.progress)
            #expect(progress.acceptedTokens > 20 && progress.acceptedTokens == progress.draftedTokens)
        }
        request.speculation = .off
        let expected = engine.start(request)
        engine.runToEnd()
        #expect(third.tokens == expected.tokens && fourth.tokens == expected.tokens)
    }

    @Test("Its sequence is that of the session, and begins behind what the model took from a kept state without it")
    func sequences() throws {
        let engine = try Self.engine(try Fixture.model("lfm2"), try DrafterFixture.drafter("dspark")) {
            $0.prefixCacheBytes = 64 << 20
        }
        func draft(_ running: SteppedEngine.Running) throws -> DraftSequence {
            try #require(engine.core.sessions[running.session.id]?.draft)
        }
        var request = SpeculationTests.request(.draft) { $0.maxTokens = 20 }
        let first = engine.start(request)
        engine.runToEnd()
        #expect(try draft(first).start == 0 && first.session.tokenCount - draft(first).end <= 1)
        // The next turn goes on in the same sequence, and another session with its pages.
        let state = try draft(first).state
        request.prompt += first.tokens + [9, 8, 7]
        let second = engine.start(request, in: first.session)
        engine.runToEnd()
        #expect(try draft(second).start == 0 && draft(second).state === state && state.count > 170)
        let third = engine.start(request)
        engine.runToEnd()
        #expect(try draft(third).start == 0 && draft(third).state.count > 170)
        // Nothing was kept for it of a text that was written without it.
        var plain = SpeculationTests.request(.off) { $0.prompt = SpeculationTests.prompt(130, period: 31) }
        let fourth = engine.start(plain)
        engine.runToEnd()
        plain.speculation = .draft
        let fifth = engine.start(plain)
        engine.runToEnd()
        #expect(try draft(fifth).start > 100 && draft(fifth).end > 180)
        #expect(fourth.tokens == fifth.tokens && (fifth.result?.progress.draftedTokens ?? 0) > 0)
    }

    @Test("Sequences that are decoded together, with and without proposals, are what they are alone")
    func together() throws {
        for engine in [
            try Self.chain(), try Self.engine(try Fixture.model("lfm2"), try DrafterFixture.drafter("dspark")),
        ] {
            engine.expectSameTogether(promptLength: 100)
        }
    }

    @Test("A generation that is cancelled, in its prompt or its output, leaves a session that goes on as any")
    func cancelled() throws {
        let engine = try Self.chain { $0.prefillChunk = 40 }
        try engine.expectSameAfterCancelling(0..<9, isRight: true)
    }

    @Test("Output under a constraint, with forced tokens in it, is the same; so is output that ends anywhere")
    func constrained() throws {
        let engine = try Self.chain()
        engine.expectSameUnderLimits(small: try Self.chain { $0.contextSize = 170 })
    }

    @Test("What it holds counts as memory, and gives way to what is generated")
    func memory() throws {
        let engine = try Self.chain()
        let first = engine.start(SpeculationTests.request(.draft) { $0.maxTokens = 2 })
        engine.runToEnd()
        // As much as the model and the drafter took: what the drafter has of it is given back.
        engine.core.memory.limit = engine.core.memory.used
        let second = engine.start(
            SpeculationTests.request(.draft) {
                $0.prompt += SpeculationTests.prompt(100)
                $0.maxTokens = 10
            }, in: first.session)
        engine.runToEnd()
        #expect(second.error == nil && second.tokens.count == 10)
        engine.core.memory.limit = .max
        _ = engine.start(SpeculationTests.request(.draft) { $0.maxTokens = 2 })
        engine.runToEnd()
        let held = engine.core.memory.used
        #expect(engine.core.drafting.reclaim(rows: 0) && engine.core.memory.used < held)
        engine.core.unload()
        #expect(engine.core.memory.used == 0)
    }

    @Test("Layers are kept in steps of generations that ask for it only")
    func onlyWhereAsked() throws {
        let engine = try Self.chain()
        let executor = try #require(engine.core.runner.executor as? CPUExecutor)
        _ = engine.start(SpeculationTests.request(.off) { $0.maxTokens = 5 })
        engine.runToEnd()
        #expect(executor.capturedStreams == nil && executor.capturedLayers.isEmpty)
        let running = engine.start(SpeculationTests.request(.draft) { $0.maxTokens = 5 })
        engine.core.step { false }
        #expect(executor.capturedStreams != nil && executor.capturedLayers.isEmpty)
        engine.runToEnd()
        #expect(running.tokens.count == 5)
    }

    @Test("A device that keeps no outputs of layers refuses the drafter")
    func otherDevice() throws {
        let error = #expect(throws: EngineError.self) {
            try SteppedEngine(
                try Fixture.model("lfm2"), draft: try DrafterFixture.drafter("dspark"), device: ScriptedDevice())
        }
        #expect(error?.code == .unsupportedTask && error?.field == "draftModel")
    }
}

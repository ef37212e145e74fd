import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Output with proposals of an assistant, compared with the same output without.
@Suite(.inTurns)
struct AssistantSpeculationTests {
    private static func engine(
        _ model: Model, _ drafter: AssistantDrafter, _ change: (inout EngineOptions) -> Void = { _ in }
    ) throws -> SteppedEngine {
        try SteppedEngine(model, draft: drafter) { options in
            options.draftCost = 0.02
            change(&options)
        }
    }

    /// An engine whose assistant is right about every token, up to the last bits of logits.
    private static func chain(_ change: (inout EngineOptions) -> Void = { _ in }) throws -> SteppedEngine {
        try engine(try AssistantFixture.chainModel(), try AssistantFixture.chainDrafter(), change)
    }

    private static func random(_ change: (inout EngineOptions) -> Void = { _ in }) throws -> SteppedEngine {
        try engine(try Fixture.model(AssistantFixture.target), try AssistantFixture.drafter(), change)
    }

    @Test(
        "Greedy output is the same, with any type of keys and values",
        arguments: TestLevel.cases([KeyValueType.f32, .f16, .q8_0], standard: 2))
    func greedy(type: KeyValueType) throws {
        let (plain, checked) = try Self.random { $0.keyValueType = type }.pair()
        #expect(plain.tokens == checked.tokens && plain.tokens.count == 60)
        #expect((checked.result?.progress.draftedTokens ?? 0) > 0 && checked.error == nil)
    }

    @Test("Sampled output is the same for every seed")
    func sampled() throws {
        let engine = try Self.random()
        for seed in TestLevel.seeds(3, all: 12) {
            let (plain, checked) = engine.pair { $0.sample(seed) }
            #expect(plain.tokens == checked.tokens && plain.tokens.count == 40, "seed \(seed)")
        }
    }

    @Test("An assistant that knows what follows is right throughout, at any temperature")
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

    @Test("It goes on with the next turn, with another history, with a kept prefix and with a saved conversation")
    func turns() throws {
        let engine = try Self.chain { $0.prefixCacheBytes = 64 << 20 }
        let first = engine.start(SpeculationTests.request(.draft))
        engine.runToEnd()
        var request = SpeculationTests.request(.draft)
        request.prompt += first.tokens + SpeculationTests.prompt(30)
        let second = engine.start(request, in: first.session)
        engine.runToEnd()
        let saved = try #require(try engine.core.snapshot(second.session))
        request.prompt.removeLast(70)
        let third = engine.start(request, in: first.session)
        engine.runToEnd()
        let fourth = engine.start(request)
        engine.runToEnd()
        let restored = engine.makeSession()
        try engine.core.restore(saved, in: restored)
        request.prompt += third.tokens
        let fifth = engine.start(request, in: restored)
        engine.runToEnd()
        for running in [second, third, fourth, fifth] {
            let progress = try #require(running.result?.progress)
            #expect(progress.acceptedTokens > 20 && progress.acceptedTokens == progress.draftedTokens)
        }
        request.speculation = .off
        let expected = engine.start(request)
        engine.runToEnd()
        #expect(fifth.tokens == expected.tokens && third.tokens == fourth.tokens)
    }

    @Test("Sequences that are decoded together, with and without proposals, are what they are alone")
    func together() throws {
        for engine in [try Self.chain(), try Self.random()] {
            engine.expectSameTogether(promptLength: 60, maxTokens: 30)
        }
    }

    @Test("A generation that is cancelled, in its prompt or its output, leaves a session that goes on as any")
    func cancelled() throws {
        let engine = try Self.chain { $0.prefillChunk = 40 }
        try engine.expectSameAfterCancelling([0, 2, 4, 5, 7], isRight: true)
    }

    @Test("Output under a constraint, with forced tokens in it, is the same; so is output that ends anywhere")
    func constrained() throws {
        let engine = try Self.chain()
        engine.expectSameUnderLimits(small: try Self.chain { $0.contextSize = 170 })
    }

    @Test("What it holds counts as memory, and is given back with the engine")
    func memory() throws {
        let engine = try Self.chain()
        let running = engine.start(SpeculationTests.request(.draft) { $0.maxTokens = 20 })
        engine.runToEnd()
        #expect(running.tokens.count == 20 && engine.core.memory.used > 0)
        engine.core.unload()
        #expect(engine.core.memory.used == 0)
    }

    @Test("Vectors are kept in steps of generations that ask for it only")
    func onlyWhereAsked() throws {
        let engine = try Self.chain()
        let executor = try #require(engine.core.runner.executor as? CPUExecutor)
        _ = engine.start(SpeculationTests.request(.off) { $0.maxTokens = 5 })
        engine.runToEnd()
        #expect(executor.keptVectors == nil && !executor.keepsVectors)
        let running = engine.start(SpeculationTests.request(.draft) { $0.maxTokens = 5 })
        engine.core.step { false }
        #expect(executor.keptVectors != nil && !executor.keepsVectors)
        engine.runToEnd()
        #expect(running.tokens.count == 5)
    }

    @Test("A file of an assistant is loaded as what it is")
    func loading() throws {
        #expect(try DraftSources.load(path: AssistantFixture.path) is AssistantDrafter)
    }

    @Test("A device that does not provide keys and values refuses the assistant")
    func otherDevice() throws {
        let error = #expect(throws: EngineError.self) {
            try SteppedEngine(
                try Fixture.model(AssistantFixture.target), draft: try AssistantFixture.drafter(),
                device: ScriptedDevice())
        }
        #expect(error?.code == .unsupportedTask && error?.field == "draftModel")
    }
}

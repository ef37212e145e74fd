import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Output with the proposals of a draft model, compared with output without.
@Suite(.inTurns)
struct DraftSpeculationTests {
    /// An engine whose draft model counts as a small one.
    private static func engine(
        _ model: String, draft: String, _ change: (inout EngineOptions) -> Void = { _ in }
    ) throws -> SteppedEngine {
        try SteppedEngine(model, draft: draft) { options in
            options.draftCost = 0.02
            change(&options)
        }
    }

    private static func sampled(_ seed: UInt64, _ request: inout GenerationRequest) {
        request.sampling = SamplingValues()
        request.sampling.seed = seed
        request.sampling[.topK] = 5
        request.sampling[.repetitionPenalty] = 1.1
        request.maxTokens = 40
    }

    /// Both outputs, and what was proposed for the second.
    private static func pair(
        _ engine: SteppedEngine, _ change: (inout GenerationRequest) -> Void = { _ in }
    ) throws -> (plain: SteppedEngine.Running, checked: SteppedEngine.Running) {
        let plain = engine.start(SpeculationTests.request(.off, change))
        engine.runToEnd()
        let checked = engine.start(SpeculationTests.request(.draft, change))
        engine.runToEnd()
        return (plain, checked)
    }

    @Test(
        "Greedy output is the same with a draft model of any architecture",
        arguments: TestLevel.cases(
            [
                ("lfm2", "llama"), ("llama", "llama-3-scaling"), ("qwen3", "qwen2"), ("lfm2moe", "lfm2"),
                ("gemma3", "granite"), ("lfm2", "lfm2"), ("qwen35", "qwen3moe"), ("qwen3moe", "qwen35"),
                ("qwen35", "qwen35"), ("granitehybrid", "granitehybrid"),
            ], standard: 4))
    func greedy(model: String, draft: String) throws {
        let (plain, checked) = try Self.pair(try Self.engine(model, draft: draft))
        #expect(plain.tokens == checked.tokens && plain.tokens.count == 60)
        #expect((checked.result?.progress.draftedTokens ?? 0) > 0 && plain.result?.progress.draftedTokens == 0)
    }

    @Test(
        "Sampled output is the same for every seed; a draft model that is the model itself is always right",
        arguments: ["lfm2", "llama"])
    func sampled(draft: String) throws {
        let engine = try Self.engine("lfm2", draft: draft)
        for seed in TestLevel.seeds(3, all: 12) {
            let (plain, checked) = try Self.pair(engine) { Self.sampled(seed, &$0) }
            #expect(plain.tokens == checked.tokens, "seed \(seed)")
            let progress = try #require(checked.result?.progress)
            if draft == "lfm2" {
                #expect(progress.draftedTokens == progress.acceptedTokens && progress.acceptedTokens > 15)
            }
        }
    }

    @Test(
        "Output under a constraint, with forced tokens in it, is the same; proposals begin with what the constraint allows"
    )
    func constrained() throws {
        for draft in ["lfm2", "llama"] {
            let (plain, checked) = try Self.pair(try Self.engine("lfm2", draft: draft)) {
                $0.makeConstraint = { SpeculationTests.Pattern() }
            }
            #expect(plain.tokens == checked.tokens && plain.tokens.count == 50)
            #expect((checked.result?.progress.draftedTokens ?? 0) > 0)
            if draft == "lfm2" { #expect((checked.result?.acceptedTokens ?? 0) > 0) }
        }
    }

    @Test(
        "Output that ends anywhere leaves what a plain one leaves",
        arguments: TestLevel.cases([1, 2, 3, 7, 12, 20], standard: 3))
    func ending(maxTokens: Int) throws {
        let engine = try Self.engine("lfm2", draft: "lfm2")
        for stop in [nil, TokenID(260)] {
            let (plain, checked) = try Self.pair(engine) { request in
                request.maxTokens = maxTokens
                if let stop { request.stopTokens = [stop] }
            }
            #expect(plain.tokens == checked.tokens)
            let whole = 150 + checked.tokens.count
            #expect((whole - 1...whole).contains(checked.session.tokenCount))
            #expect(checked.result?.completionTokens == plain.result?.completionTokens)
        }
    }

    @Test(
        "The draft model goes on with the next turn, with another history, and with a prompt that another session had")
    func turns() throws {
        let engine = try Self.engine("lfm2", draft: "lfm2") { $0.prefixCacheBytes = 64 << 20 }
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
        var plain = request
        plain.speculation = .off
        let expected = engine.start(plain)
        engine.runToEnd()
        #expect(third.tokens == expected.tokens && fourth.tokens == expected.tokens)
    }

    @Test("Sequences that are decoded together, with and without proposals, are what they are alone")
    func together() throws {
        let engine = try Self.engine("lfm2", draft: "lfm2")
        func request(_ index: Int, _ speculation: Speculation) -> GenerationRequest {
            SpeculationTests.request(speculation) {
                $0.prompt = SpeculationTests.prompt(100 + index, period: 11 + index)
            }
        }
        let alone = (0..<5).map { index in
            let running = engine.start(request(index, .off))
            engine.runToEnd()
            return running.tokens
        }
        let running = (0..<5).map { engine.start(request($0, [.off, .lookup, .draft, .draft, .draft][$0])) }
        engine.runToEnd()
        #expect(running.map(\.tokens) == alone)
        #expect(running.dropFirst(2).allSatisfy { ($0.result?.acceptedTokens ?? 0) > 0 })
    }

    @Test("The context ends where it ends without proposals, also where the draft model's is shorter")
    func contextEnd() throws {
        for (model, draft, size) in [("lfm2", "lfm2", 170), ("llama", "phi3", 1100)] {
            let engine = try Self.engine(model, draft: draft) { $0.contextSize = size }
            let (plain, checked) = try Self.pair(engine) { request in
                request.prompt = SpeculationTests.prompt(size - 90)
                request.maxTokens = nil
            }
            #expect(plain.tokens == checked.tokens && plain.tokens.count == 91)
            guard case .contextFull? = checked.result?.reason else {
                Issue.record("ended with \(String(describing: checked.result))")
                return
            }
        }
    }

    @Test("The draft model's state counts as memory, goes with the session, and gives way to what is generated")
    func memory() throws {
        let plain = try SteppedEngine("lfm2")
        let plainRunning = plain.start(SpeculationTests.request(.off))
        plain.runToEnd()
        let engine = try Self.engine("lfm2", draft: "lfm2")
        let running = engine.start(SpeculationTests.request(.draft))
        engine.runToEnd()
        #expect(engine.core.memory.used > plain.core.memory.used * 3 / 2)
        let session = try #require(running.session as Session?)
        engine.core.release(session.id)
        plain.core.release(plainRunning.session.id)
        let (held, plainHeld) = (engine.core.memory.used, plain.core.memory.used)
        engine.core.unload()
        #expect(engine.core.memory.used == 0 && held > plainHeld)

        // As much as the model needs alone: what the draft model takes of it is given back.
        let limited = try Self.engine("lfm2", draft: "lfm2")
        let first = limited.start(SpeculationTests.request(.draft) { $0.maxTokens = 2 })
        limited.runToEnd()
        limited.core.memory.limit = limited.core.memory.used
        let second = limited.start(
            SpeculationTests.request(.draft) {
                $0.prompt += SpeculationTests.prompt(100)
                $0.maxTokens = 10
            }, in: first.session)
        limited.runToEnd()
        #expect(second.error == nil && second.tokens.count == 10)
    }

    @Test("A draft model of another vocabulary is refused with both files and the first difference")
    func vocabulary() throws {
        let error = #expect(throws: EngineError.self) { try Self.engine("lfm2", draft: "qwen2") }
        #expect(error?.code == .incompatibleModels && error?.field == "draftModel")
        let message = error?.message ?? ""
        #expect(message.contains("qwen2.gguf") && message.contains("lfm2.gguf") && message.contains("token 288"))
    }

    @Test("Asking for a draft model's proposals without one is an error that says so")
    func missing() throws {
        let engine = try SteppedEngine("lfm2")
        let running = engine.start(SpeculationTests.request(.draft))
        engine.runToEnd()
        #expect(running.error?.code == .incompatibleModels && running.error?.field == "speculation")
    }

    @Test("What proposals lose is limited, however much they cost; right ones grow longer unless they cost too much")
    func length() {
        for cost in [0.0, 0.1, 0.3, 1.0, 3.0] {
            var wrong = DraftLength(draftCost: cost)
            var lost = 0.0
            var pending = 1
            for _ in 0..<1000 {
                wrong.noteToken()
                let count = wrong.count(limit: 16, pending: pending)
                guard count > 0 else {
                    pending += 1
                    continue
                }
                let spent = wrong.cost(of: count, pending: pending)
                (lost, pending) = (lost + spent, 1)
                wrong.spend(spent)
                wrong.note(proposed: count, accepted: 0)
            }
            #expect(lost <= DraftLength.start + 1000 * DraftLength.share && lost > 0 || cost == 3, "\(cost): \(lost)")

            var right = DraftLength(draftCost: cost)
            for _ in 0..<40 {
                let count = right.count(limit: 16, pending: 1)
                right.spend(right.cost(of: count, pending: 1))
                right.note(proposed: count, accepted: count)
            }
            #expect(right.pays == (cost < 0.7), "\(cost)")
            #expect((right.count(limit: 16, pending: 1) > 4) == (cost < 0.7), "\(cost)")
            #expect(!wrong.isWorth(pending: 10, reply: 256), "\(cost)")
        }
        // Prompts are computed where a reply is expected to make up for it; after many generations a bad draft model is
        // tried again.
        var small = DraftLength(draftCost: 0.1)
        #expect(small.isWorth(pending: 1000, reply: 256) && !small.isWorth(pending: 1000, reply: 20))
        #expect(!DraftLength(draftCost: 0.4).isWorth(pending: 1000, reply: 256))
        for _ in 0..<10 { small.note(proposed: 4, accepted: 0) }
        #expect(!small.isWorth(pending: 10, reply: 256))
        for _ in 0..<30 { small.begin() }
        #expect(small.isWorth(pending: 1000, reply: 256))
    }
}

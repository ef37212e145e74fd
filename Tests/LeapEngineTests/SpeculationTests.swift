import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Output with proposed tokens, compared with output without.
@Suite(.inTurns)
struct SpeculationTests {
    /// A prompt that repeats itself, so that something is proposed.
    static func prompt(_ count: Int, period: Int = 23, vocabulary: Int = 200) -> [TokenID] {
        (0..<count).map { TokenID(($0 % period) * 13 % vocabulary + 1) }
    }

    static func request(
        _ speculation: Speculation, _ change: (inout GenerationRequest) -> Void = { _ in }
    ) -> GenerationRequest {
        var request = GenerationRequest(prompt: prompt(150), sampling: .greedy, maxTokens: 60)
        change(&request)
        request.speculation = speculation
        return request
    }

    /// Both outputs, and what was proposed for the second.
    private static func pair(
        _ model: String, _ change: (inout GenerationRequest) -> Void = { _ in }
    ) throws -> (plain: SteppedEngine.Running, checked: SteppedEngine.Running) {
        let engine = try SteppedEngine(model)
        let plain = engine.start(request(.off, change))
        engine.runToEnd()
        let checked = engine.start(request(.lookup, change))
        engine.runToEnd()
        return (plain, checked)
    }

    @Test(
        "Greedy output is the same with proposals, in fewer passes",
        arguments: TestLevel.cases(Fixture.names, standard: 8))
    func greedy(model: String) throws {
        let (plain, checked) = try Self.pair(model)
        #expect(plain.tokens == checked.tokens && plain.tokens.count == 60)
        let progress = try #require(checked.result?.progress)
        #expect(progress.draftedTokens >= progress.acceptedTokens && plain.result?.progress.draftedTokens == 0)
    }

    @Test(
        "Sampled output is the same with proposals for every seed",
        arguments: TestLevel.cases([0.3, 1.0, 5.0], standard: 2))
    func sampled(temperature: Double) throws {
        var accepted = 0
        for seed in TestLevel.seeds(5, all: 40) {
            let (plain, checked) = try Self.pair(["lfm2", "llama", "qwen35", "granitehybrid"][Int(seed % 4)]) {
                request in
                request.sampling = SamplingValues()
                request.sampling.seed = seed
                request.sampling[.temperature] = temperature
                request.sampling[.topK] = 3
                request.sampling[.repetitionPenalty] = 1.1
                request.maxTokens = 40
            }
            #expect(plain.tokens == checked.tokens, "seed \(seed)")
            accepted += checked.result?.acceptedTokens ?? 0
        }
        if temperature == 0.3 { #expect(accepted > 0) }
    }

    /// Allows the tokens of one sequence in order, any token of a set in between.
    struct Pattern: TokenConstraint {
        var count = 0
        var isComplete: Bool { count == 50 }
        mutating func computeMask(into mask: inout TokenMask) {
            for token in SpeculationTests.prompt(23) { mask[token] = count % 3 != 1 || token % 2 == 0 }
        }
        mutating func accept(_ token: TokenID) throws { count += 1 }
        mutating func forcedTokens() -> [TokenID] { count % 7 == 3 ? [14, 27] : [] }
    }

    @Test(
        "Output under a constraint, with forced tokens in it, is the same with proposals",
        arguments: TestLevel.cases(["lfm2", "qwen3", "qwen35", "granitehybrid"], standard: 2))
    func constrained(model: String) throws {
        let (plain, checked) = try Self.pair(model) { $0.makeConstraint = { Pattern() } }
        #expect(plain.tokens == checked.tokens && plain.tokens.count == 50)
        #expect((checked.result?.progress.draftedTokens ?? 0) > 0)
    }

    @Test(
        "Output that ends anywhere leaves what a plain one leaves",
        arguments: TestLevel.cases(1...20, standard: 5))
    func ending(maxTokens: Int) throws {
        for stop in [nil, TokenID(14)] {
            let (plain, checked) = try Self.pair("lfm2") { request in
                request.maxTokens = maxTokens
                if let stop { request.stopTokens = [stop] }
            }
            #expect(plain.tokens == checked.tokens)
            let whole = 150 + checked.tokens.count
            #expect(
                (whole - 1...whole).contains(checked.session.tokenCount), "\(checked.session.tokenCount) of \(whole)")
            #expect(checked.result?.completionTokens == plain.result?.completionTokens)
        }
    }

    @Test(
        "A session goes on from checked tokens as from others",
        arguments: TestLevel.cases(["lfm2", "gemma3", "gemma3n", "qwen35", "granitehybrid"], standard: 3))
    func next(model: String) throws {
        let engine = try SteppedEngine(model)
        var outputs: [[TokenID]] = []
        for speculation in [Speculation.off, .lookup] {
            let first = engine.start(Self.request(speculation))
            engine.runToEnd()
            var request = Self.request(speculation)
            request.prompt += first.tokens + Self.prompt(30)
            let second = engine.start(request, in: first.session)
            // A recurrent state that was checked goes back to the start of its pass.
            #expect(
                second.task.progress.cachedPromptTokens > (["qwen35", "granitehybrid"].contains(model) ? 170 : 190))
            engine.runToEnd()
            outputs.append(second.tokens)
        }
        #expect(outputs[0] == outputs[1] && outputs[0].count == 60)
    }

    @Test("Sequences that are decoded together, with and without proposals, are what they are alone")
    func together() throws {
        let engine = try SteppedEngine("lfm2")
        let alone = (0..<5).map { index in
            let running = engine.start(Self.request(.off) { $0.prompt = Self.prompt(100 + index, period: 11 + index) })
            engine.runToEnd()
            return running.tokens
        }
        let running = (0..<5).map { index in
            engine.start(
                Self.request(index == 2 ? .off : .lookup) { $0.prompt = Self.prompt(100 + index, period: 11 + index) })
        }
        engine.runToEnd()
        #expect(running.map(\.tokens) == alone)
    }

    @Test("The context ends where it ends without proposals")
    func contextEnd() throws {
        let engine = try SteppedEngine("lfm2") { $0.contextSize = 170 }
        let results = [Speculation.off, .lookup].map { speculation in
            let running = engine.start(Self.request(speculation) { $0.maxTokens = nil })
            engine.runToEnd()
            return running
        }
        #expect(results[0].tokens == results[1].tokens)
        guard case .contextFull? = results[1].result?.reason else {
            Issue.record("ended with \(String(describing: results[1].result))")
            return
        }
    }

    @Test("A place that goes on to be repeated is followed; else the latest one is")
    func lookup() {
        var lookup = PromptLookup([1, 2, 3, 4, 5, 9, 1, 2, 3, 7, 8])
        #expect(lookup.proposal(4).isEmpty)
        for token in [1, 2, 3] as [TokenID] { lookup.append(token) }
        #expect(Array(lookup.proposal(2)) == [7, 8])
        lookup.append(4)
        #expect(lookup.proposal(2).isEmpty || lookup.proposal(1) == [5])
        #expect(PromptLookup([5, 5, 5, 5]).proposal(3) == [5])
        #expect(PromptLookup([]).proposal(3).isEmpty)
    }

    @Test("Proposals that are never right cost less than 3 % of a plain output; right ones grow longer")
    func cost() {
        var wrong = ProposalLength()
        var checked = 0
        for _ in 0..<1000 {
            guard wrong.count > 0 else {
                wrong.skip()
                continue
            }
            checked += wrong.count
            wrong.note(proposed: wrong.count, accepted: 0)
        }
        #expect(Double(checked) * ProposalLength.cost < 30, "\(checked)")
        var right = ProposalLength()
        for _ in 0..<4 { right.note(proposed: right.count, accepted: right.count) }
        #expect(right.count == ProposalLength.limit)
    }
}

import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The policies by which prompts share passes, counted in passes over an executor that computes nothing.
@Suite(.inTurns)
struct SchedulingPolicyTests {
    private static let chunk = 64

    private func engine(_ policy: SchedulingPolicy, _ device: ScriptedDevice = ScriptedDevice()) throws -> SteppedEngine
    {
        try SteppedEngine(try Fixture.model("llama"), device: device) {
            $0.prefillChunk = Self.chunk
            $0.contextSize = 4096
            $0.schedule = policy
        }
    }

    private func request(_ count: Int, seed: UInt64, maxTokens: Int = 1) -> GenerationRequest {
        var random = RandomGenerator(seed: seed)
        let prompt = (0..<count).map { _ in TokenID.random(in: 100..<500, using: &random) }
        return GenerationRequest(prompt: prompt, sampling: .greedy, maxTokens: maxTokens)
    }

    /// Steps until a generation has its first token.
    ///
    /// - Returns: the number of passes.
    private func passes(of running: SteppedEngine.Running, _ engine: SteppedEngine) -> Int {
        var count = 0
        while running.tokens.isEmpty, count < 1000 {
            engine.core.step { false }
            count += 1
        }
        return count
    }

    @Test("A short prompt behind long ones has its first token as soon as three quarters of the passes hold it")
    func shortBehindLong() throws {
        for (policy, most) in [(SchedulingPolicy.latency, 1), (.balanced, 1), (.throughput, 3)] {
            let engine = try engine(policy)
            let long = (0..<3).map { engine.start(request(1000, seed: UInt64($0 + 1))) }
            for _ in 0..<3 { engine.core.step { false } }
            let count = passes(of: engine.start(request(Self.chunk * 3 / 4, seed: 9)), engine)
            #expect(count == most && long.allSatisfy(\.tokens.isEmpty), "\(policy): \(count)")
            // Of two that come together, the shorter is first.
            let longer = engine.start(request(200, seed: 10))
            let shorter = engine.start(request(60, seed: 11))
            let first = passes(of: shorter, engine)
            #expect(policy == .throughput || first <= 2 && longer.tokens.isEmpty, "\(policy): \(first)")
        }
    }

    @Test("A long prompt ends within four times its own passes, however many short ones come, and none of them waits")
    func ageing() throws {
        let length = 600
        for policy in [SchedulingPolicy.latency, .balanced] {
            let engine = try engine(policy)
            let long = engine.start(request(length, seed: 1))
            var count = 0
            while long.tokens.isEmpty, count < 1000 {
                // As much as the long one leaves them.
                let short = engine.start(request(Self.chunk * 3 / 4, seed: UInt64(count + 2)))
                engine.core.step { false }
                count += 1
                // In its last pass the long one may be the shortest.
                #expect(!short.tokens.isEmpty || !long.tokens.isEmpty, "\(policy), pass \(count)")
            }
            #expect(count <= (4 * length + Self.chunk - 1) / Self.chunk, "\(policy): \(count)")
        }
    }

    @Test("For throughput the shares are even ones")
    func throughput() {
        var random = RandomGenerator(seed: 5)
        for turn in 0..<200 {
            let remaining = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                Int.random(in: 1...300, using: &random)
            }
            let budget = Int.random(in: 1...512, using: &random)
            let shares = SchedulingPolicy.throughput.shares(remaining, budget: budget, turn: turn)
            #expect(shares == PromptShares.split(remaining, budget: budget, turn: turn))
        }
    }

    @Test("All of a step is used, the first prompt has its quarter, and of the others the shortest is served first")
    func shortestFirst() {
        #expect(PromptShares.shortestFirst([], budget: 64, turn: 1) == [])
        #expect(PromptShares.shortestFirst([100, 30, 60], budget: 64, turn: 0) == [16, 30, 18])
        #expect(PromptShares.shortestFirst([10, 30, 60], budget: 64, turn: 0) == [10, 30, 24])
        #expect((0..<8).map { PromptShares.shortestFirst([9, 5], budget: 1, turn: $0)[0] }.reduce(0, +) == 2)
        var random = RandomGenerator(seed: 4)
        for turn in 0..<500 {
            let remaining = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                Int.random(in: 1...100, using: &random)
            }
            let budget = Int.random(in: 1...600, using: &random)
            let shares = PromptShares.shortestFirst(remaining, budget: budget, turn: turn)
            #expect(shares.reduce(0, +) == min(budget, remaining.reduce(0, +)))
            #expect(zip(shares, remaining).allSatisfy { $0 >= 0 && $0 <= $1 })
            #expect(shares[0] >= min(remaining[0], budget / PromptShares.oldestPart))
            // Where one is not served whole, none that needs more is served beyond its quarter.
            for index in remaining.indices where shares[index] < remaining[index] {
                for other in remaining.indices.dropFirst() where remaining[other] > remaining[index] {
                    #expect(shares[other] == 0, "\(remaining), \(budget)")
                }
            }
        }
    }

    @Test("A pass with several prompts may last as much longer as the policy says, and holds more of them")
    func patience() {
        let expected: [(SchedulingPolicy, [Double])] = [
            (.latency, [0.2, 0.2, 0.2]), (.balanced, [0.04, 0.08, 0.12]), (.throughput, [1, 1, 1]),
        ]
        for (policy, seconds) in expected {
            let budget = StepBudget(limit: 512, policy: policy)
            for (waiting, seconds) in zip([1, 2, 9], seconds) {
                #expect(abs(budget.sharedSeconds(besides: 1, waiting: waiting) - seconds) < 1e-9)
            }
        }
        var budget = StepBudget(limit: 512)
        for _ in 0..<50 { budget.note(promptTokens: 0, isFilled: false, decodingRows: 1, seconds: 0.02) }
        for _ in 0..<50 {
            let tokens = budget.tokens(besides: 1)
            budget.note(
                promptTokens: tokens, isFilled: true, decodingRows: 1, seconds: 0.02 + 0.001 * Double(tokens))
        }
        // 20 ms are left of 40, and 100 of 120.
        #expect((12...23).contains(budget.tokens(besides: 1)))
        #expect((79...107).contains(budget.tokens(besides: 1, waiting: 4)))
    }

    @Test("Each text is the same under every policy, whatever comes beside it", arguments: ["lfm2", "llama"])
    func texts(name: String) throws {
        let requests =
            [request(5, seed: 1, maxTokens: 20), request(150, seed: 2, maxTokens: 6)]
            + [request(70, seed: 3, maxTokens: 12), request(30, seed: 4, maxTokens: 4)]
        let texts = try SchedulingPolicy.allCases.map { policy in
            let engine = try SteppedEngine(name) {
                $0.prefillChunk = 32
                $0.schedule = policy
            }
            let running = requests.map { request in
                let running = engine.start(request)
                engine.core.step { false }
                return running
            }
            engine.runToEnd()
            return running.map(\.tokens)
        }
        let alone = try requests.map { request in
            let engine = try SteppedEngine(name)
            let running = engine.start(request)
            engine.runToEnd()
            return running.tokens
        }
        #expect(texts == Array(repeating: alone, count: texts.count) && alone.allSatisfy { !$0.isEmpty })
    }
}

import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Proposals that are drawn one token after the other, whatever computes their steps.
@Suite(.inTurns)
struct StepwiseDrafterTests {
    /// Proposes up to three tokens from logits by a rule, until a step that fails or is stopped.
    private final class ScriptedDrafter: StepwiseDrafter {
        private let executor: ScriptedExecutor
        private let logits: UnsafeMutableBufferPointer<Float>
        /// The number of the step that fails, and of the one that is stopped.
        var failing: Int?
        var stopped: Int?
        /// The number of tokens to propose for each generation, in turn.
        var counts: [Int] = []
        /// The requests that steps got.
        private(set) var steps: [[DraftStep]] = []

        init(_ executor: ScriptedExecutor) {
            self.executor = executor
            logits = .allocate(capacity: 4 * PartsFixture.vocabularySize)
        }

        deinit { logits.deallocate() }

        func makeSequence() -> DraftSequence {
            DraftSequence(executor.makeSequence(limit: 1024), DraftLength(draftCost: 0))
        }
        func begin(_ request: GenerationRequest, computed: Int, in sequence: DraftSequence) { sequence.begin() }
        func removePrefixes() {}
        func follow(
            _ prompts: [(generation: ActiveGeneration, end: Int)], chunk: Int, isShared: Bool,
            shouldContinue: () -> Bool
        ) {}
        func end(_ generation: ActiveGeneration) {}

        func begin(_ generation: ActiveGeneration, limit: Int, sequences: Int) -> DraftProposal? {
            guard let draft = generation.draft, !draft.isOff, !counts.isEmpty else { return nil }
            return DraftProposal(generation, draft, count: counts.removeFirst(), hidden: [0])
        }

        func step(
            _ proposals: [DraftProposal], shouldContinue: () -> Bool
        ) throws(EngineError) -> [DraftOutput]? {
            if steps.count == failing { throw EngineError(.outOfMemory, "the step fails") }
            if steps.count == stopped { return nil }
            steps.append(proposals.map(\.step))
            logits.update(repeating: 0)
            let size = PartsFixture.vocabularySize
            for (row, proposal) in proposals.enumerated() { logits[row * size + 200 + proposal.tokens.count] = 1 }
            guard let base = logits.baseAddress else { return nil }
            let rows = Rows(base: base, count: proposals.count, length: size)
            return proposals.enumerated().map { row, proposal in
                DraftOutput(logits: rows.slice(row..<row + 1), hidden: [Float(proposal.tokens.count + 1)])
            }
        }
    }

    private let parts = PartsFixture()

    /// Generations that decode, with a drafter that proposes so many tokens for each.
    ///
    /// - Parameter first: the number of the first one's session.
    private func decoding(
        _ counts: [Int], from first: Int = 1
    ) throws -> (drafter: ScriptedDrafter, generations: [ActiveGeneration]) {
        let drafter = ScriptedDrafter(parts.executor)
        let drafting = Drafting(drafter, sessions: parts.sessions, memory: parts.pool)
        var request = PartsFixture.request(5, maxTokens: 100)
        request.speculation = .draft
        let generations = try counts.indices.map { index in
            let session = parts.session(UInt64(first + index))
            let draft = drafting.begin(request, in: parts.sessions.use(session))
            let generation = parts.generation(parts.waiting(request, session: session), draft: draft)
            try parts.computePrompt(of: generation)
            return generation
        }
        drafter.counts = counts
        return (drafter, generations)
    }

    /// The tokens that each generation's next pass checks.
    private func proposed(_ generations: [ActiveGeneration]) -> [Int] {
        generations.map { $0.nextSegment(budget: 64, proposals: 8).proposalCount }
    }

    @Test("Each step takes the latest token and the vector of the step before, until each proposal is complete")
    func steps() throws {
        let (drafter, generations) = try decoding([3, 1])
        drafter.propose(for: generations, limit: 8) { true }
        #expect(drafter.steps.map(\.count) == [2, 1, 1])
        #expect(drafter.steps.map { $0[0].offset } == [0, 1, 2])
        #expect(drafter.steps.map { $0[0].hidden } == [[0], [1], [2]])
        #expect(drafter.steps.dropFirst().map { $0[0].token } == [200, 201])
        #expect(drafter.steps[0][0].token == generations[0].token(generations[0].tokenCount - 1))
        #expect(proposed(generations) == [3, 1])
    }

    @Test("At an error the open proposals end, their memory is given back, and what was drawn stays")
    func failing() throws {
        let (drafter, generations) = try decoding([3, 1])
        drafter.failing = 2
        for generation in generations { try generation.draft?.state.reserve(5) }
        let used = parts.pool.used
        drafter.propose(for: generations, limit: 8) { true }
        #expect(generations.map { $0.draft?.isOff } == [true, false])
        #expect(parts.pool.used < used)
        #expect(proposed(generations) == [2, 1])
    }

    @Test("What was drawn before a stop stays, and the sequences go on")
    func stopped() throws {
        let (drafter, generations) = try decoding([3, 2])
        drafter.stopped = 1
        drafter.propose(for: generations, limit: 8) { true }
        #expect(generations.allSatisfy { $0.draft?.isOff == false })
        #expect(proposed(generations) == [1, 1])
        let (other, idle) = try decoding([3], from: 3)
        other.propose(for: idle, limit: 8) { false }
        #expect(other.steps.isEmpty && proposed(idle) == [0])
    }
}

import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The draft model beside a scheduler, alone.
@Suite(.inTurns)
struct DraftingTests {
    /// Takes down what it is told, and proposes the same tokens for all.
    private final class ScriptedDrafter: Drafter {
        private let executor: ScriptedExecutor
        var begun: [Int] = []
        var followed: [Int] = []
        var absorbed: [Range<Int>] = []
        var limits: [Int] = []
        var ended = 0

        init(_ executor: ScriptedExecutor) { self.executor = executor }

        var sourceLayers: [Int] { [2, 5] }
        func makeSequence() -> DraftSequence {
            DraftSequence(executor.makeSequence(limit: 1024), DraftLength(draftCost: 0))
        }
        func begin(_ request: GenerationRequest, computed: Int, in sequence: DraftSequence) { begun.append(computed) }
        func removePrefixes() {}
        func follow(
            _ prompts: [(generation: ActiveGeneration, end: Int)], chunk: Int, isShared: Bool,
            shouldContinue: () -> Bool
        ) { followed += prompts.map(\.end) }
        func absorb(_ computed: [ComputedSegment]) {
            absorbed += computed.map { $0.start..<$0.start + $0.streams.count }
        }
        func propose(for generations: [ActiveGeneration], limit: Int, shouldContinue: () -> Bool) {
            limits.append(limit)
            for generation in generations where shouldContinue() { generation.take(proposal: [7, 8, 9]) }
        }
        func end(_ generation: ActiveGeneration) { ended += 1 }
    }

    private let parts = PartsFixture()

    private func drafting(_ drafter: (any Drafter)?) -> Drafting {
        Drafting(drafter, sessions: parts.sessions, memory: parts.pool)
    }

    private func request(_ count: Int, _ speculation: Speculation = .draft) -> GenerationRequest {
        var request = PartsFixture.request(count, maxTokens: 100)
        request.speculation = speculation
        return request
    }

    private func generation(_ id: UInt64, _ request: GenerationRequest, _ drafting: Drafting) -> ActiveGeneration {
        let session = parts.session(id)
        let draft = drafting.begin(request, in: parts.sessions.use(session))
        return parts.generation(parts.waiting(request, session: session), draft: draft)
    }

    @Test("A session keeps its sequence from one generation to the next that asks for proposals, and no longer")
    func sequences() throws {
        let drafter = ScriptedDrafter(parts.executor)
        let drafting = drafting(drafter)
        let slot = parts.sessions.use(parts.session(1))
        let first = try #require(drafting.begin(request(5), in: slot))
        #expect(drafting.begin(request(9), in: slot) === first && drafter.begun == [0, 0])
        #expect(drafting.begin(request(9, .off), in: slot) == nil && slot.draft == nil)
        #expect(drafting.begin(request(5), in: slot) !== first)
    }

    @Test("Only those that decode get proposals, shorter ones where they are many, which their next segments check")
    func proposals() throws {
        let drafter = ScriptedDrafter(parts.executor)
        let drafting = drafting(drafter)
        let generations = (1...3).map { generation($0, request(5), drafting) }
        for generation in generations.dropFirst() { try parts.computePrompt(of: generation) }
        drafting.propose(for: generations) { false }
        #expect(drafter.limits == [ProposalLength.limit / 2])
        #expect(generations.map { $0.nextSegment(budget: 64, proposals: 8).count } == [5, 4, 4])
        drafting.propose(for: generations) { true }
        #expect(generations.dropFirst().map { $0.nextSegment(budget: 64, proposals: 8).count } == [1, 1])
    }

    @Test("It follows prompts, and is given its own rows of what the model's layers put out")
    func streams() throws {
        let drafter = ScriptedDrafter(parts.executor)
        let drafting = drafting(drafter)
        let generations = [
            generation(1, request(50), drafting), generation(2, request(9, .off), drafting),
            generation(3, request(30), drafting),
        ]
        let work = generations.map { BatchPart.next(of: $0, budget: 20) }
        drafting.follow(work, chunk: 64, isShared: false) { false }
        #expect(drafter.followed == [20, 20])
        #expect(drafting.capturedLayers(of: work) == [2, 5])
        #expect(drafting.capturedLayers(of: [work[1]]).isEmpty)
        _ = try parts.executor.run(work.map(\.segment)) { true }
        drafting.absorb(work, nil)
        #expect(drafter.absorbed.isEmpty)
        var floats = [Float](repeating: 0, count: work.rows)
        floats.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            drafting.absorb(work, Rows(base: base, count: work.rows, length: 1))
        }
        #expect(drafter.absorbed == [0..<20, 0..<9, 0..<20])
        drafting.end(generations[0])
        #expect(drafter.ended == 1)
    }

    @Test("What it holds is given up at once; without a draft model there is nothing")
    func memory() throws {
        let drafting = drafting(ScriptedDrafter(parts.executor))
        let draft = try #require(drafting.begin(request(5), in: parts.sessions.use(parts.session(1))))
        #expect(!drafting.reclaim(rows: 1))
        try draft.state.reserve(5)
        #expect(drafting.reclaim(rows: 1) && parts.pool.used == 0 && draft.isOff)
        drafting.unload()
        #expect(!drafting.isAvailable && !drafting.reclaim(rows: 1))
        #expect(self.drafting(nil).begin(request(5), in: parts.sessions.use(parts.session(2))) == nil)
    }
}

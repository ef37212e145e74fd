import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The choice of a step's batch, alone.
@Suite(.inTurns)
struct BatchPlannerTests {
    private let parts = PartsFixture()

    private func generation(_ id: UInt64, prompt: Int) -> ActiveGeneration {
        parts.generation(
            parts.waiting(PartsFixture.request(prompt, maxTokens: 100), session: parts.session(id)))
    }

    @Test("For throughput, prompts share the whole step, and one that waits for a picture is left out")
    func prompts() {
        var planner = BatchPlanner(StepBudget(limit: 64, policy: .throughput))
        let generations = [generation(1, prompt: 200), generation(2, prompt: 10), generation(3, prompt: 200)]
        #expect(planner.plan(generations).map(\.segment.count) == [27, 10, 27])
        generations[0].waitsForMedia = true
        let plan = planner.plan(generations)
        #expect(plan.map(\.segment.count) == [10, 54] && plan.map(\.generation.session.id) == [2, 3])
        #expect(planner.plan([]).isEmpty)
    }

    @Test("Otherwise the shortest prompt comes first, and a quarter of the step is for the one that began first")
    func shortestFirst() {
        for policy in [SchedulingPolicy.latency, .balanced] {
            var planner = BatchPlanner(StepBudget(limit: 64, policy: policy))
            let generations = [generation(1, prompt: 200), generation(2, prompt: 100), generation(3, prompt: 10)]
            let plan = planner.plan(generations)
            #expect(plan.map(\.generation.session.id) == [1, 2, 3] && plan.map(\.segment.count) == [16, 38, 10])
        }
    }

    @Test("A step of so many generations is measured once without prompts, where several of them wait")
    func measuring() throws {
        for (policy, id, isMeasured) in [(SchedulingPolicy.balanced, 1, true), (.throughput, 4, false)] {
            var planner = BatchPlanner(StepBudget(limit: 64, policy: policy))
            let first = UInt64(id)
            let generations = [
                generation(first, prompt: 200), generation(first + 1, prompt: 200), generation(first + 2, prompt: 6),
            ]
            try parts.computePrompt(of: generations[2])
            #expect((planner.plan(generations).map(\.segment.count) == [1]) == isMeasured)
            // Once, also where nothing was learnt from it.
            #expect(planner.plan(generations).rows > 1)
            #expect(planner.plan(Array(generations.dropFirst())).rows > 1)
        }
    }

    @Test("Generations that decode come first, with a token each, and leave prompts less of the step")
    func decoding() throws {
        var planner = BatchPlanner(StepBudget(limit: 64))
        let generations = [generation(1, prompt: 200), generation(2, prompt: 5), generation(3, prompt: 6)]
        for generation in generations.dropFirst() { try parts.computePrompt(of: generation) }
        let plan = planner.plan(generations)
        #expect(plan.map(\.generation.session.id) == [2, 3, 1] && plan.map(\.segment.count) == [1, 1, 14])
        #expect(plan.rows == 16)
    }

    @Test("For throughput, prompts take turns where there are more of them than tokens of a step")
    func turns() {
        var planner = BatchPlanner(StepBudget(limit: 2, policy: .throughput))
        let generations = (1...4).map { generation($0, prompt: 50) }
        var served: [UInt64: Int] = [:]
        for _ in 0..<8 {
            for part in planner.plan(generations) { served[part.generation.session.id, default: 0] += 1 }
        }
        #expect(served == [1: 4, 2: 4, 3: 4, 4: 4])
    }

    @Test("A step that took too long makes the next ones smaller")
    func learning() {
        var planner = BatchPlanner(StepBudget(limit: 512))
        let alone = [generation(1, prompt: 1000)]
        #expect(planner.plan(alone).rows == 512 && planner.draftChunk(isShared: false) == 512)
        planner.note(promptTokens: 512, of: 1000, decodingRows: 0, seconds: 3)
        #expect(planner.plan(alone).rows == 256 && planner.draftChunk(isShared: false) == 256)
    }
}

import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The computation of steps, without a model.
@Suite(.inTurns)
struct BatchRunnerTests {
    private let parts: PartsFixture
    private let runner: BatchRunner

    init() {
        let parts = PartsFixture()
        self.parts = parts
        runner = BatchRunner(
            parts.executor, BatchPlanner(StepBudget(limit: 64)), active: parts.active, memory: parts.reclaimer(),
            media: MediaReading(nil, whenRead: { _ in }),
            drafting: Drafting(nil, sessions: parts.sessions, memory: parts.pool),
            speech: FrameWriter(nil, active: parts.active, pool: parts.pool), prefixes: parts.prefixes, now: { .now })
        for (id, count) in [(1, 70), (2, 5)] as [(UInt64, Int)] {
            parts.active.append(
                parts.generation(parts.waiting(PartsFixture.request(count), session: parts.session(id))))
        }
    }

    private var generated: [Int] { parts.active.all.map(\.generated.count) }

    @Test("A step computes a batch of all, and each gets its logits")
    func steps() {
        runner.step { false }
        #expect(generated == [0, 1] && parts.executor.steps.map(\.counts) == [[59, 5]])
        for _ in 0..<3 { runner.step { false } }
        #expect(generated == [3, 4] && parts.active.removeFinished().map(\.session.id) == [2])
    }

    @Test("A step that is stopped leaves everything as it was; one that fails is computed for each alone")
    func interruptions() {
        runner.step { true }
        #expect(generated == [0, 0] && parts.active.all.map(\.state.count) == [0, 0])
        let victim = ObjectIdentifier(parts.active.all[0].state)
        parts.executor.fault = { _, segments in
            segments.contains { ObjectIdentifier($0.sequence) == victim }
                ? EngineError(.unsupportedTask, "the sequence cannot be computed") : nil
        }
        runner.step { false }
        #expect(generated == [0, 1] && parts.active.removeFinished().map(\.session.id) == [1])
    }

    @Test("Nothing is computed once it was unloaded")
    func unloaded() {
        runner.unload()
        runner.step { false }
        #expect(runner.executor == nil && parts.executor.count == 0)
    }
}

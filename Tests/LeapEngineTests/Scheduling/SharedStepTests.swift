import LeapBase
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The time of steps that have prompts while generations wait for their next token, by a clock of the test's.
@Suite(.inTurns)
struct SharedStepTests {
    /// A step with prompts.
    private struct Shared {
        let decoding: Int
        /// The prompts that waited for their first token.
        let waiting: Int
        let promptTokens: Int
        let seconds: Double
    }

    /// The time of a step of so many rows: reading the weights, and each row.
    private static func seconds(_ rows: Int) -> Double { 0.018 + rowSeconds * Double(rows) }
    private static let rowSeconds = 0.002

    private final class TestClock {
        var time = ContinuousClock.now
    }

    /// An engine whose steps take that time.
    private final class Timed {
        let engine: SteppedEngine
        private(set) var shared: [Shared] = []
        /// The rows of every step.
        private(set) var rows: [Int] = []
        private let clock: TestClock

        init(schedule: SchedulingPolicy = .balanced, sharedStepSeconds: Double? = nil) throws {
            let device = ScriptedDevice()
            let clock = TestClock()
            self.clock = clock
            engine = try SteppedEngine(
                try Fixture.model("llama"), device: device,
                {
                    $0.schedule = schedule
                    $0.sharedStepSeconds = sharedStepSeconds
                },
                now: { clock.time })
            try #require(device.executor).fault = { [unowned self] _, segments in
                let rows = segments.reduce(0) { $0 + $1.count }
                let active = engine.core.active.all
                let decoding = active.count { !$0.isPrefilling }
                let seconds = SharedStepTests.seconds(rows)
                clock.time += .seconds(seconds)
                self.rows.append(rows)
                if decoding > 0, rows > decoding {
                    shared.append(
                        Shared(
                            decoding: decoding, waiting: active.count - decoding, promptTokens: rows - decoding,
                            seconds: seconds))
                }
                return nil
            }
        }

        func start(_ count: Int, seed: UInt64, maxTokens: Int) -> SteppedEngine.Running {
            var random = RandomGenerator(seed: seed)
            let prompt = (0..<count).map { _ in TokenID.random(in: 100..<500, using: &random) }
            return engine.start(GenerationRequest(prompt: prompt, sampling: .greedy, maxTokens: maxTokens))
        }

        /// A generation begins, and as many prompts come while it waits for its second token; then all of them
        /// generate.
        func round(_ prompts: Int, seed: UInt64) {
            let first = start(200, seed: seed, maxTokens: 60)
            while first.tokens.isEmpty { engine.core.step { false } }
            for index in 0..<prompts { _ = start(100, seed: seed + 1 + UInt64(index), maxTokens: 30) }
            for _ in 0..<2000 where engine.core.hasWork { engine.core.step { false } }
        }
    }

    /// Steps of sixteen generations take long; what may be added to one of them must not be what is added to a step of
    /// one.
    @Test(
        "Prompts make a step no longer than it may be, also after steps of many generations", arguments: [3, 7, 15],
        SchedulingPolicy.allCases)
    func bound(prompts: Int, schedule: SchedulingPolicy) throws {
        let timed = try Timed(schedule: schedule)
        for round in 0..<3 { timed.round(prompts, seed: UInt64(1000 * round + 1)) }
        #expect(timed.shared.contains { $0.decoding == 1 })
        for step in timed.shared {
            // Rows come in units, and steps of a unit are taken for alike.
            let unit = StepBudget.rowUnit
            let alone = Self.seconds(step.decoding == 1 ? 1 : (step.decoding + unit - 1) / unit * unit)
            let usual = max(schedule.sharedStepSeconds, schedule.sharedStepFactor * alone)
            let bound = usual * schedule.patience(waiting: step.waiting) + Double(unit) * Self.rowSeconds
            #expect(step.seconds <= bound, "\(step)")
        }
    }

    @Test("A generation that waits is told its next token soon, whatever it is that waits beside it, and prompts go on")
    func both() throws {
        let timed = try Timed()
        let running = (0..<16).map { timed.start(4, seed: 50 + UInt64($0), maxTokens: 100) }
        while running.contains(where: { $0.tokens.count < 5 }) { timed.engine.core.step { false } }
        let before = timed.shared.count
        let long = timed.start(300, seed: 99, maxTokens: 1)
        for _ in 0..<90 where long.tokens.isEmpty { timed.engine.core.step { false } }
        let steps = timed.shared.dropFirst(before)
        #expect(!long.tokens.isEmpty)
        // Half of a step at most, and never nothing.
        #expect(steps.allSatisfy { $0.promptTokens >= 1 && $0.seconds <= 2 * Self.seconds($0.decoding) + 0.016 })
    }

    @Test(
        "Texts that are read beside a generation make it wait no longer than the option says", arguments: [0.04, 0.1])
    func reading(limit: Double) throws {
        let timed = try Timed(sharedStepSeconds: limit)
        let running = timed.start(4, seed: 1, maxTokens: 200)
        while running.tokens.count < 2 { timed.engine.core.step { false } }
        let before = timed.rows.count
        var random = RandomGenerator(seed: 2)
        let text = (0..<300).map { _ in TokenID.random(in: 100..<500, using: &random) }
        timed.engine.core.score(
            ScoringGroup([ScoringRequest(tokens: text, purpose: .likelihoods(from: 1, alternatives: 0))]))
        for _ in 0..<100 { timed.engine.core.step { false } }
        // The generation's own steps have one row; nothing is computed for the last token.
        let read = timed.rows.dropFirst(before).filter { $0 > 1 }
        #expect((text.count - 2...text.count).contains(read.reduce(0, +)), "\(read)")
        #expect(running.tokens.count > 20)
        let largest = try #require(read.max())
        #expect(Self.seconds(largest) <= limit + Double(StepBudget.rowUnit) * Self.rowSeconds)
        #expect(Self.seconds(largest) > limit / 2)
    }
}

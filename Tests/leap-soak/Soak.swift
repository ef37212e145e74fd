import LeapCore
import LeapDemoModel

/// Uses a model in every way a conversation offers, again and again.
struct Soak {
    private static let conversations = 8

    let end: ContinuousClock.Instant
    /// The folder in which prompts are kept between rounds; nil keeps them in memory only.
    let folder: String?

    /// The answers to the fixed questions, by question: every round has to give them again.
    private var answers: [String: String] = [:]
    /// Private bytes after each round.
    private var memory: [Int] = []
    private var failures = 0

    init(end: ContinuousClock.Instant, folder: String?) {
        self.end = end
        self.folder = folder
    }

    /// Runs until the end; false if anything was not as it has to be.
    mutating func run() async throws -> Bool {
        while ContinuousClock.now < end {
            try await round()
        }
        guard memory.count > 2 else { return failures == 0 }
        let (second, last) = (memory[1], memory[memory.count - 1])
        let hasGrown = last > second + max(second / 10, 8 << 20)
        Main.say(
            "memory after the second round \(second >> 10) KiB, after the last \(last >> 10) KiB; \(failures) failures")
        return failures == 0 && !hasGrown
    }

    private mutating func round() async throws {
        let cache =
            folder.map { LiquidCacheOptions(path: $0, enabled: true, maxEntriesDisk: 64, maxEntriesMemory: 32) }
            ?? LiquidCacheOptions(path: "", enabled: true, maxEntriesMemory: 32, diskDisabled: true)
        let runner = try await Leap.load(
            url: try LeapDemoModel.url,
            options: LiquidInferenceEngineOptions(cacheOptions: cache, contextSize: UInt32.random(in: 512...2048)))
        runner.follow(MemoryPolicy()) { event, given in Main.say("memory event \(event.rawValue): \(given)") }
        let roundEnd = min(end, .now + .milliseconds(Int.random(in: 3000...12_000)))
        let outcomes = await withTaskGroup(of: Actor.Outcome.self) { group in
            for _ in 0..<Self.conversations {
                group.addTask { await Actor(runner: runner).act(until: roundEnd) }
            }
            var all = Actor.Outcome()
            for await outcome in group { all.add(outcome) }
            return all
        }
        failures += outcomes.failures.count
        for failure in outcomes.failures { Main.say("FAILED: \(failure)") }
        for (question, answer) in outcomes.answers {
            let known = answers[question, default: answer]
            if known != answer {
                failures += 1
                Main.say("FAILED: “\(question)” was answered with “\(known)” before and “\(answer)” now")
            }
            answers[question] = known
        }
        let statistics = runner.statistics
        let givenBack = statistics.givenBackBytes?.values.reduce(0, +) ?? 0
        await runner.unload()
        memory.append(PrivateMemory.byteCount)
        Main.say(
            "round \(memory.count): \(outcomes.actions) actions, \(statistics.generatedTokens) tokens generated, "
                + "\(statistics.cachedPromptTokens) kept, "
                + "\(givenBack >> 10) KiB given back, \(outcomes.failures.count) failures, "
                + "\((memory.last ?? 0) >> 10) KiB private")
    }
}

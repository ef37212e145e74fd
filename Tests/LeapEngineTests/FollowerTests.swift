import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Prompts that come at once and begin alike.
@Suite(.inTurns)
struct FollowerTests {
    private static let beginning = 200
    /// The full pages of the beginning.
    private static let shared = 192

    private func request(_ end: Int, beginning: Int = beginning, seed: UInt64 = 1) -> GenerationRequest {
        var random = RandomGenerator(seed: seed)
        let prompt = (0..<beginning).map { _ in TokenID.random(in: 0..<380, using: &random) }
        return GenerationRequest(
            prompt: prompt + (0..<10).map { TokenID((end * 37 + $0 * 11) % 380) }, sampling: .greedy, maxTokens: 5)
    }

    private func engine(_ name: String, _ change: (inout EngineOptions) -> Void = { _ in }) throws -> SteppedEngine {
        try SteppedEngine(name) {
            $0.prefillChunk = 32
            $0.prefixCacheBytes = 64 << 20
            change(&$0)
        }
    }

    private func alone(_ request: GenerationRequest, _ name: String) throws -> [TokenID] {
        let engine = try engine(name)
        let running = engine.start(request)
        engine.runToEnd()
        return running.tokens
    }

    @Test(
        "A beginning that several prompts share is computed once, and each gets its own text",
        arguments: TestLevel.cases(["lfm2", "llama", "qwen35", "granitehybrid"], standard: 2))
    func computedOnce(name: String) throws {
        let engine = try engine(name)
        let requests = (0..<6).map { request($0) }
        let running = requests.map { engine.start($0) }
        #expect(engine.core.counters.statistics.activeGenerations == 1)
        #expect(engine.core.counters.statistics.queuedGenerations == 5)
        engine.runToEnd()
        #expect(try running.map(\.tokens) == requests.map { try alone($0, name) })
        #expect(running.map { $0.result?.cachedPromptTokens } == [0] + Array(repeating: Self.shared, count: 5))
        #expect(running.map { $0.result?.promptTokens } == [210] + Array(repeating: 210 - Self.shared, count: 5))
        #expect(engine.core.counters.statistics.queuedGenerations == 0)
    }

    @Test("A prompt that comes later takes at once what another has computed of it until then")
    func comesLater() throws {
        let engine = try engine("lfm2")
        // Two pages in common, of which the longer prompt is past already.
        let long = engine.start(request(0))
        for _ in 0..<5 { engine.core.step { false } }
        #expect(long.tokens.isEmpty)
        let late = GenerationRequest(
            prompt: Array(request(0).prompt.prefix(130)) + [7, 8, 9], sampling: .greedy, maxTokens: 5)
        let running = engine.start(late)
        #expect(engine.core.admission.followerCount == 0 && engine.core.active.count == 2)
        engine.runToEnd()
        #expect(running.result?.cachedPromptTokens == 128)
        #expect(try running.tokens == alone(late, "lfm2"))
    }

    @Test(
        "Where the first is cancelled, the others go on with what it has, and one of them computes the rest"
    )
    func leaderCancelled() throws {
        let engine = try engine("lfm2")
        let requests = (0..<3).map { request($0) }
        let running = requests.map { engine.start($0) }
        for _ in 0..<3 { engine.core.step { false } }
        running[0].task.cancel()
        engine.runToEnd()
        #expect(try running.dropFirst().map(\.tokens) == requests.dropFirst().map { try alone($0, "lfm2") })
        #expect(running.dropFirst().map { $0.result?.cachedPromptTokens } == [96, Self.shared])
    }

    @Test("One that waits ends when it is cancelled, and its session can be used")
    func followerCancelled() throws {
        let engine = try engine("lfm2")
        let first = engine.start(request(0))
        let second = engine.start(request(1))
        engine.core.step { false }
        second.task.cancel()
        engine.core.step { false }
        #expect(second.result?.progress == GenerationProgress() && first.result == nil)
        let again = engine.start(request(1), in: second.session)
        engine.runToEnd()
        #expect(try again.tokens == alone(request(1), "lfm2"))
    }

    @Test("Unloading ends those that wait")
    func unloaded() throws {
        let engine = try engine("lfm2")
        let running = (0..<3).map { engine.start(request($0)) }
        engine.core.step { false }
        engine.core.unload()
        #expect(running.allSatisfy { $0.result != nil } && engine.core.admission.followerCount == 0)
    }

    @Test("None waits where nothing is kept in memory, for less than a page, or for what its own session has")
    func noneWaits() throws {
        let without = try engine("lfm2") { $0.prefixCacheBytes = 0 }
        _ = (0..<3).map { without.start(request($0)) }
        #expect(without.core.active.count == 3)
        without.runToEnd()

        let short = try engine("lfm2")
        _ = (0..<3).map { short.start(request($0, beginning: 63)) }
        #expect(short.core.active.count == 3)
        short.runToEnd()

        let own = try engine("lfm2") { $0.prefixCacheBytes = 1 }
        let first = own.start(request(0))
        own.runToEnd()
        let other = own.start(request(1))
        let again = own.start(request(2), in: first.session)
        #expect(own.core.active.count == 2)
        own.runToEnd()
        #expect(other.result?.cachedPromptTokens == 0 && (again.result?.cachedPromptTokens ?? 0) >= Self.shared)
    }
}

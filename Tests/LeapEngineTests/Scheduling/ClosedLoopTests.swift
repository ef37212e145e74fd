import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Clients that each send their next request when they have the whole reply to the one before, by a clock of the test's.
@Suite(.inTurns)
struct ClosedLoopTests {
    private static let clients = 16
    /// The new tokens of a prompt, and those of a reply.
    private static let (prompt, reply) = (192, 64)
    private static let seconds = 40.0

    /// The time of a pass of so many rows, about that of a model with 0.6 billion weights on two cores.
    private static func seconds(_ rows: Int) -> Double {
        rows <= 1 ? 0.019 : 0.025 + 0.0019 * Double((rows + 7) / 8 * 8)
    }

    private final class TestClock {
        private let start = ContinuousClock.now
        var seconds = 0.0
        var now: ContinuousClock.Instant { start + .seconds(seconds) }
    }

    private struct Figures {
        var firstTokens: [Double] = []
        var tokens = 0

        var medianFirstToken: Double { firstTokens.sorted()[firstTokens.count / 2] }
    }

    private func figures(_ change: (inout EngineOptions) -> Void) throws -> Figures {
        let device = ScriptedDevice(isRecurrent: true)
        let clock = TestClock()
        let engine = try SteppedEngine(try Fixture.model("llama"), device: device, change, now: { clock.now })
        let executor = try #require(device.executor)
        executor.fault = { _, segments in
            clock.seconds += Self.seconds(segments.reduce(0) { $0 + $1.count })
            return nil
        }
        var random = RandomGenerator(seed: 1)
        var figures = Figures()
        var running: [(reply: SteppedEngine.Running, sent: Double, isBegun: Bool)] = []
        func send() {
            let tokens = (0..<Self.prompt).map { _ in TokenID.random(in: 100..<500, using: &random) }
            let request = GenerationRequest(prompt: tokens, sampling: .greedy, maxTokens: Self.reply)
            running.append((engine.start(request), clock.seconds, false))
        }
        for _ in 0..<Self.clients { send() }
        while clock.seconds < Self.seconds {
            engine.core.step { false }
            for index in running.indices where !running[index].isBegun && !running[index].reply.tokens.isEmpty {
                running[index].isBegun = true
                figures.firstTokens.append(clock.seconds - running[index].sent)
            }
            let ended = running.filter { $0.reply.result != nil }
            figures.tokens += ended.count * Self.reply
            running.removeAll { $0.reply.result != nil }
            for _ in ended { send() }
        }
        return figures
    }

    @Test("With 16 clients the first token comes within three seconds in the median, and no fewer tokens come")
    func median() throws {
        // As it was before there were policies.
        let before = try figures {
            $0.schedule = .throughput
            $0.sharedStepSeconds = 0.040
        }
        let balanced = try figures { $0.schedule = .balanced }
        let latency = try figures { $0.schedule = .latency }
        #expect(before.medianFirstToken > 6)
        #expect(balanced.medianFirstToken < 3, "\(balanced.medianFirstToken)")
        #expect(latency.medianFirstToken <= balanced.medianFirstToken, "\(latency.medianFirstToken)")
        #expect(Double(balanced.tokens) > 0.9 * Double(before.tokens), "\(balanced.tokens), \(before.tokens)")
    }
}

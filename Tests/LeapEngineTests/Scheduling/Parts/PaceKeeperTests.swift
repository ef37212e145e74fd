import LeapBase
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The pace of an engine, by a clock and a source that follow a script.
@Suite(.inTurns)
struct PaceKeeperTests {
    /// A clock that the test moves.
    private final class Clock: Sendable {
        private let time = Locked(ContinuousClock.Instant.now)

        var now: ContinuousClock.Instant { time.withLock { $0 } }

        func pass(_ seconds: Double) { time.withLock { $0 += .seconds(seconds) } }
    }

    /// A source that says what the test wrote, and counts how often it was asked.
    private final class ScriptedPace: PaceSource {
        let pace = Locked(ComputePace(threads: 4))
        let asked = Locked(0)

        func pace(of threads: Int) -> ComputePace {
            asked.withLock { $0 += 1 }
            return pace.withLock { $0 }
        }
    }

    /// A device that takes down its limits.
    private final class LimitedDevice: Device {
        var limits: [Int] = []

        func makeExecutor(
            for model: Model, keyValueType: KeyValueType, contextSize: Int, memory: MemoryPool
        ) throws(EngineError) -> any Executor {
            throw EngineError(.unsupportedTask, "nothing is computed")
        }

        func makePass(for encoder: any MediaEncoder, memory: MemoryPool) throws(EngineError) -> any MediaPass {
            throw EngineError(.unsupportedTask, "nothing is computed")
        }

        func makeSpeechExecutor(
            for decoder: SpeechDecoder, memory: MemoryPool
        ) throws(EngineError) -> any SpeechExecutor {
            throw EngineError(.unsupportedTask, "nothing is computed")
        }

        func limitThreads(to count: Int) { limits.append(count) }
    }

    private let clock = Clock()
    private let source = ScriptedPace()
    private let device = LimitedDevice()
    private let setting = PaceSetting()
    private let counters = EngineCounters(memory: MemoryPool(limit: .max))
    private let keeper: PaceKeeper

    init() {
        keeper = PaceKeeper(
            setting, device: device, threads: 4, counters: counters, now: { [clock] in clock.now })
        setting.set(source)
    }

    /// Computes for so long.
    private func pass(_ seconds: Double) {
        keeper.beginPass()
        clock.pass(seconds)
        keeper.endPass()
    }

    private func isAbout(_ value: Double, _ expected: Double) -> Bool { abs(value - expected) < 1e-6 }

    @Test("The source is asked once a second, and at once where it was replaced")
    func interval() {
        for _ in 0..<9 { pass(0.1) }
        #expect(source.asked.withLock { $0 } == 1)
        pass(0.2)
        pass(0.1)
        #expect(source.asked.withLock { $0 } == 2)
        let other = ScriptedPace()
        setting.set(other)
        pass(0.1)
        #expect(source.asked.withLock { $0 } == 2 && other.asked.withLock { $0 } == 1)
    }

    @Test("Threads are limited as heat rises and freed as it falls, within those that there are")
    func threads() {
        pass(1)
        #expect(device.limits.isEmpty, "All threads compute from the beginning.")
        for threads in [2, 1, -3, 4, 9] {
            source.pace.withLock { $0.threads = threads }
            pass(1)
        }
        #expect(device.limits == [2, 1, 4])
        #expect(counters.statistics.pace?.pace.threads == 4)
    }

    @Test("A pause takes the rest of the duty cycle behind each pass, a second at most")
    func pauses() {
        source.pace.withLock { $0.dutyCycle = 0.75 }
        pass(0.3)
        #expect(isAbout(keeper.pause, 0.1))
        source.pace.withLock { $0.dutyCycle = 0.5 }
        clock.pass(1)
        pass(0.25)
        #expect(isAbout(keeper.pause, 0.25))
        pass(30)
        #expect(keeper.pause == PaceKeeper.longestPause)
        for value in [1, 1.5, .nan, .infinity] as [Double] {
            source.pace.withLock { $0.dutyCycle = value }
            clock.pass(1)
            pass(0.25)
            #expect(keeper.pause == 0, "\(value)")
        }
        source.pace.withLock { $0.dutyCycle = -1 }
        clock.pass(1)
        pass(0.01)
        #expect(isAbout(keeper.pause, 0.19))
    }

    @Test("A pause ends with a command, and is counted")
    func rest() {
        source.pace.withLock { $0.dutyCycle = 0.5 }
        pass(0.5)
        let mailbox = Mailbox()
        #expect(mailbox.post { _ in })
        keeper.rest(in: mailbox)
        #expect(keeper.pause == 0 && mailbox.take(waiting: false).count == 1)
        counters.add(pausedSeconds: 0.5)
        #expect(counters.statistics.pace?.pausedSeconds == 0.5)
        #expect(counters.statistics.pace?.pace.dutyCycle == 0.5)
    }

    @Test("Without a source, all threads compute without pauses, and there are no figures")
    func noSource() {
        source.pace.withLock { $0 = ComputePace(threads: 1, dutyCycle: 0.5) }
        pass(0.5)
        setting.set(nil)
        pass(0.5)
        #expect(device.limits == [1, 4] && keeper.pause == 0 && counters.statistics.pace == nil)
    }

    @Test("A reply has the same tokens at every pace")
    func sameTokens() throws {
        let prompt = (0..<40).map { TokenID(100 + $0 * 7 % 90) }
        let request = GenerationRequest(prompt: prompt, sampling: .greedy, maxTokens: 12)
        func tokens(_ pace: PaceSetting) throws -> [TokenID] {
            let engine = try SteppedEngine(
                try Fixture.model("llama"), device: try CPUDevice(threads: 3), threads: 3, pace: pace)
            let running = engine.start(request)
            var step = 0
            while engine.core.hasWork {
                source.pace.withLock { $0.threads = 1 + step % 3 }
                setting.set(source)
                engine.core.step { false }
                step += 1
            }
            return running.tokens
        }
        let paced = try tokens(setting)
        let plain = try tokens(PaceSetting())
        #expect(paced == plain && paced.count == 12)
        #expect(source.asked.withLock { $0 } >= 10)
    }
}

import Foundation
import LeapMeasurement
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Generations that are cancelled again and again.
@Suite(.inTurns)
struct CancellationTests {
    private static func request(_ index: Int) -> GenerationRequest {
        let prompt = (0..<100 + index % 90).map { TokenID(($0 * 31 + index * 7) % 380) }
        return GenerationRequest(prompt: prompt, sampling: .greedy, maxTokens: index % 2 == 0 ? 3 : nil)
    }

    /// Cancels pairs of generations: before they begin, while they wait, within the prompt, between tokens.
    private static func cancelMany(
        _ engine: SteppedEngine, _ count: Int, after noted: Int, _ note: () -> Void
    ) -> [SteppedEngine.Running] {
        var last: [SteppedEngine.Running] = []
        for index in 0..<count {
            let running = engine.start(request(index), cancelled: index % 7 == 0)
            let other = engine.start(request(index + 1))
            for _ in 0..<index % 4 { engine.core.step { false } }
            var layers = 0
            if index % 5 == 0 {
                engine.core.step {
                    layers += 1
                    return layers > 1
                }
            }
            running.task.cancel()
            other.task.cancel()
            engine.core.step { false }
            last = [running, other]
            for running in last { engine.core.release(running.session.id) }
            if index + 1 == noted { note() }
        }
        return last
    }

    @Test(
        "Hundreds of cancelled generations leave nothing behind, nor those with recurrent states",
        arguments: TestLevel.isAll
            ? [("lfm2", 500), ("qwen35", 100), ("granitehybrid", 100)] : [("lfm2", 60), ("qwen35", 30)])
    func memoryOfEngine(name: String, pairs: Int) throws {
        let engine = try SteppedEngine(name) {
            $0.prefillChunk = 40
            $0.maxActiveGenerations = 1
        }
        var first = 0
        let last = Self.cancelMany(engine, pairs, after: 20) {
            engine.core.runner.executor?.scratch.removeAll()
            first = engine.core.memory.used
        }
        engine.core.runner.executor?.scratch.removeAll()
        #expect(first == 0 && engine.core.memory.used == 0)
        #expect(last.allSatisfy { if case .cancelled? = $0.result?.reason { true } else { false } })
        let statistics = engine.core.counters.statistics
        #expect(statistics.activeGenerations == 0 && statistics.queuedGenerations == 0)
        let after = engine.start(Self.request(2))
        engine.runToEnd()
        let fresh = try SteppedEngine(name)
        let expected = fresh.start(Self.request(2))
        fresh.runToEnd()
        #expect(after.tokens == expected.tokens && after.tokens.count == 3)
    }

    #if compiler(>=6.2) && os(Linux)
        @Test(
            "The private memory of a process is the same after hundreds of cancelled generations as after the first ones"
        )
        func memoryOfProcess() async {
            await #expect(processExitsWith: .success) { try Self.cancelInThisProcess() }
        }

        private static func cancelInThisProcess() throws {
            let engine = try SteppedEngine("lfm2") {
                $0.prefixCacheBytes = 1 << 20
                $0.maxActiveGenerations = 1
            }
            var first = 0
            _ = cancelMany(engine, TestLevel.rounds(80, all: 500), after: 25) {
                first = ProcessMemory.current().privateResident
            }
            let last = ProcessMemory.current().privateResident
            print("private bytes: \(first) after 50 generations, \(last) after all")
            guard first > 0, Double(last) <= Double(first) * 1.05 else { exit(3) }
        }
    #endif
}

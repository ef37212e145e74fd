import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The figures of generations that end early.
@Suite(.inTurns)
struct GenerationFiguresTests {
    private let prompt = (0..<200).map { TokenID($0 * 7 % 500) }

    private func greedy(_ count: Int, maxTokens: Int? = 5) -> GenerationRequest {
        GenerationRequest(prompt: Array(prompt[..<count]), sampling: .greedy, maxTokens: maxTokens)
    }

    private func isCancelled(_ running: SteppedEngine.Running) -> Bool {
        if case .cancelled? = running.result?.reason { true } else { false }
    }

    @Test("Cancelled before it begins, a generation has computed and restored nothing")
    func cancelledBeforeBeginsGeneration() throws {
        let engine = try SteppedEngine("lfm2")
        let first = engine.start(greedy(20))
        engine.runToEnd()
        let held = first.session.tokenCount
        let second = engine.start(greedy(30), in: first.session, cancelled: true)
        #expect(isCancelled(second) && second.result?.progress == GenerationProgress())
        #expect(second.task.progress == GenerationProgress())
        #expect(first.session.tokenCount == held)
        #expect(engine.start(greedy(30), in: first.session).task.progress.cachedPromptTokens == 20)
    }

    @Test("Cancelled within the prompt, a generation reports what is computed and what was there")
    func cancelledWithinPromptGeneration() throws {
        let engine = try SteppedEngine("lfm2") { $0.prefillChunk = 16 }
        let first = engine.start(greedy(40))
        engine.runToEnd()
        let second = engine.start(greedy(200), in: first.session)
        for _ in 0..<3 { engine.core.step { false } }
        let expected = GenerationProgress(promptTokens: 48, cachedPromptTokens: 40)
        #expect(second.task.progress == expected)
        second.task.cancel()
        engine.core.step { false }
        #expect(isCancelled(second) && second.result?.progress == expected)
        #expect(second.session.tokenCount == 88 && second.task.progress == expected)
    }

    @Test("Cancelled within a pass, a generation does not count that pass", arguments: [16, 100])
    func cancelledWithinPassGeneration(chunk: Int) throws {
        let engine = try SteppedEngine("lfm2") { $0.prefillChunk = chunk }
        let running = engine.start(greedy(200))
        engine.core.step { false }
        #expect(running.task.progress == GenerationProgress(promptTokens: chunk))
        var layers = 0
        engine.core.step {
            layers += 1
            return layers > 2
        }
        // A pass that is given up may take up to 63 positions before it with it: the state is what counts.
        #expect(running.session.tokenCount <= chunk && running.session.tokenCount > chunk - 64)
        #expect(running.task.progress == GenerationProgress(promptTokens: running.session.tokenCount))
        running.task.cancel()
        engine.core.step { false }
        #expect(isCancelled(running))
        #expect(running.result?.progress == GenerationProgress(promptTokens: running.session.tokenCount))
    }

    @Test("Cancelled while it decodes, a generation reports the whole prompt and each token")
    func cancelledWhileDecodesGeneration() throws {
        let engine = try SteppedEngine("llama")
        let first = engine.start(greedy(40))
        engine.runToEnd()
        let second = engine.start(greedy(60, maxTokens: nil), in: first.session)
        for _ in 0..<4 { engine.core.step { false } }
        #expect(second.tokens.count == 4)
        second.task.cancel()
        engine.core.step { false }
        let expected = GenerationProgress(promptTokens: 20, cachedPromptTokens: 40, completionTokens: 4)
        #expect(isCancelled(second) && second.result?.progress == expected && second.task.progress == expected)
    }

    @Test("Unloading in the middle of the prompt reports what was computed")
    func unloadingMiddlePromptReports() throws {
        let engine = try SteppedEngine("lfm2") { $0.prefillChunk = 32 }
        let running = engine.start(greedy(200))
        engine.core.step { false }
        engine.core.unload()
        #expect(isCancelled(running) && running.result?.progress == GenerationProgress(promptTokens: 32))
    }

    @Test("A stop token and a failure report the same figures as any other end")
    func stopTokenFailureReport() throws {
        let engine = try SteppedEngine("llama")
        var request = greedy(60, maxTokens: nil)
        let free = engine.start(greedy(60))
        engine.runToEnd()
        request.stopTokens = [free.tokens[2]]
        let firstStop = free.tokens.firstIndex(of: free.tokens[2]) ?? 2
        let stopped = engine.start(request)
        engine.runToEnd()
        #expect(stopped.result?.progress == GenerationProgress(promptTokens: 60, completionTokens: firstStop))
        struct Dead: TokenConstraint {
            mutating func computeMask(into mask: inout TokenMask) {}
            mutating func accept(_ token: TokenID) throws {}
            var isComplete: Bool { false }
        }
        request.makeConstraint = { Dead() }
        let failed = engine.start(request)
        engine.runToEnd()
        #expect(failed.error?.code == .constraintFailed)
        #expect(failed.result?.progress == GenerationProgress(promptTokens: 60))
    }
}

import Foundation
import LeapBase
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Generating through the engine's thread.
@Suite(.inTurns)
struct EngineTests {
    private func engine(_ name: String = "lfm2", _ change: (inout EngineOptions) -> Void = { _ in }) throws -> Engine {
        var options = EngineOptions()
        options.threads = 2
        options.keyValueType = .f32
        change(&options)
        return try Engine(model: try Fixture.model(name), options: options)
    }

    /// Everything a generation reported.
    private struct Outcome {
        var tokens: [TokenID] = []
        var prefill: [Int] = []
        var result = GenerationResult(reason: .cancelled)
        var events = 0

        var error: EngineError? {
            if case .failed(let error) = result.reason { error as? EngineError } else { nil }
        }
    }

    private func collect(_ engine: Engine, _ request: GenerationRequest, _ session: Session? = nil) async -> Outcome {
        var outcome = Outcome()
        for await event in (session ?? engine.makeSession()).events(request) {
            outcome.events += 1
            switch event {
            case .prefill(let done, _): outcome.prefill.append(done)
            case .token(let token): outcome.tokens.append(token)
            case .speech: break
            case .finished(let result): outcome.result = result
            }
        }
        return outcome
    }

    private func greedy(_ prompt: [TokenID], _ count: Int) -> GenerationRequest {
        GenerationRequest(prompt: prompt, sampling: .greedy, maxTokens: count)
    }

    @Test(
        "Greedy generation gives the reference's text",
        arguments: TestLevel.cases(
            [
                "lfm2", "lfm2moe", "lfm3", "llama", "gemma3", "mistral3", "gpt-oss", "gemma3n", "gemma4", "gemma4moe",
                "qwen3moe",
                "qwen35", "qwen35moe", "granitehybrid", "falcon-h1", "nemotron-h", "nemotron-h-moe", "qwen3vl",
                "muse-glimmer",
            ], standard: 6))
    func greedyGenerationGivesReferences(name: String) async throws {
        let fixture = try Fixture.load(name)
        let outcome = await collect(try engine(name), greedy(fixture.tokens, fixture.greedy.count))
        #expect(outcome.tokens == fixture.greedy)
        #expect(outcome.prefill == [fixture.tokens.count])
        #expect(outcome.result.promptTokens == fixture.tokens.count)
        #expect(outcome.result.cachedPromptTokens == 0)
        #expect(outcome.result.completionTokens == fixture.greedy.count)
        #expect(outcome.result.tokensPerSecond > 0)
        guard case .maxTokens = outcome.result.reason else {
            Issue.record("ended with \(outcome.result.reason)")
            return
        }
    }

    @Test("Sessions that run side by side get the texts they get alone")
    func sessionsRunSideSide() async throws {
        let fixture = try Fixture.load("lfm2")
        let engine = try engine("lfm2") { $0.prefillChunk = 16 }
        let requests = (0..<5).map { greedy(Array(fixture.tokens.prefix(20 + 13 * $0)), 10 + 4 * $0) }
        var alone: [[TokenID]] = []
        for request in requests { alone.append(await collect(engine, request).tokens) }
        let together = await withTaskGroup(of: (Int, [TokenID]).self) { group in
            for (index, request) in requests.enumerated() {
                group.addTask { (index, await collect(engine, request).tokens) }
            }
            return await group.reduce(into: [Int: [TokenID]]()) { $0[$1.0] = $1.1 }
        }
        for index in requests.indices { #expect(together[index] == alone[index]) }
    }

    @Test("The next turn computes only what is new")
    func nextTurnComputesOnly() async throws {
        let fixture = try Fixture.load("lfm2")
        let engine = try engine()
        let session = engine.makeSession()
        let first = await collect(engine, greedy(fixture.tokens, 12), session)
        // The last token was drawn but not computed.
        #expect(session.tokenCount == fixture.tokens.count + 11)
        let next = fixture.tokens + first.tokens + [7, 8, 9]
        let second = await collect(engine, greedy(next, 5), session)
        #expect(second.result.cachedPromptTokens == fixture.tokens.count + 11)
        #expect(second.result.promptTokens == 4)
        #expect(second.tokens == (await collect(engine, greedy(next, 5))).tokens)
    }

    @Test("A stop token ends the text and is not part of it")
    func stopTokenEndsText() async throws {
        let fixture = try Fixture.load("lfm2")
        var request = greedy(fixture.tokens, 24)
        request.stopTokens = [fixture.greedy[4]]
        let outcome = await collect(try engine(), request)
        #expect(outcome.tokens == Array(fixture.greedy[..<4]))
        #expect(outcome.result.stopToken == fixture.greedy[4])
    }

    @Test("Generation stops where the context is full")
    func generationStopsWhereContext() async throws {
        let fixture = try Fixture.load("lfm2")
        let engine = try engine { $0.contextSize = 90 }
        var request = greedy(fixture.tokens, 1)
        request.maxTokens = nil
        let outcome = await collect(engine, request)
        guard case .contextFull = outcome.result.reason else {
            Issue.record("ended with \(outcome.result.reason)")
            return
        }
        #expect(outcome.tokens.count == 90 - fixture.tokens.count + 1)
    }

    @Test("Requests that cannot run say why")
    func requestsCannotRunSay() async throws {
        let engine = try engine { $0.contextSize = 16 }
        let long = await collect(engine, greedy([TokenID](repeating: 5, count: 17), 1))
        #expect(long.error?.code == .contextExceeded && long.error?.needed == 17 && long.error?.available == 16)
        #expect(long.error?.message.contains("17") == true && long.events == 1)
        #expect(await collect(engine, greedy([], 1)).error?.code == .emptyPrompt)
        #expect(await collect(engine, greedy([1, 512], 1)).error?.code == .tokenOutOfRange)
        #expect(await collect(engine, greedy([-1], 1)).error?.code == .tokenOutOfRange)
        #expect(await collect(engine, greedy([1], 0)).error?.field == "maxTokens")
        var request = greedy([1], 1)
        request.sampling[.topP] = 2
        #expect(await collect(engine, request).error?.field == "topP")
        #expect(await collect(engine, greedy([1], 1)).tokens.count == 1)
    }

    @Test("Options out of range are refused by name", arguments: ["threads", "contextSize", "prefillChunk"])
    func optionsOutRangeRefused(name: String) throws {
        let error = #expect(throws: EngineError.self) {
            try engine { options in
                switch name {
                case "threads": options.threads = 0
                case "contextSize": options.contextSize = -1
                default: options.prefillChunk = 0
                }
            }
        }
        #expect(error?.field == name)
    }

    @Test("More threads than processors give the same text")
    func moreThreadsThanProcessors() async throws {
        let fixture = try Fixture.load("qwen2")
        let outcome = await collect(try engine("qwen2") { $0.threads = 7 }, greedy(fixture.tokens, 24))
        #expect(outcome.tokens == fixture.greedy)
    }

    @Test("A second generation in a busy session is refused, and the first goes on")
    func secondGenerationBusySession() async throws {
        let fixture = try Fixture.load("lfm2")
        let engine = try engine()
        let session = engine.makeSession()
        let (tokens, second) = (Locked<[TokenID]>([]), Locked<GenerationResult?>(nil))
        let (first, other) = (greedy(fixture.tokens, 24), greedy([1], 1))
        await withCheckedContinuation { continuation in
            _ = session.generate(first) { event in
                switch event {
                case .prefill:
                    // Within an event of the first generation the session is certainly busy.
                    _ = session.generate(other) { event in
                        if case .finished(let result) = event { second.withLock { $0 = result } }
                    }
                case .token(let token): tokens.withLock { $0.append(token) }
                case .speech: break
                case .finished: continuation.resume()
                }
            }
        }
        guard case .failed(let error as EngineError)? = second.withLock({ $0?.reason }) else {
            Issue.record("the second generation was not refused")
            return
        }
        #expect(error.code == .busy)
        #expect(tokens.withLock { $0 } == fixture.greedy)
    }

    /// Cancels from within the events, at the first one that `when` chooses.
    private func cancelled(
        _ engine: Engine, _ request: GenerationRequest, _ session: Session,
        when: @escaping @Sendable (GenerationEvent) -> Bool
    ) async -> GenerationResult {
        let task = Locked<GenerationTask?>(nil)
        return await withCheckedContinuation { continuation in
            // The lock makes the first event wait until the task is known.
            task.withLock { known in
                known = session.generate(request) { event in
                    if when(event) { task.withLock { $0 }?.cancel() }
                    if case .finished(let result) = event { continuation.resume(returning: result) }
                }
            }
        }
    }

    @Test("Cancelling ends within a token and leaves the session usable")
    func cancellingEndsWithinToken() async throws {
        let fixture = try Fixture.load("lfm2")
        let engine = try engine()
        let session = engine.makeSession()
        var request = greedy(fixture.tokens, 1)
        request.maxTokens = nil
        let result = await cancelled(engine, request, session) { if case .token = $0 { true } else { false } }
        guard case .cancelled = result.reason else {
            Issue.record("ended with \(result.reason)")
            return
        }
        #expect(result.completionTokens == 1)
        let outcome = await collect(engine, greedy(fixture.tokens, 24), session)
        #expect(outcome.tokens == fixture.greedy)
        #expect(outcome.result.cachedPromptTokens == fixture.tokens.count - 1)
    }

    @Test("Cancelling while the prompt is computed stops before its end")
    func cancellingWhilePromptComputed() async throws {
        let engine = try engine("lfm2") { $0.prefillChunk = 8 }
        let prompt = (0..<1000).map { TokenID($0 % 500) }
        let session = engine.makeSession()
        let result = await cancelled(engine, greedy(prompt, 5), session) {
            if case .prefill(16, _) = $0 { true } else { false }
        }
        guard case .cancelled = result.reason else {
            Issue.record("ended with \(result.reason)")
            return
        }
        #expect(result.promptTokens == 16 && session.tokenCount == 16)
        // What was computed is kept.
        let outcome = await collect(engine, greedy(Array(prompt[..<200]), 5), session)
        #expect(outcome.result.cachedPromptTokens == 16)
        #expect(outcome.tokens == (await collect(engine, greedy(Array(prompt[..<200]), 5))).tokens)
    }

    @Test("Leaving the loop over the events cancels")
    func leavingLoopOverEvents() async throws {
        let engine = try engine()
        let session = engine.makeSession()
        for await event in session.events(GenerationRequest(prompt: [1, 2], sampling: .greedy)) {
            if case .token = event { break }
        }
        // The session is free as soon as the generation has ended, long before the context is full.
        var outcome = await collect(engine, greedy([1, 2], 3), session)
        while outcome.error?.code == .busy {
            try await Task.sleep(for: .milliseconds(1))
            outcome = await collect(engine, greedy([1, 2], 3), session)
        }
        #expect(outcome.tokens.count == 3)
    }

    /// Lets three tokens pass, waits for the gate before the next, and then takes its time.
    ///
    /// So a generation lasts however long a busy machine keeps the test waiting.
    private struct Gated: TokenConstraint {
        let gate: Locked<Bool>
        var position = 0

        mutating func computeMask(into mask: inout TokenMask) {
            mask[5] = true
            if position < 3 { return }
            repeat { Thread.sleep(forTimeInterval: 0.01) } while !gate.withLock { $0 }
        }

        mutating func accept(_ token: TokenID) throws { position += 1 }
        mutating func forcedTokens() -> [TokenID] { [] }
        var isComplete: Bool { false }
    }

    @Test("Unloading ends what runs, frees the model and refuses what comes")
    func unloadingEndsWhatRuns() async throws {
        weak var weakModel: Model?
        let engine: Engine
        do {
            let model = try Fixture.model("lfm2")
            weakModel = model
            engine = try Engine(model: model)
        }
        let session = engine.makeSession()
        let gate = Locked(false)
        let request = GenerationRequest(prompt: [1, 2, 3], sampling: .greedy, makeConstraint: { Gated(gate: gate) })
        async let running = collect(engine, request, session)
        while session.tokenCount < 5 { await Task.yield() }
        async let unloaded: Void = engine.unload()
        while !engine.isUnloaded { await Task.yield() }
        gate.withLock { $0 = true }
        await unloaded
        guard case .cancelled = await running.result.reason else {
            Issue.record("the running generation ended otherwise")
            return
        }
        #expect(engine.isUnloaded)
        #expect(weakModel == nil)
        #expect(await collect(engine, greedy([1], 1), session).error?.code == .unloaded)
        await #expect(throws: EngineError.unloaded) { try await session.truncate(to: 0) }
        await engine.unload()
    }

    @Test("Letting go of the engine unloads it")
    func lettingGoEngineUnloads() async throws {
        weak var weakModel: Model?
        do {
            let model = try Fixture.model("lfm2")
            weakModel = model
            let engine = try Engine(model: model)
            _ = await collect(engine, greedy([1], 2))
        }
        for _ in 0..<24_000 where weakModel != nil { try await Task.sleep(for: .milliseconds(5)) }
        #expect(weakModel == nil)
    }

    @Test("A session is cut to any length")
    func sessionCutAnyLength() async throws {
        let fixture = try Fixture.load("llama")
        let engine = try engine("llama")
        let session = engine.makeSession()
        _ = await collect(engine, greedy(fixture.tokens, 1), session)
        #expect(try await session.truncate(to: 40) == 40)
        #expect(session.tokenCount == 40)
        let outcome = await collect(engine, greedy(fixture.tokens, 24), session)
        #expect(outcome.result.cachedPromptTokens == 40)
        #expect(outcome.tokens == fixture.greedy)
    }

    @Test("Ids behind the vocabulary are never drawn")
    func idsBehindVocabularyNever() async throws {
        let engine = try engine()
        var request = GenerationRequest(prompt: [1], maxTokens: 200)
        request.sampling = [.temperature: 100, .topK: 0, .topP: 1, .minP: 0]
        let size = TokenID(try #require(engine.model).tokenizer.vocabularySize)
        #expect(await collect(engine, request).tokens.allSatisfy { $0 < size })
    }
}

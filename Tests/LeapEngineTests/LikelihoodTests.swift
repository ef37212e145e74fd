import Foundation
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The likelihoods of tokens, of texts that are read and of texts that are generated.
@Suite(.inTurns)
struct LikelihoodTests {
    /// Fixtures that have the logits of every position.
    static let names = ["lfm2", "lfm2moe", "llama", "qwen2", "qwen3", "gpt-oss", "gemma4"]

    private func engine(_ name: String, _ change: (inout EngineOptions) -> Void = { _ in }) throws -> Engine {
        var options = EngineOptions()
        options.threads = 2
        options.keyValueType = .f32
        change(&options)
        return try Engine(model: try Fixture.model(name), options: options)
    }

    private func score(
        _ engine: Engine, _ tokens: [TokenID], from first: Int = 1, alternatives: Int = 0
    ) async throws -> [TokenLikelihood] {
        let request = ScoringRequest(
            tokens: tokens, purpose: .likelihoods(from: first, alternatives: alternatives))
        guard case .likelihoods(let found)? = try await engine.score([request]).first else { return [] }
        return found
    }

    /// The logarithms of the probabilities at a position, by the reference's logits.
    private func reference(_ fixture: Fixture, position: Int) -> [Double] {
        let width = fixture.shape[1]
        let row = fixture.logits[position * width..<(position + 1) * width].map { Double($0) }
        let largest = row.max() ?? 0
        let normalizer = largest + log(row.reduce(0) { $0 + exp($1 - largest) })
        return row.map { $0 - normalizer }
    }

    @Test("The likelihoods of a text are those of the reference's logits", arguments: names)
    func reference(name: String) async throws {
        let fixture = try Fixture.load(name)
        let found = try await score(try engine(name) { $0.prefillChunk = 17 }, fixture.tokens, alternatives: 5)
        #expect(found.map(\.token) == Array(fixture.tokens.dropFirst()))
        var worst = 0.0
        for (index, likelihood) in found.enumerated() {
            let expected = reference(fixture, position: index)
            worst = max(worst, abs(Double(likelihood.logProbability) - expected[Int(likelihood.token)]))
            let best = expected.sorted(by: >).prefix(5)
            #expect(likelihood.alternatives.count == 5)
            for (alternative, logProbability) in zip(likelihood.alternatives, best) {
                worst = max(worst, abs(Double(alternative.logProbability) - logProbability))
                worst = max(worst, abs(expected[Int(alternative.token)] - logProbability))
            }
        }
        print("largest difference of log probabilities of \(name): \(worst)")
        #expect(worst <= 1e-4)
    }

    @Test("Chunks, threads and other texts do not change a likelihood")
    func oneArithmetic() async throws {
        let fixture = try Fixture.load("lfm2")
        let expected = try await score(try engine("lfm2"), fixture.tokens, alternatives: 3)
        #expect(
            try await score(try engine("lfm2") { $0.prefillChunk = 5 }, fixture.tokens, alternatives: 3) == expected)
        #expect(try await score(try engine("lfm2") { $0.threads = 3 }, fixture.tokens, alternatives: 3) == expected)
        let engine = try engine("lfm2") { $0.prefillChunk = 100 }
        let texts = (0..<7).map { Array(fixture.tokens.prefix(10 + 11 * $0)) }
        let results = try await engine.score(
            texts.map { ScoringRequest(tokens: $0, purpose: .likelihoods(from: 1, alternatives: 3)) })
        #expect(results.count == texts.count)
        for (text, result) in zip(texts, results) {
            guard case .likelihoods(let found) = result else {
                Issue.record("no likelihoods")
                return
            }
            #expect(found == Array(expected.prefix(text.count - 1)))
        }
        // Some from the middle on, and all at the same time as a text is generated.
        #expect(try await score(engine, fixture.tokens, from: 40, alternatives: 3) == Array(expected.dropFirst(39)))
        let request = GenerationRequest(prompt: fixture.tokens, sampling: .greedy, maxTokens: 24)
        async let likelihoods = score(engine, fixture.tokens, alternatives: 3)
        var generated: [TokenID] = []
        for await event in engine.makeSession().events(request) {
            if case .token(let token) = event { generated.append(token) }
        }
        #expect(generated == fixture.greedy)
        #expect(try await likelihoods == expected)
    }

    @Test("A prompt that was read before is not computed again", arguments: ["lfm2", "llama"])
    func sharedPrompt(name: String) async throws {
        let fixture = try Fixture.load(name)
        let prompt = fixture.tokens + fixture.tokens
        let engine = try engine(name) { $0.prefixCacheBytes = 1 << 24 }
        let ends: [[TokenID]] = [[7, 8, 9], [100, 101], [300]]
        for end in ends {
            let plain = try await score(try self.engine(name), prompt + end, from: prompt.count)
            #expect(try await score(engine, prompt + end, from: prompt.count) == plain)
        }
        #expect(engine.statistics.tokens.cachedPromptTokens >= 2 * 128)
    }

    /// A generation with likelihoods.
    private func generate(_ engine: Engine, _ request: GenerationRequest) async -> (
        tokens: [TokenID], result: GenerationResult
    ) {
        var tokens: [TokenID] = []
        var result = GenerationResult(reason: .cancelled)
        for await event in engine.makeSession().events(request) {
            switch event {
            case .prefill, .speech: break
            case .token(let token): tokens.append(token)
            case .finished(let end): result = end
            }
        }
        return (tokens, result)
    }

    @Test("Generated tokens have the likelihoods that reading them gives, whatever they were drawn by")
    func generated() async throws {
        let fixture = try Fixture.load("lfm2")
        let engine = try engine("lfm2")
        var request = GenerationRequest(prompt: fixture.tokens + fixture.tokens, maxTokens: 40)
        request.likelihoodAlternatives = 4
        let penalised: SamplingValues = [.temperature: 0.7, .repetitionPenalty: 1.5, .frequencyPenalty: 0.5]
        for (sampling, speculation) in [
            (SamplingValues.greedy, Speculation.off), (.greedy, .lookup), (penalised, .off), (penalised, .lookup),
        ] {
            request.sampling = sampling
            request.sampling.seed = 5
            request.speculation = speculation
            let (tokens, result) = await generate(engine, request)
            #expect(tokens.count == 40)
            #expect(result.likelihoods.map(\.token) == tokens)
            let read = try await score(
                engine, request.prompt + tokens, from: request.prompt.count, alternatives: 4)
            #expect(read == result.likelihoods)
            var plain = request
            plain.likelihoodAlternatives = nil
            let (same, without) = await generate(engine, plain)
            #expect(same == tokens && without.likelihoods.isEmpty)
        }
    }

    /// Allows a text of three forced tokens between free ones.
    private struct Forcing: TokenConstraint {
        var position = 0

        mutating func computeMask(into mask: inout TokenMask) {
            if position % 5 < 2 { mask.setAll(true) } else { mask[TokenID(20 + position % 5)] = true }
        }

        mutating func accept(_ token: TokenID) throws { position += 1 }
        mutating func forcedTokens() -> [TokenID] { position % 5 == 2 ? [22, 23, 24] : [] }
        var isComplete: Bool { position == 20 }
    }

    @Test("Forced tokens have likelihoods too, and the text is the same as without")
    func forced() async throws {
        let fixture = try Fixture.load("lfm2")
        let engine = try engine("lfm2")
        var request = GenerationRequest(
            prompt: fixture.tokens, sampling: [.temperature: 0.8], makeConstraint: { Forcing() })
        request.sampling.seed = 3
        let (expected, _) = await generate(engine, request)
        request.likelihoodAlternatives = 0
        let (tokens, result) = await generate(engine, request)
        #expect(tokens == expected && tokens.count == 20)
        #expect(result.likelihoods == (try await score(engine, fixture.tokens + tokens, from: fixture.tokens.count)))
    }

    @Test("The token that ends the output has a likelihood behind those of the output")
    func stopToken() async throws {
        let fixture = try Fixture.load("lfm2")
        var request = GenerationRequest(prompt: fixture.tokens, sampling: .greedy, maxTokens: 24)
        request.stopTokens = [fixture.greedy[4]]
        request.likelihoodAlternatives = 0
        let (tokens, result) = await generate(try engine("lfm2"), request)
        #expect(tokens.count == 4 && result.likelihoods.map(\.token) == tokens + [fixture.greedy[4]])
    }

    @Test("What cannot be read says why")
    func refused() async throws {
        let engine = try engine("lfm2") { $0.contextSize = 16 }
        func error(_ tokens: [TokenID], _ first: Int = 1, _ alternatives: Int = 0) async -> EngineError? {
            await #expect(throws: EngineError.self) {
                try await score(engine, tokens, from: first, alternatives: alternatives)
            }
        }
        #expect(await error([])?.code == .emptyPrompt)
        #expect(await error([1])?.code == .emptyPrompt)
        #expect(await error([1, 2], 0)?.code == .emptyPrompt)
        #expect(await error([1, 2], 2)?.code == .emptyPrompt)
        let long = await error([TokenID](repeating: 5, count: 17))
        #expect(long?.code == .contextExceeded && long?.needed == 17)
        #expect(await error([1, 512])?.code == .tokenOutOfRange)
        #expect(await error([1, 2], 1, 21)?.field == "topLogprobs")
        #expect(try await engine.score([]).isEmpty)
        #expect(try await score(engine, [1, 2]).count == 1)
        await engine.unload()
        #expect(await error([1, 2])?.code == .unloaded)
    }

    @Test("Cancelling gives up what is read before the next layer")
    func cancelledWithinPass() throws {
        let stepped = try SteppedEngine("lfm2") { $0.prefillChunk = 16 }
        let group = ScoringGroup([
            ScoringRequest(
                tokens: (0..<200).map { TokenID($0 % 500) }, purpose: .likelihoods(from: 1, alternatives: 0))
        ])
        stepped.core.score(group)
        stepped.core.step { false }
        #expect(stepped.core.counters.statistics.tokens.promptTokens == 16)
        var layers = 0
        stepped.core.step {
            layers += 1
            if layers == 2 { group.cancel() }
            return false
        }
        #expect(layers == 2 && stepped.core.counters.statistics.tokens.promptTokens == 16)
        stepped.core.step { false }
        #expect(!stepped.core.hasWork)
    }

    @Test("A cancelled task gets its cancellation, and the engine goes on")
    func cancelled() async throws {
        let fixture = try Fixture.load("lfm2")
        let engine = try engine("lfm2")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await score(engine, fixture.tokens)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await score(engine, fixture.tokens).count == fixture.tokens.count - 1)
    }

    @Test("The logits of a long text are never held at once")
    func boundedMemory() throws {
        let model = try Fixture.model("llama")
        let executor = CPUExecutor(
            model: model, layout: CacheLayout(model: model, keyValueType: .f32), kernels: try Kernels(threads: 1),
            contextSize: 2048)
        let text = (0..<1000).map { TokenID($0 % 500) }
        let scoring = ActiveScoring(
            ScoringRequest(tokens: text, purpose: .likelihoods(from: 1, alternatives: 0)),
            state: executor.makeSequence(limit: 2048))
        while !scoring.isDone {
            let segment = scoring.nextSegment(budget: 512)
            let start = scoring.state.count
            let outputs = try #require(try executor.run([segment]))
            try scoring.take(outputs[0], of: segment, at: start, executor)
        }
        guard case .likelihoods(let found) = try scoring.finish(executor) else { return }
        #expect(found.count == 999)
        // Asking for the buffer at the size of so many rows does not grow it.
        let before = executor.pass.workspace.byteCount
        _ = try executor.pass.workspace.floats(.logits, ActiveScoring.rowsOfLogits * model.vocabularySize)
        #expect(executor.pass.workspace.byteCount == before)
        _ = try executor.pass.workspace.floats(.logits, 2 * ActiveScoring.rowsOfLogits * model.vocabularySize)
        #expect(executor.pass.workspace.byteCount > before)
    }
}

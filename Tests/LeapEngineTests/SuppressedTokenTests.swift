import Foundation
import LeapGGUF
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Tokens that a file lists as `tokenizer.ggml.suppress_tokens`: their logits are minus infinity.
@Suite(.inTurns)
struct SuppressedTokenTests {
    private static let key = "tokenizer.ggml.suppress_tokens"

    private static func model(_ value: GGUFValue) throws -> Model {
        try ChangedFixture.load("lfm2", changeMetadata: { $0[key] = value })
    }

    private static func model(suppressing tokens: [TokenID]) throws -> Model {
        try model(.array(GGUFArray(tokens)))
    }

    /// The tokens that the unchanged model writes most, which are to be suppressed.
    private static func favourites() throws -> [TokenID] {
        Array(Set(try Fixture.load("lfm2").greedy)).sorted().prefix(6) + [
            try #require(Fixture.load("lfm2").greedy.first)
        ]
    }

    private static func output(
        _ engine: SteppedEngine, _ change: (inout GenerationRequest) -> Void
    ) throws -> SteppedEngine.Running {
        var request = GenerationRequest(prompt: try Fixture.load("lfm2").tokens, sampling: .greedy, maxTokens: 40)
        change(&request)
        let running = engine.start(request)
        engine.runToEnd()
        return running
    }

    @Test("Output of every kind is that of a bias of minus infinity", arguments: [0.0, 0.8, 5.0])
    func sampling(temperature: Double) throws {
        let suppressed = try Self.favourites()
        let plain = try SteppedEngine("lfm2")
        let changed = try SteppedEngine(
            try Self.model(suppressing: suppressed), draft: try Fixture.model("lfm2"), device: nil,
            { $0.draftCost = 0.02 })
        for seed in TestLevel.cases([1, 2, 3] as [UInt64], standard: 1) {
            func sampled(_ request: inout GenerationRequest) {
                request.sampling[.temperature] = temperature
                request.sampling[.topK] = 0
                request.sampling[.topP] = 0.95
                request.sampling.seed = seed
            }
            let free = try Self.output(plain, sampled)
            let expected = try Self.output(plain) { request in
                sampled(&request)
                for token in suppressed { request.logitBias[token] = -.infinity }
            }
            if temperature == 0 { #expect(!Set(free.tokens).isDisjoint(with: suppressed)) }
            #expect(expected.tokens.count == 40 && Set(expected.tokens).isDisjoint(with: suppressed))
            for speculation in [Speculation.off, .lookup, .draft] {
                let found = try Self.output(changed) { request in
                    sampled(&request)
                    request.speculation = speculation
                    // Not even a bias brings such a token back.
                    request.logitBias[suppressed[0]] = 1000
                }
                #expect(found.tokens == expected.tokens, "\(speculation), seed \(seed)")
            }
        }
    }

    @Test("Generations of one batch keep to it too")
    func batch() throws {
        let suppressed = try Self.favourites()
        let engine = try SteppedEngine(try Self.model(suppressing: suppressed))
        let alone = try Self.output(engine) { _ in }
        var request = GenerationRequest(prompt: try Fixture.load("lfm2").tokens, sampling: .greedy, maxTokens: 40)
        let first = engine.start(request)
        request.prompt.removeLast()
        let second = engine.start(request)
        engine.runToEnd()
        #expect(first.tokens == alone.tokens && second.tokens.count == 40)
        #expect(Set(second.tokens).isDisjoint(with: suppressed))
    }

    /// Allows two tokens, and says at some places that both must come.
    private struct Forcing: TokenConstraint {
        let tokens: [TokenID]
        var count = 0
        var isComplete: Bool { false }
        mutating func computeMask(into mask: inout TokenMask) { for token in tokens { mask[token] = true } }
        mutating func accept(_ token: TokenID) throws { count += 1 }
        mutating func forcedTokens() -> [TokenID] { count % 4 == 1 ? tokens : [] }
    }

    @Test("A constraint that allows or forces such a token does not bring it")
    func constraint() throws {
        let engine = try SteppedEngine(try Self.model(suppressing: [20]))
        for tokens in [[21, 20], [20, 21]] as [[TokenID]] {
            let found = try Self.output(engine) { request in
                request.maxTokens = 12
                request.makeConstraint = { Forcing(tokens: tokens) }
            }
            #expect(found.tokens == [TokenID](repeating: 21, count: 12))
        }
        let none = try Self.output(engine) { $0.makeConstraint = { Forcing(tokens: [20]) } }
        #expect(none.error?.code == .constraintFailed)
    }

    /// The logarithms of the probabilities of the other tokens at a position, by the reference's logits.
    private static func reference(_ fixture: Fixture, _ suppressed: [TokenID], position: Int) -> [Double] {
        let width = fixture.shape[1]
        var row = fixture.logits[position * width..<(position + 1) * width].map { Double($0) }
        for token in suppressed { row[Int(token)] = -.infinity }
        let largest = row.max() ?? 0
        let normalizer = largest + log(row.reduce(0) { $0 + exp($1 - largest) })
        return row.map { $0 - normalizer }
    }

    @Test("Likelihoods are those of the other tokens, of texts that are read and of replies")
    func likelihoods() async throws {
        let fixture = try Fixture.load("lfm2")
        let absent = (0..<TokenID(fixture.shape[1])).filter { !fixture.tokens.contains($0) }
        let suppressed = Array(absent.prefix(absent.count / 2))
        var options = EngineOptions()
        (options.threads, options.keyValueType) = (1, .f32)
        let engine = try Engine(model: try Self.model(suppressing: suppressed), options: options)
        let request = ScoringRequest(tokens: fixture.tokens, purpose: .likelihoods(from: 1, alternatives: 4))
        guard case .likelihoods(let found)? = try await engine.score([request]).first else {
            Issue.record("no likelihoods")
            return
        }
        for (index, likelihood) in found.enumerated() {
            let expected = Self.reference(fixture, suppressed, position: index)
            #expect(abs(Double(likelihood.logProbability) - expected[Int(likelihood.token)]) < 1e-4)
            #expect(likelihood.alternatives.count == 4)
            for alternative in likelihood.alternatives {
                #expect(abs(Double(alternative.logProbability) - expected[Int(alternative.token)]) < 1e-4)
            }
        }
        var generation = GenerationRequest(prompt: fixture.tokens, sampling: .greedy, maxTokens: 1)
        generation.likelihoodAlternatives = 3
        let last = Self.reference(fixture, suppressed, position: fixture.tokens.count - 1)
        for await event in engine.makeSession().events(generation) {
            guard case .finished(let result) = event else { continue }
            let first = try #require(result.likelihoods.first)
            #expect(first.token == argmax(last.map { Float($0) }))
            #expect(abs(Double(first.logProbability) - (last.max() ?? 0)) < 1e-4)
        }
        let text = Array(fixture.tokens.prefix(5)) + [suppressed[0]]
        let error = await #expect(throws: EngineError.self) {
            try await engine.score([ScoringRequest(tokens: text, purpose: .likelihoods(from: 1, alternatives: 0))])
        }
        #expect(error?.code == .unsupportedTask && error?.message.contains(Self.key) == true)
        // In front of what is scored it may stand.
        let context = ScoringRequest(
            tokens: text + [fixture.tokens[5]], purpose: .likelihoods(from: 6, alternatives: 0))
        #expect(try await engine.score([context]).count == 1)
    }

    @Test("Ids outside of the vocabulary, other types and lists of everything are refused; an empty list is none")
    func hostile() throws {
        let size = try Fixture.model("lfm2").tokenizer.vocabularySize
        for id in [-1, Int32(size), .max, .min] {
            let error = ChangedFixture.failure { try Self.model(.array(GGUFArray([3, id]))) }
            #expect(error?.code == .tokenOutOfRange && error?.field == Self.key)
            #expect(error?.message.contains("[1] is \(id)") == true)
        }
        let all = ChangedFixture.failure { try Self.model(suppressing: (0..<TokenID(size)).map { $0 }) }
        #expect(all?.code == .invalidMetadata && all?.field == Self.key)
        for value in [GGUFValue.uint32(3), .array(GGUFArray([0.5] as [Float])), .array(GGUFArray(["3"]))] {
            #expect(throws: GGUFError.self) { try Self.model(value) }
        }
        let none = try Self.model(suppressing: [])
        #expect(none.suppressedTokens.isEmpty && none.sampleableTokens == nil)
        let some = try Self.model(.array(GGUFArray([9, 4, 9] as [Int64])))
        #expect(some.suppressedTokens == [4, 9] && some.sampleableTokens?.allowedCount == size - 2)
    }
}

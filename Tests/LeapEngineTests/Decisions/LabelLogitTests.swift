import Foundation
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Logits of a few tokens behind a text, against all logits, and in every way of computing a shared beginning.
@Suite(.inTurns)
struct LabelLogitTests {
    private static let labels: [TokenID] = [0, 40, 41, 45, 300]

    private func engine(_ model: Model, chunk: Int, cacheBytes: Int = 0) throws -> Engine {
        var options = EngineOptions()
        options.threads = 2
        options.keyValueType = .f32
        options.prefillChunk = chunk
        options.prefixCacheBytes = cacheBytes
        return try Engine(model: model, options: options)
    }

    private func logits(_ results: [ScoringResult]) -> [[Float]] {
        results.map { if case .labels(let logits, _, _) = $0 { logits } else { [] } }
    }

    private func request(_ tokens: [TokenID], branch: Int = 0, isNormalized: Bool = false) -> ScoringRequest {
        ScoringRequest(
            tokens: tokens, purpose: .labels(Self.labels, branch: branch, isNormalized: isNormalized))
    }

    @Test(
        "Rows of the output matrix give the bits of all of it, and those of the reference",
        arguments: ["lfm2", "qwen35", "gemma3"])
    func rows(name: String) async throws {
        let (fixture, model) = (try Fixture.load(name), try Fixture.model(name))
        let engine = try engine(model, chunk: 512)
        let some = logits(try await engine.score([request(fixture.tokens)]))
        let all = try await engine.score([request(fixture.tokens, isNormalized: true)])
        #expect(some == logits(all) && some[0].count == Self.labels.count)
        guard case .labels(_, let normalizer?, _) = try #require(all.first) else {
            Issue.record("no normalizer")
            return
        }
        #expect(normalizer > some[0].max() ?? .infinity)
        guard fixture.positions == nil else { return }
        let last = fixture.logits.suffix(fixture.shape[1])
        for (label, logit) in zip(Self.labels, some[0]) {
            #expect(abs(last[last.startIndex + Int(label)] - logit) < 1e-3)
        }
    }

    @Test(
        "Texts that begin alike have the same bits alone, together, in pieces and from the cache",
        arguments: ["lfm2", "qwen35", "gemma3"])
    func branches(name: String) async throws {
        let (fixture, model) = (try Fixture.load(name), try Fixture.model(name))
        let shared = Array(fixture.tokens.prefix(37))
        let texts = [[5, 9, 12], [300], [40, 41], [5, 9, 13, 14, 15]].map { shared + $0 as [TokenID] }
        var alone: [[Float]] = []
        for text in texts { alone += logits(try await engine(model, chunk: 512).score([request(text)])) }
        #expect(Set(alone).count == texts.count)
        let asked = texts.map { request($0, branch: shared.count) }
        for chunk in [512, 8] {
            let engine = try engine(model, chunk: chunk, cacheBytes: 1 << 24)
            for _ in 0..<2 {
                let results = try await engine.score(asked)
                #expect(logits(results) == alone)
                for result in results.dropFirst() {
                    guard case .labels(_, _, let cachedCount) = result else { continue }
                    #expect(cachedCount > 0)
                }
            }
        }
        #expect(logits(try await engine(model, chunk: 512).score(asked)) == alone)
    }

    @Test("A beginning that an engine left on disk is read by the next one", arguments: ["lfm2", "qwen35"])
    func disk(name: String) async throws {
        let (fixture, model) = (try Fixture.load(name), try Fixture.model(name))
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let shared = Array(fixture.tokens.prefix(70))
        let asked = [[5, 9], [300]].map { request(shared + $0 as [TokenID], branch: shared.count) }
        var found: [[[Float]]] = []
        var cachedCounts: [Int] = []
        for _ in 0..<2 {
            var options = EngineOptions()
            options.threads = 2
            options.keyValueType = .f32
            options.prefixCacheBytes = 1 << 24
            options.prefixCacheFolder = folder.path
            let engine = try Engine(model: model, options: options)
            let results = try await engine.score(asked)
            found.append(logits(results))
            if case .labels(_, _, let count)? = results.first { cachedCounts.append(count) }
            await engine.unload()
        }
        #expect(found[0] == found[1] && found[0].count == 2)
        #expect(cachedCounts == [0, 70])
    }

    @Test("More labels than the limit are an error, and as many as that are computed")
    func labelLimit() async throws {
        let engine = try engine(try Fixture.model("lfm2"), chunk: 512)
        func request(_ count: Int) -> ScoringRequest {
            ScoringRequest(
                tokens: [1, 2, 3],
                purpose: .labels([TokenID](repeating: 5, count: count), branch: 0, isNormalized: false))
        }
        let most = logits(try await engine.score([request(ScoringRequest.maxLabels)]))
        #expect(most[0].count == ScoringRequest.maxLabels && Set(most[0]).count == 1)
        let tooMany = request(ScoringRequest.maxLabels + 1)
        let error = await #expect(throws: EngineError.self) { try await engine.score([tooMany]) }
        #expect(error?.code == .invalidOption && error?.field == "labels")
    }

    @Test("A beginning as long as the text, and labels outside of the vocabulary, are errors")
    func refused() async throws {
        let engine = try engine(try Fixture.model("lfm2"), chunk: 512)
        for purpose in [
            ScoringRequest.Purpose.labels([1], branch: 3, isNormalized: false),
            .labels([1 << 20], branch: 0, isNormalized: false),
        ] {
            await #expect(throws: EngineError.self) {
                try await engine.score([ScoringRequest(tokens: [1, 2, 3], purpose: purpose)])
            }
        }
    }
}

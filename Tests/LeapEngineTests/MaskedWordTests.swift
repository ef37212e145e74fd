import Foundation
import LeapGGUF
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Words in the places of masks, against what the test makes of the vectors there in double precision.
@Suite(.inTurns)
struct MaskedWordTests {
    private static let width = 32
    private static let mask: TokenID = 3

    private static func engine(_ model: Model, chunk: Int = 512) throws -> Engine {
        var options = EngineOptions()
        (options.threads, options.keyValueType, options.prefillChunk) = (2, .f32, chunk)
        return try Engine(model: model, options: options)
    }

    /// A tensor of floats as it is in a file.
    private static func floats(_ file: GGUFFile, _ name: String) throws -> [Double] {
        let tensor = try #require(file.tensor(name), "\(name)")
        try #require(tensor.type == .f32)
        return LeapEngineTests.floats(in: Data(tensor.data)).map { Double($0) }
    }

    private static func numbers(_ count: Int, seed: Int) -> [Float] {
        (0..<count).map { Float((($0 + seed) * 37) % 101) / 101 - 0.5 }
    }

    /// A masked language model, and the head that it has.
    private struct Sample {
        let model: Model
        var dense: [Double]?
        var denseBias: [Double]?
        var norm: [Double]?
        var normBias: [Double]?
        var matrix: [Double]
        var bias: [Double]?

        /// The logits that the head makes of a vector.
        func logits(of vector: [Float]) -> [Double] {
            var inner = vector.map { Double($0) }
            if let dense, let norm {
                inner = product(dense, inner, denseBias).map { 0.5 * $0 * (1 + erf($0 / 2.0.squareRoot())) }
                let count = Double(inner.count)
                let mean = inner.reduce(0, +) / count
                var variance = 0.0
                for value in inner { variance += (value - mean) * (value - mean) / count }
                let deviation = (variance + 1e-5).squareRoot()
                for index in inner.indices {
                    inner[index] = (inner[index] - mean) / deviation * norm[index] + (normBias?[index] ?? 0)
                }
            }
            return product(matrix, inner, bias)
        }

        private func product(_ matrix: [Double], _ vector: [Double], _ bias: [Double]?) -> [Double] {
            var result: [Double] = []
            for row in 0..<matrix.count / vector.count {
                var sum = bias?[row] ?? 0
                for index in vector.indices { sum += matrix[row * vector.count + index] * vector[index] }
                result.append(sum)
            }
            return result
        }
    }

    private static let kinds = ["modern-bert", "own matrix", "bert", "lfm2"]

    private static func sample(_ kind: String) throws -> Sample {
        switch kind {
        case "lfm2":
            let path = RankFixture.path("lfm2-retrieval")
            let table = try floats(GGUFFile.open(path: path), "token_embd.weight")
            return Sample(model: try Model.load(path: path), matrix: table)
        case "bert":
            let path = RankFixture.path("bert-rank")
            let file = try GGUFFile.open(path: path)
            let (norm, normBias) = (numbers(width, seed: 3), numbers(width, seed: 8))
            let table = try floats(file, "token_embd.weight")
            let bias = numbers(table.count / width, seed: 5)
            let model = try ModelCopy.load(
                path, changeMetadata: { $0["bert.pooling_type"] = .uint32(2) },
                changeTensor: { $0.name.hasPrefix("cls.output") ? .drop : .keep },
                more: [
                    ("cls.norm.weight", [width], norm), ("cls.norm.bias", [width], normBias),
                    ("cls.output.bias", [bias.count], bias),
                ])
            return Sample(
                model: model, dense: try floats(file, "cls.weight"), denseBias: try floats(file, "cls.bias"),
                norm: norm.map { Double($0) }, normBias: normBias.map { Double($0) }, matrix: table,
                bias: bias.map { Double($0) })
        default:
            let path = RankFixture.path("modern-bert-rank")
            let file = try GGUFFile.open(path: path)
            var matrix = try floats(file, "token_embd.weight")
            var bias: [Float]?
            var more: [(name: String, shape: [Int], values: [Float])] = []
            if kind == "own matrix" {
                let rows = matrix.count / width
                let (own, ownBias) = (numbers(rows * width, seed: 11), numbers(rows, seed: 2))
                more = [("output.weight", [width, rows], own), ("output.bias", [rows], ownBias)]
                (matrix, bias) = (own.map { Double($0) }, ownBias)
            }
            let model = try ModelCopy.load(
                path, changeMetadata: { $0["modern-bert.pooling_type"] = .uint32(1) },
                changeTensor: { $0.name.hasPrefix("cls.output") ? .drop : .keep }, more: more)
            return Sample(
                model: model, dense: try floats(file, "cls.weight"), norm: try floats(file, "cls.norm.weight"),
                matrix: matrix, bias: bias?.map { Double($0) })
        }
    }

    private static func words(_ engine: Engine, _ requests: [ScoringRequest]) async throws -> [[TokenLikelihood]] {
        try await engine.score(requests).map { if case .likelihoods(let found) = $0 { found } else { [] } }
    }

    @Test("Probabilities are those of the head over the vectors in the places of masks", arguments: kinds)
    func reference(kind: String) async throws {
        let sample = try Self.sample(kind)
        let engine = try Self.engine(sample.model, chunk: 10)
        #expect(!sample.model.generatesText)
        let texts: [(tokens: [TokenID], places: [Int])] = [
            ([1, Self.mask, 20, 30, 2], [1]), ([Self.mask], [0]),
            ((0..<100).map { $0 % 9 == 4 ? Self.mask : TokenID(10 + $0) }, (0..<100).filter { $0 % 9 == 4 }),
        ]
        let requests = texts.map {
            ScoringRequest(tokens: $0.tokens, purpose: .maskedWords(at: $0.places, count: 6))
        }
        let found = try await Self.words(engine, requests)
        var worst = 0.0
        for ((tokens, places), words) in zip(texts, found) {
            let vectors = try await engine.score([
                ScoringRequest(tokens: tokens, purpose: .vectors(.none, isNormalized: false))
            ])
            guard case .vectors(let rows)? = vectors.first, words.count == places.count else {
                Issue.record("other results")
                return
            }
            for (place, word) in zip(places, words) {
                let logits = sample.logits(of: rows[place])
                let largest = logits.max() ?? 0
                let normalizer = largest + log(logits.reduce(0) { $0 + exp($1 - largest) })
                let best = logits.sorted(by: >).prefix(6)
                #expect(word.alternatives.count == 6 && word.token == word.alternatives.first?.token)
                for (candidate, logit) in zip(word.alternatives, best) {
                    worst = max(worst, abs(Double(candidate.logProbability) - (logit - normalizer)))
                    worst = max(worst, abs(logits[Int(candidate.token)] - logit))
                }
            }
        }
        print("largest difference of masked words of \(kind): \(worst)")
        #expect(worst < 1e-3)
        // Other texts in the pass change nothing.
        #expect(try await Self.words(engine, [requests[2]]) == [found[2]])
        let all = try await Self.words(
            engine, [ScoringRequest(tokens: [1, Self.mask], purpose: .maskedWords(at: [1], count: .max))])
        let total = all[0][0].alternatives.reduce(0) { $0 + exp(Double($1.logProbability)) }
        #expect(abs(total - 1) < 1e-4)
        #expect(
            all[0][0].alternatives.count == (sample.model.sampleableTokens?.allowedCount ?? sample.model.vocabularySize)
        )
    }

    @Test("Suppressed tokens are none of the words")
    func suppressed() async throws {
        let path = RankFixture.path("modern-bert-rank")
        func load(_ suppressed: [Int32]) throws -> Model {
            try ModelCopy.load(
                path,
                changeMetadata: {
                    $0["modern-bert.pooling_type"] = .uint32(1)
                    $0["tokenizer.ggml.suppress_tokens"] = .array(GGUFArray(suppressed))
                }, changeTensor: { $0.name.hasPrefix("cls.output") ? .drop : .keep })
        }
        let request = ScoringRequest(tokens: [1, Self.mask, 7, 2], purpose: .maskedWords(at: [1], count: 8))
        let free = try await Self.words(Self.engine(load([])), [request])[0][0].alternatives
        let without = try await Self.words(Self.engine(load([free[0].token])), [request])[0][0].alternatives
        #expect(without.prefix(7).map(\.token) == free.dropFirst().map(\.token))
        let rest = log(1 - exp(Double(free[0].logProbability)))
        #expect(abs(Double(without[0].logProbability) - (Double(free[1].logProbability) - rest)) < 1e-4)
    }

    @Test("Models without such a head say what they have, and places outside of the text are refused")
    func refused() async throws {
        func failure(_ model: Model, at places: [Int] = [1], count: Int = 1) async throws -> EngineError? {
            let request = ScoringRequest(tokens: [1, 3, 7], purpose: .maskedWords(at: places, count: count))
            return await #expect(throws: EngineError.self) { try await Self.words(Self.engine(model), [request]) }
        }
        let expected: [(model: Model, field: String)] = [
            (try Fixture.model("lfm2"), "lfm2.attention.causal"),
            (try EmbeddingFixture.model("qwen3-last"), "qwen3.attention.causal"),
            (try EmbeddingFixture.model("modern-bert-rank"), "cls.output.weight"),
            (try EmbeddingFixture.model("lfm2-colbert"), "lfm2.attention.causal"),
            (
                try ModelCopy.load(
                    RankFixture.path("lfm2-colbert"), changeMetadata: { $0["lfm2.attention.causal"] = .bool(false) }),
                "dense_2.weight"
            ),
            (try EmbeddingFixture.model("bert-mean"), "cls.weight"),
            (try EmbeddingFixture.model("modern-bert"), "cls.weight"),
        ]
        for (model, field) in expected {
            let error = try await failure(model)
            #expect(error?.code == .unsupportedTask && error?.field == field)
            #expect(error?.message.contains(model.file.path) == true)
        }
        // Scores of something else are no logits of a vocabulary; the file loads as before.
        let classifier = try ModelCopy.load(
            RankFixture.path("modern-bert-rank"), changeMetadata: { $0["modern-bert.pooling_type"] = .uint32(1) })
        #expect(try await failure(classifier)?.field == "cls.weight")
        let model = try Self.sample("lfm2").model
        for (places, count) in [([], 1), ([3], 1), ([-1], 1), ([1], 0)] as [([Int], Int)] {
            #expect(try await failure(model, at: places, count: count)?.code == .invalidOption)
        }
    }

    @Test("Heads of other shapes are refused by their tensor")
    func hostile() throws {
        func failure(_ name: String, _ shape: [Int]) -> EngineError? {
            ChangedFixture.failure {
                try ModelCopy.load(
                    RankFixture.path("modern-bert-rank"),
                    changeMetadata: { $0["modern-bert.pooling_type"] = .uint32(1) },
                    changeTensor: {
                        $0.name == name ? .zeros(shape) : $0.name.hasPrefix("cls.output") ? .drop : .keep
                    })
            }
        }
        #expect(failure("cls.weight", [32, 31])?.field == "cls.weight")
        #expect(failure("cls.norm.weight", [31])?.field == "cls.norm.weight")
        let bias = ChangedFixture.failure {
            try ModelCopy.load(
                RankFixture.path("modern-bert-rank"), changeMetadata: { $0["modern-bert.pooling_type"] = .uint32(1) },
                changeTensor: { $0.name.hasPrefix("cls.output") ? .drop : .keep },
                more: [("output.bias", [5], [Float](repeating: 0, count: 5))])
        }
        #expect(bias?.field == "output.bias")
    }
}

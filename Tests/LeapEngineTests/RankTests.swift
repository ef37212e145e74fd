import Foundation
import LeapGGUF
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// A tiny random reranker with the scores that numpy computes for pairs of texts.
struct RankFixture: Decodable {
    struct Pair: Decodable {
        let tokens: [TokenID]
        /// The index at which the second text begins.
        let second: Int
        let score: Double
    }

    let pairs: [Pair]

    static let names = ["bert-rank", "modern-bert-rank"]

    static func load(_ name: String) throws -> RankFixture {
        try JSONDecoder().decode(
            RankFixture.self,
            from: Data(contentsOf: EmbeddingFixture.folder.appendingPathComponent("\(name).json")))
    }

    static func path(_ name: String) -> String {
        EmbeddingFixture.folder.appendingPathComponent("\(name).gguf").path
    }
}

/// Scores of pairs of texts, against numpy in double precision.
@Suite(.inTurns)
struct RankTests {
    private func engine(_ model: Model, threads: Int = 2, chunk: Int = 512) throws -> Engine {
        var options = EngineOptions()
        options.threads = threads
        options.keyValueType = .f32
        options.prefillChunk = chunk
        return try Engine(model: model, options: options)
    }

    private func scores(_ engine: Engine, _ requests: [ScoringRequest]) async throws -> [[Float]] {
        try await engine.score(requests).map { if case .scores(let scores) = $0 { scores } else { [] } }
    }

    private func requests(_ fixture: RankFixture) -> [ScoringRequest] {
        fixture.pairs.map {
            ScoringRequest(tokens: $0.tokens, purpose: .scores(of: nil), secondText: $0.second)
        }
    }

    @Test("Scores are the reference's, alone and in any company", arguments: RankFixture.names)
    func reference(name: String) async throws {
        let fixture = try RankFixture.load(name)
        let model = try EmbeddingFixture.model(name)
        #expect(model.ranking == RankingMethod() && !model.generatesText && model.pooling == nil)
        let requests = requests(fixture)
        var alone: [[Float]] = []
        for request in requests { alone += try await scores(try engine(model, threads: 1), [request]) }
        var worst = 0.0
        for (found, pair) in zip(alone, fixture.pairs) { worst = max(worst, abs(Double(found[0]) - pair.score)) }
        print("largest difference of scores of \(name): \(worst)")
        #expect(worst <= 1e-5)
        for chunk in [1, 60, 512] {
            let engine = try engine(model, threads: 3, chunk: chunk)
            #expect(try await scores(engine, requests + requests) == alone + alone)
        }
    }

    @Test("The second of two texts is another type to BERT")
    func types() async throws {
        let fixture = try RankFixture.load("bert-rank")
        let engine = try engine(try EmbeddingFixture.model("bert-rank"))
        var requests = requests(fixture)
        let found = try await scores(engine, requests)
        for index in requests.indices { requests[index].secondText = nil }
        let other = try await scores(engine, requests)
        #expect(zip(found, other).allSatisfy { abs($0[0] - $1[0]) > 1e-3 })
        requests[0].secondText = 1000
        let error = await #expect(throws: EngineError.self) { try await scores(engine, requests) }
        #expect(error?.code == .invalidOption)
    }

    /// The file of a model that writes text, as a reranker: what Qwen3-Reranker is.
    private func qwen(
        rows: [Float]? = nil, labels: [String]? = nil, named: String? = nil, pooling: UInt32? = 4
    ) throws -> Model {
        let width = 32
        var more: [(name: String, shape: [Int], values: [Float])] = []
        if let rows { more.append(("cls.output.weight", [width, rows.count / width], rows)) }
        return try ModelCopy.load(
            RankFixture.path("qwen3-last"),
            changeMetadata: { metadata in
                metadata["qwen3.pooling_type"] = pooling.map { GGUFValue.uint32($0) }
                if let named { metadata["general.name"] = .string(GGUFString(named)) }
                if let labels {
                    metadata["qwen3.classifier.output_labels"] = .array(GGUFArray(labels))
                }
            },
            more: more)
    }

    @Test("A model that writes text ranks by the last token's vector and a head of two rows")
    func headOfTwo() async throws {
        let width = try EmbeddingFixture.model("qwen3-last").embeddingLength
        try #require(width == 32)
        let rows = (0..<2 * width).map { Float(($0 * 37) % 101) / 101 - 0.5 }
        let model = try qwen(rows: rows, labels: ["yes", "no"])
        let method = try #require(model.ranking)
        #expect(method.words == nil && method.relevant == 0 && method.irrelevant == 1 && !model.generatesText)
        #expect(method.template?.contains("<Query>: {query}\n<Document>: {document}<|im_end|>") == true)
        let texts = try EmbeddingFixture.load("qwen3-last").texts.map(\.ids)
        let found = try await scores(
            try engine(model), texts.map { ScoringRequest(tokens: $0, purpose: .scores(of: nil)) })
        let results = try await engine(model).score(
            texts.map { ScoringRequest(tokens: $0, purpose: .vectors(.last, isNormalized: false)) })
        for (pair, result) in zip(found, results) {
            guard case .vectors(let vectors) = result else { continue }
            for row in 0..<2 {
                let exact = (0..<width).reduce(0.0) { $0 + Double(vectors[0][$1]) * Double(rows[row * width + $1]) }
                #expect(abs(Double(pair[row]) - exact) < 1e-4)
            }
            #expect(method.logit(of: pair) == pair[0] - pair[1])
        }
        let swapped = try qwen(rows: rows, labels: ["no", "yes"])
        #expect(swapped.ranking?.relevant == 1 && swapped.ranking?.irrelevant == 0)
    }

    @Test("Without a head the logits of words are scores")
    func words() async throws {
        let model = try EmbeddingFixture.model("qwen3-last")
        let engine = try engine(model)
        let texts = try EmbeddingFixture.load("qwen3-last").texts.map(\.ids)
        let words: [TokenID] = [17, 300]
        let found = try await scores(
            engine, texts.map { ScoringRequest(tokens: $0, purpose: .scores(of: words)) })
        for (text, pair) in zip(texts, found) {
            let vectors = try await engine.score([
                ScoringRequest(tokens: text + [words[0]], purpose: .likelihoods(from: text.count, alternatives: 0)),
                ScoringRequest(tokens: text + [words[1]], purpose: .likelihoods(from: text.count, alternatives: 0)),
            ])
            let logs = vectors.map { result -> Float in
                if case .likelihoods(let all) = result { all[0].logProbability } else { .nan }
            }
            #expect(abs((pair[0] - pair[1]) - (logs[0] - logs[1])) < 1e-4)
        }
        for words in [[-1], [TokenID(model.vocabularySize)]] as [[TokenID]] {
            let error = await #expect(throws: EngineError.self) {
                try await scores(engine, [ScoringRequest(tokens: texts[0], purpose: .scores(of: words))])
            }
            #expect(error?.code == .tokenOutOfRange)
        }
        let error = await #expect(throws: EngineError.self) {
            try await scores(engine, [ScoringRequest(tokens: texts[0], purpose: .scores(of: nil))])
        }
        #expect(error?.code == .unsupportedTask)
        // This vocabulary has no word "yes".
        let wordless = #expect(throws: EngineError.self) { try qwen(named: "Qwen3-Reranker-0.6B") }
        #expect(wordless?.field == "tokenizer.ggml.tokens")
        let chat = try qwen(named: "Qwen3-Reranker-0.6B", pooling: 3)
        #expect(chat.ranking == nil && chat.generatesText)
    }

    @Test("What is no head of a reranker is refused by its name")
    func hostile() throws {
        func failure(
            _ change: (inout [String: GGUFValue]) -> Void = { _ in }, tensor: String? = nil, shape: [Int]? = nil
        ) -> EngineError? {
            do {
                _ = try ModelCopy.load(
                    RankFixture.path("bert-rank"), changeMetadata: change,
                    changeTensor: { found in
                        guard found.name == tensor else { return .keep }
                        guard let shape else { return .drop }
                        return .replace(
                            type: .f32, shape: shape, bytes: [UInt8](repeating: 0, count: 4 * shape.reduce(1, *)))
                    })
                return nil
            } catch { return error as? EngineError }
        }
        #expect(failure(tensor: "cls.output.weight")?.code == .missingTensor)
        #expect(failure(tensor: "cls.output.weight", shape: [16, 1])?.field == "cls.output.weight")
        #expect(failure(tensor: "cls.output.weight", shape: [32, 3])?.field == "cls.output.bias")
        #expect(failure(tensor: "cls.output.bias", shape: [2])?.field == "cls.output.bias")
        #expect(failure(tensor: "cls.weight", shape: [32, 31])?.field == "cls.weight")
        let labels = ["bert.classifier.output_labels"]
        #expect(
            failure({ $0[labels[0]] = .array(GGUFArray(["a", "b"])) })?.field == labels[0])
        let template = "tokenizer.chat_template.rerank"
        #expect(failure({ $0[template] = .string(GGUFString("{query}")) })?.field == template)
        // Two scores without names say nothing of which is which.
        #expect(failure(tensor: "cls.output.weight", shape: [32, 2])?.field != nil)
    }
}

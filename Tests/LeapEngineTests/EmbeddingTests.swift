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

/// A tiny random model with the vectors that transformers computes for the tokens of some texts.
struct EmbeddingFixture: Decodable {
    struct Text: Decodable {
        let text: String
        let ids: [TokenID]
        let states: [Float]
    }

    let pooling: String
    let width: Int
    let texts: [Text]

    static let folder = Fixture.folder.appendingPathComponent("embeddings")
    static let names = ["bert-mean", "bert-cls", "lfm2-retrieval", "lfm2-colbert", "qwen3-last"]

    static func load(_ name: String) throws -> EmbeddingFixture {
        try JSONDecoder().decode(
            EmbeddingFixture.self, from: Data(contentsOf: folder.appendingPathComponent("\(name).json")))
    }

    static func model(_ name: String) throws -> Model {
        try Model.load(path: folder.appendingPathComponent("\(name).gguf").path)
    }

    /// Returns a text's vectors, in double precision.
    func vectors(_ text: Text, _ pooling: Pooling, isNormalized: Bool) -> [[Double]] {
        let rows = (0..<text.ids.count).map { row in
            text.states[row * width..<(row + 1) * width].map { Double($0) }
        }
        let pooled: [[Double]]
        switch pooling {
        case .none: pooled = rows
        case .cls: pooled = [rows[0]]
        case .last: pooled = [rows[rows.count - 1]]
        case .mean: pooled = [(0..<width).map { i in rows.reduce(0) { $0 + $1[i] } / Double(rows.count) }]
        }
        guard isNormalized else { return pooled }
        return pooled.map { row in
            let length = row.reduce(0) { $0 + $1 * $1 }.squareRoot()
            return row.map { $0 / length }
        }
    }
}

/// Vectors that stand for texts, against transformers in float32.
@Suite(.inTurns)
struct EmbeddingTests {
    private func engine(_ name: String, _ change: (inout EngineOptions) -> Void = { _ in }) throws -> Engine {
        var options = EngineOptions()
        options.threads = 2
        options.keyValueType = .f32
        change(&options)
        return try Engine(model: try EmbeddingFixture.model(name), options: options)
    }

    private func vectors(
        _ engine: Engine, _ texts: [[TokenID]], _ pooling: Pooling, isNormalized: Bool = true
    ) async throws -> [[[Float]]] {
        let results = try await engine.score(
            texts.map { ScoringRequest(tokens: $0, purpose: .vectors(pooling, isNormalized: isNormalized)) })
        return results.map { if case .vectors(let vectors) = $0 { vectors } else { [] } }
    }

    @Test("Vectors are those of the reference with every pooling", arguments: EmbeddingFixture.names)
    func reference(name: String) async throws {
        let fixture = try EmbeddingFixture.load(name)
        let engine = try engine(name) { $0.prefillChunk = 50 }
        let model = try #require(engine.model)
        #expect(model.pooling?.rawValue == fixture.pooling && model.textVectorLength == fixture.width)
        var worst = 0.0
        for pooling in Pooling.allCases {
            for isNormalized in [true, false] {
                let found = try await vectors(engine, fixture.texts.map(\.ids), pooling, isNormalized: isNormalized)
                #expect(found.count == fixture.texts.count)
                for (text, rows) in zip(fixture.texts, found) {
                    let expected = fixture.vectors(text, pooling, isNormalized: isNormalized)
                    #expect(rows.count == expected.count)
                    for (row, values) in zip(rows, expected) {
                        #expect(row.count == fixture.width)
                        for (value, exact) in zip(row, values) { worst = max(worst, abs(Double(value) - exact)) }
                    }
                }
            }
        }
        print("largest difference of vectors of \(name): \(worst)")
        #expect(worst <= 1e-4)
        #expect(Float(worst) <= (try MeasuredTable.row(model.architecture).difference))
    }

    @Test("The file's tokenizer gives the reference's tokens", arguments: EmbeddingFixture.names)
    func tokens(name: String) throws {
        let fixture = try EmbeddingFixture.load(name)
        let tokenizer = try EmbeddingFixture.model(name).tokenizer
        for text in fixture.texts {
            let ids = tokenizer.encode(text.text)
            #expect(ids == text.ids, "\(text.text)")
        }
    }

    @Test(
        "Other texts in the pass, and threads, do not change a bit",
        arguments: ["bert-mean", "lfm2-retrieval", "qwen3-last"])
    func oneArithmetic(name: String) async throws {
        let fixture = try EmbeddingFixture.load(name)
        let texts = fixture.texts.map(\.ids)
        var alone: [[[Float]]] = []
        for text in texts { alone += try await vectors(try engine(name) { $0.threads = 1 }, [text], .mean) }
        for chunk in [1, 30, 100, 512] {
            let engine = try engine(name) {
                $0.prefillChunk = chunk
                $0.threads = 3
            }
            #expect(try await vectors(engine, texts + texts, .mean) == alone + alone, "chunks of \(chunk)")
        }
    }

    @Test(
        "Any number of texts takes the memory of a pass, and that is given back",
        arguments: ["bert-mean", "qwen3-last"])
    func boundedMemory(name: String) async throws {
        let fixture = try EmbeddingFixture.load(name)
        // What a pass needs, with room; all texts together would need many times that.
        let engine = try engine(name) { $0.maxMemory = 3 << 20 }
        let texts = [[TokenID]](repeating: fixture.texts[4].ids, count: TestLevel.rounds(120, all: 600))
        let found = try await vectors(engine, texts, .last)
        #expect(found.count == texts.count && found.allSatisfy { $0 == found[0] })
        #expect(engine.statistics.tokens.promptTokens == texts.count * fixture.texts[4].ids.count)
        #expect(engine.statistics.memoryBytes < 3 << 20)
    }

    @Test(
        "A model that reads texts does not write them, and says what it is for",
        arguments: ["bert-mean", "lfm2-retrieval", "lfm2-colbert"])
    func writesNoText(name: String) async throws {
        let engine = try engine(name)
        for await event in engine.makeSession().events(GenerationRequest(prompt: [1, 2], maxTokens: 1)) {
            guard case .finished(let result) = event, case .failed(let error as EngineError) = result.reason else {
                Issue.record("it generates")
                return
            }
            #expect(error.code == .unsupportedTask && error.message.contains("embeddings"))
        }
        let error = await #expect(throws: EngineError.self) {
            try await engine.score([ScoringRequest(tokens: [1, 2], purpose: .likelihoods(from: 1, alternatives: 0))])
        }
        #expect(error?.code == .unsupportedTask)
    }

    @Test("Texts are compared by their tokens where the file has a projection and no pooling")
    func comparesTokens() throws {
        for name in EmbeddingFixture.names {
            #expect(try EmbeddingFixture.model(name).comparesTokens == (name == "lfm2-colbert"))
        }
        let path = EmbeddingFixture.folder.appendingPathComponent("lfm2-colbert.gguf").path
        for (type, compares) in [(nil, true), (0, true), (1, false), (2, false), (3, false)] as [(UInt32?, Bool)] {
            let model = try ModelCopy.load(
                path, changeMetadata: { $0["lfm2.pooling_type"] = type.map { GGUFValue.uint32($0) } })
            #expect(model.comparesTokens == compares && !model.generatesText, "\(String(describing: type))")
        }
        #expect(try !EmbeddingFixture.model("gemma-embedding").comparesTokens)
    }

    @Test("A text that is too long is refused by both numbers")
    func tooLong() async throws {
        let engine = try engine("bert-mean")
        #expect(engine.contextSize == 160)
        let error = await #expect(throws: EngineError.self) {
            try await vectors(engine, [[2, 3], [TokenID](repeating: 5, count: 161)], .mean)
        }
        #expect(error?.code == .contextExceeded && error?.needed == 161 && error?.available == 160)
        #expect(try await vectors(engine, [[TokenID](repeating: 5, count: 160)], .mean).count == 1)
    }
}

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

/// Scores of options at masks, against numpy in double precision.
@Suite(.inTurns)
struct OptionScoreTests {
    /// The scores of numpy for a type.
    private struct Reference: Decodable {
        struct Case: Decodable {
            let tokens: [TokenID]
            let masks: [Int]
            let type: Int
            let scores: [Double]

            var request: ScoringRequest { ScoringRequest(tokens: tokens, purpose: .options(at: masks, type: type)) }
        }

        let cases: [Case]
    }

    private static let types = ["laya", "lfm2-d1-omni"]

    private static func cases(_ type: String) throws -> [Reference.Case] {
        let path = EmbeddingFixture.folder.deletingLastPathComponent().appendingPathComponent("decisions.json")
        let all = try JSONDecoder().decode([String: Reference].self, from: Data(contentsOf: path))
        return try #require(all[type]).cases
    }

    private static func model(
        _ type: String, _ change: (inout MaskDecisionFile) -> Void = { _ in }
    ) throws -> Model {
        var file = MaskDecisionFile(type)
        change(&file)
        let url = try file.write(from: EmbeddingFixture.folder)
        defer { try? FileManager.default.removeItem(at: url) }
        return try Model.load(path: url.path)
    }

    private static func engine(_ model: Model, threads: Int = 2, chunk: Int = 512) throws -> Engine {
        var options = EngineOptions()
        (options.threads, options.keyValueType, options.prefillChunk) = (threads, .f32, chunk)
        return try Engine(model: model, options: options)
    }

    private static func scores(_ engine: Engine, _ requests: [ScoringRequest]) async throws -> [[Float]] {
        try await engine.score(requests).map { if case .scores(let scores) = $0 { scores } else { [] } }
    }

    @Test("Scores are the reference's, with the same bits alone and in any company", arguments: types)
    func reference(type: String) async throws {
        let cases = try Self.cases(type)
        let model = try Self.model(type)
        #expect(model.decision?.type.rawValue == type && model.decision?.layout != nil && !model.generatesText)
        #expect(model.layerCount == 4 && model.layers.maskedWords == nil && model.layers.classifier == nil)
        let requests = cases.map(\.request)
        var alone: [[Float]] = []
        for request in requests { alone += try await Self.scores(Self.engine(model, threads: 1), [request]) }
        var worst = 0.0
        for (found, wanted) in zip(alone, cases) {
            #expect(found.count == wanted.scores.count)
            for (score, exact) in zip(found, wanted.scores) { worst = max(worst, abs(Double(score) - exact)) }
        }
        print("largest difference of scores of \(type): \(worst)")
        #expect(worst <= 1e-5)
        for chunk in [1, 60, 512] {
            let engine = try Self.engine(model, threads: 3, chunk: chunk)
            #expect(try await Self.scores(engine, requests + requests) == alone + alone)
        }
    }

    @Test("Three projections give what one that holds them does", arguments: types)
    func projections(type: String) async throws {
        let requests = try Self.cases(type).map(\.request)
        let split = try await Self.scores(Self.engine(Self.model(type) { $0.isSplit = true }), requests)
        #expect(try await Self.scores(Self.engine(Self.model(type)), requests) == split)
    }

    @Test("The type of a question counts", arguments: types)
    func questionTypes(type: String) async throws {
        let sample = try #require(Self.cases(type).last)
        let engine = try Self.engine(Self.model(type))
        let found = try await Self.scores(
            engine,
            (0..<3).map { ScoringRequest(tokens: sample.tokens, purpose: .options(at: sample.masks, type: $0)) })
        #expect(Set(found).count == 3)
    }

    @Test("Masks outside of the text, other types and other tasks are refused")
    func requests() async throws {
        let engine = try Self.engine(Self.model("laya"))
        for (places, type) in [([], 0), ([3], 0), ([-1], 0), ([1, 1], 0), ([2, 1], 0), ([1], 3), ([1], -1)]
            as [([Int], Int)]
        {
            let request = ScoringRequest(tokens: [1, 3, 7], purpose: .options(at: places, type: type))
            let error = await #expect(throws: EngineError.self) { try await Self.scores(engine, [request]) }
            #expect(error?.code == .invalidOption && error?.field == "options")
        }
        for purpose in [
            .vectors(.mean, isNormalized: true), .scores(of: nil), .maskedWords(at: [1], count: 1),
        ] as [ScoringRequest.Purpose] {
            let error = await #expect(throws: EngineError.self) {
                try await Self.scores(engine, [ScoringRequest(tokens: [1, 3, 7], purpose: purpose)])
            }
            #expect(error?.code == .unsupportedTask && error?.field == "decision.type")
        }
        let other = try Self.engine(EmbeddingFixture.model("modern-bert"))
        let error = await #expect(throws: EngineError.self) {
            try await Self.scores(other, [ScoringRequest(tokens: [1, 3], purpose: .options(at: [1], type: 0))])
        }
        #expect(error?.code == .unsupportedTask)
    }

    private static func failure(_ type: String, _ change: (inout MaskDecisionFile) -> Void) -> EngineError? {
        ChangedFixture.failure { try model(type, change) }
    }

    @Test("Missing tensors are listed, and those of another shape named", arguments: types)
    func tensors(type: String) throws {
        let one = Self.failure(type) { $0.omitted = ["cls.output.bias"] }
        #expect(one?.code == .missingTensor && one?.field == "cls.output.bias")
        let several = Self.failure(type) {
            $0.omitted = ["token_types.weight", "blk.5.ffn_up.bias", "cls.norm.weight"]
        }
        #expect(several?.code == .missingTensor)
        #expect(several?.message.contains("blk.5.ffn_up.bias, token_types.weight, cls.norm.weight") == true)
        #expect(Self.failure(type) { $0.omitted = ["blk.4.attn_qkv.bias"] }?.field == "blk.4.attn_qkv.bias")
        for (name, shape) in [
            ("token_types.weight", [31, 3]), ("cls.output.weight", [31]), ("blk.4.attn_qkv.weight", [64, 64]),
            ("blk.5.ffn_down.weight", [64, 31]), ("cls.norm.bias", [5]), ("blk.4.attn_norm.weight", [5]),
        ] {
            let error = Self.failure(type) { $0.shapes = [name: shape] }
            #expect(error?.code == .invalidTensor && error?.field == name)
        }
    }

    @Test("Keys that do not fit are named")
    func keys() throws {
        func failure(_ type: String, _ key: String, _ value: GGUFValue?) -> EngineError? {
            Self.failure(type) { $0.changes = [key: value] }
        }
        let expected: [(type: String, key: String, value: GGUFValue?)] = [
            ("laya", "modern-bert.decision.block_count", nil),
            ("laya", "modern-bert.decision.block_count", .uint32(6)),
            ("laya", "modern-bert.decision.max_head_tokens", nil),
            ("laya", "modern-bert.decision.max_head_tokens", .uint32(0)),
            ("laya", "tokenizer.ggml.mask_token_id", nil),
            ("laya", "tokenizer.ggml.seperator_token_id", nil),
            ("laya", "tokenizer.ggml.token_type_count", .uint32(2)),
            ("laya", "modern-bert.decision.type", .string(GGUFString("lfm2-d1-omni"))),
            ("lfm2-d1-omni", "lfm2.decision.type", .string(GGUFString("laya"))),
            ("lfm2-d1-omni", "lfm2.attention.causal", .bool(true)),
            ("lfm2-d1-omni", "lfm2.attention.causal", nil),
            ("lfm2-d1-omni", "tokenizer.ggml.mask_token_id", nil),
        ]
        for (type, key, value) in expected {
            let error = failure(type, key, value)
            #expect(error?.field == key, "\(type) \(key) \(error?.message ?? "no error")")
        }
    }

    @Test("A file of one block has no layer in front of its head, and is refused", arguments: types)
    func headWithoutLayers(type: String) {
        let prefix = type == "laya" ? "modern-bert" : "lfm2"
        let error = Self.failure(type) {
            $0.changes = ["\(prefix).block_count": .uint32(1), "\(prefix).decision.block_count": .uint32(1)]
        }
        #expect(error?.code == .invalidMetadata && error?.field == "\(prefix).decision.block_count")
    }

    @Test("Two-way decision models of LFM3 are refused by their type")
    func lfm3() throws {
        let error = ChangedFixture.failure {
            try ChangedFixture.load(
                "lfm3",
                changeMetadata: {
                    $0["lfm3.attention.causal"] = .bool(false)
                    $0["lfm3.decision.type"] = .string(GGUFString("lfm3-d1"))
                })
        }
        #expect(error?.code == .unsupportedArchitecture && error?.field == "lfm3.decision.type")
    }
}

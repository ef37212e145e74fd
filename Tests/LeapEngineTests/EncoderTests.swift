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

/// A tiny random encoder with the states and the vector that transformers computes for some tokens.
struct EncoderFixture: Decodable {
    struct Text: Decodable {
        let text: String
        /// Without special tokens.
        let ids: [TokenID]
    }

    let tokens: [TokenID]
    let shape: [Int]
    /// The vectors behind the last norm, before any projection, `[tokens][width]`.
    let hidden: [Float]
    /// Of length 1.
    let pooled: [Float]
    let tokenize: [Text]

    static let names = ["nomic-bert", "nomic-bert-moe", "gemma-embedding", "modern-bert"]

    static func load(_ name: String) throws -> EncoderFixture {
        try JSONDecoder().decode(
            EncoderFixture.self,
            from: Data(contentsOf: EmbeddingFixture.folder.appendingPathComponent("\(name).json")))
    }

    /// The beginnings of the tokens, of many lengths: shorter than a window, and longer.
    var texts: [[TokenID]] { [1, 2, 7, 16, 33, 64, 65, tokens.count].map { Array(tokens.prefix($0)) } }
}

/// Encoders of 2026 against transformers in float32; `nomic-bert-moe` against numpy.
@Suite(.inTurns)
struct EncoderTests {
    private func engine(_ name: String, _ change: (inout EngineOptions) -> Void = { _ in }) throws -> Engine {
        var options = EngineOptions()
        options.threads = 2
        options.keyValueType = .f32
        change(&options)
        return try Engine(model: try EmbeddingFixture.model(name), options: options)
    }

    private func vectors(_ engine: Engine, _ texts: [[TokenID]], _ pooling: Pooling) async throws -> [[[Float]]] {
        let results = try await engine.score(
            texts.map { ScoringRequest(tokens: $0, purpose: .vectors(pooling, isNormalized: true)) })
        return results.map { if case .vectors(let vectors) = $0 { vectors } else { [] } }
    }

    @Test("The vector of a text is the reference's", arguments: EncoderFixture.names)
    func pooled(name: String) async throws {
        let fixture = try EncoderFixture.load(name)
        let engine = try engine(name)
        #expect(engine.model?.pooling == .mean && engine.model?.generatesText == false)
        let found = try await vectors(engine, [fixture.tokens], .mean)[0][0]
        #expect(found.count == fixture.pooled.count && engine.model?.textVectorLength == found.count)
        let worst = zip(found, fixture.pooled).map { abs($0 - $1) }.max() ?? 1
        print("largest difference of the vector of \(name): \(worst)")
        #expect(worst <= 1e-5)
        #expect(worst <= (try MeasuredTable.row(try #require(engine.model).architecture).difference))
    }

    @Test("The states of all tokens are the reference's", arguments: EncoderFixture.names)
    func states(name: String) throws {
        let fixture = try EncoderFixture.load(name)
        let model = try EmbeddingFixture.model(name)
        let layout = CacheLayout(model: model, keyValueType: .f32)
        let executor = CPUExecutor(
            model: model, layout: layout, kernels: try Kernels(threads: 1), contextSize: 256)
        let outputs = try executor.run([
            BatchSegment(
                sequence: executor.makeSequence(limit: 256), tokens: fixture.tokens[...], wanted: .all, output: .hidden)
        ])
        let rows = try #require(outputs?.first)
        #expect(rows.count == fixture.shape[0] && rows.length == fixture.shape[1])
        var worst: Float = 0
        for row in 0..<rows.count {
            for i in 0..<rows.length {
                worst = max(worst, abs(rows.row(row)[i] - fixture.hidden[row * rows.length + i]))
            }
        }
        print("largest difference of the states of \(name): \(worst)")
        #expect(worst <= 1e-4)
    }

    @Test("The file's tokenizer gives the reference's tokens", arguments: EncoderFixture.names)
    func tokens(name: String) throws {
        let tokenizer = try EmbeddingFixture.model(name).tokenizer
        for text in try EncoderFixture.load(name).tokenize {
            #expect(tokenizer.encode(text.text, addSpecial: false) == text.ids, "\(text.text)")
        }
    }

    @Test("Other texts in the pass, and threads, do not change a bit", arguments: EncoderFixture.names)
    func oneArithmetic(name: String) async throws {
        let texts = try EncoderFixture.load(name).texts
        var alone: [[[Float]]] = []
        let single = try engine(name) { $0.threads = 1 }
        for text in texts { alone += try await vectors(single, [text], .mean) }
        for chunk in TestLevel.isAll ? [1, 30, 100, 512] : [30, 512] {
            let engine = try engine(name) {
                $0.prefillChunk = chunk
                $0.threads = 3
            }
            #expect(try await vectors(engine, texts + texts, .mean) == alone + alone, "chunks of \(chunk)")
        }
    }

    @Test(
        "A key that is not known is refused by its name", arguments: ["nomic-bert", "gemma-embedding", "modern-bert"])
    func unknownKey(name: String) {
        let error = #expect(throws: EngineError.self) {
            try changed(name) { $0["\(name).attention.max_alibi_bias"] = .float32(8) }
        }
        #expect(error?.code == .unsupportedArchitecture && error?.field == "\(name).attention.max_alibi_bias")
        #expect(error?.message.contains("attention.max_alibi_bias") == true)
    }

    @Test(
        "A number that makes another model is refused by its name",
        arguments: [
            ("nomic-bert", "attention.causal", GGUFValue.bool(true)),
            ("gemma-embedding", "attention.causal", .bool(true)),
            ("modern-bert", "attention.causal", .bool(true)),
            ("modern-bert", "hidden_act", .string(GGUFString("relu"))),
            ("modern-bert", "attention.sliding_window", .uint32(0)),
            ("gemma-embedding", "attention.sliding_window", nil),
            ("modern-bert", "attention.sliding_window_pattern", .uint32(0)),
            ("gemma-embedding", "dense_2_feat_out", .uint32(64)), ("gemma-embedding", "dense_3_feat_in", .uint32(64)),
            ("gemma-embedding", "rope.freq_base_swa", .float32(.nan)), ("nomic-bert", "rope.freq_base", .float32(0)),
            ("nomic-bert-moe", "expert_used_count", .uint32(99)), ("nomic-bert-moe", "expert_count", nil),
            ("nomic-bert-moe", "moe_every_n_layers", nil), ("modern-bert", "pooling_type", .uint32(5)),
        ] as [(String, String, GGUFValue?)])
    func otherModel(name: String, key: String, value: GGUFValue?) {
        let error = #expect(throws: EngineError.self) { try changed(name) { $0["\(name).\(key)"] = value } }
        #expect(error?.field == "\(name).\(key)", "\(String(describing: error))")
    }

    @Test(
        "A tensor that is missing or has another shape is named",
        arguments: [
            ("nomic-bert", "blk.1.attn_output.weight"), ("nomic-bert", "blk.0.attn_output_norm.weight"),
            ("nomic-bert", "blk.2.ffn_gate.weight"), ("nomic-bert", "token_embd_norm.weight"),
            ("modern-bert", "blk.1.attn_norm.weight"), ("modern-bert", "blk.0.ffn_up.weight"),
            ("modern-bert", "output_norm.weight"), ("gemma-embedding", "dense_2.weight"),
            ("gemma-embedding", "dense_3.weight"), ("gemma-embedding", "blk.5.post_ffw_norm.weight"),
            ("nomic-bert-moe", "blk.1.ffn_gate_inp.weight"), ("nomic-bert-moe", "blk.3.ffn_down_exps.weight"),
        ])
    func otherTensor(name: String, tensor: String) {
        for dropped in [true, false] {
            let error = #expect(throws: EngineError.self) {
                try ModelCopy.load(
                    EmbeddingFixture.folder.appendingPathComponent("\(name).gguf").path,
                    changeTensor: { found in
                        guard found.name == tensor else { return .keep }
                        var shape = found.shape
                        shape[0] /= 2
                        let bytes = [UInt8](repeating: 0, count: 4 * shape.reduce(1, *))
                        return dropped ? .drop : .replace(type: .f32, shape: shape, bytes: bytes)
                    })
            }
            #expect(error?.field?.contains(tensor.split(separator: ".").dropLast().joined(separator: ".")) == true)
        }
    }

    private func changed(_ name: String, _ change: (inout [String: GGUFValue]) -> Void) throws -> Model {
        try ModelCopy.load(
            EmbeddingFixture.folder.appendingPathComponent("\(name).gguf").path, changeMetadata: change)
    }
}

import Foundation
import LeapGGUF
import LeapMeasurement
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapEngine
@testable import LeapModel

/// Changed files of the newer architectures: each is refused with a typed error that names the key or tensor, or does
/// no harm.
@Suite(.inTurns)
struct HostileVariantTests {
    private static let largest = GGUFValue.uint32(.max)
    private static let text = GGUFValue.string(GGUFString("many"))

    private static func list(_ numbers: Int32...) -> GGUFValue { .array(GGUFArray(numbers)) }
    private static func flags(_ flags: Bool...) -> GGUFValue { .array(GGUFArray(flags)) }

    static let counts: [HostileVariant] = [
        .init("qwen3moe", "qwen3moe.block_count", .uint32(0)), .init("qwen3moe", "qwen3moe.block_count", largest),
        .init("qwen3moe", "qwen3moe.block_count", .uint32(4), names: "blk.3.attn_norm.weight"),
        .init("qwen3moe", "qwen3moe.block_count", .uint32(2), names: "blk.2."),
        .init("qwen3moe", "qwen3moe.context_length", .uint32(0)),
        .init("qwen3moe", "qwen3moe.context_length", largest),
        .init("mistral3", "mistral3.embedding_length", largest),
        .init("mistral3", "mistral3.attention.key_length", .uint32(0)),
        .init("mistral3", "mistral3.feed_forward_length", largest),
        .init("mistral3", "mistral3.attention.value_length", .uint32(16)),
        .init("qwen3vl", "qwen3vl.n_deepstack_layers", largest),
        .init("qwen3vl", "qwen3vl.n_deepstack_layers", .uint32(4)),
        .init("lfm3", "lfm3.attention.key_length", .int64(-16)),
        .init("lfm3", "lfm3.shortconv.l_cache", .uint32(0)), .init("lfm3", "lfm3.shortconv.l_cache", largest),
        .init(
            "embeddings/nomic-bert-moe", "nomic-bert-moe.moe_every_n_layers", .uint32(0), names: "blk.1.ffn_up.weight"),
        .init("embeddings/nomic-bert-moe", "nomic-bert-moe.moe_every_n_layers", largest),
    ]

    static let types: [HostileVariant] = [
        .init("qwen3moe", "qwen3moe.expert_count", text), .init("qwen35", "qwen35.ssm.state_size", flags(true)),
        .init("qwen35", "qwen35.full_attention_interval", .bool(true)),
        .init("gemma4", "gemma4.final_logit_softcapping", text), .init("gemma4", "gemma4.rope.freq_base", text),
        .init("gpt-oss", "gpt-oss.attention.sliding_window", text),
        .init("gpt-oss", "gpt-oss.rope.scaling.type", .uint32(3)),
        .init("mistral3", "mistral3.attention.temperature_scale", list(1)),
        .init("granitehybrid", "granitehybrid.rope.scaling.finetuned", text),
        .init("granitehybrid", "granitehybrid.embedding_scale", text),
        .init("falcon-h1", "falcon-h1.ssm.inner_size", .float32(72)),
        .init("nemotron-h", "nemotron_h.feed_forward_length", text),
        .init("embeddings/gemma-embedding", "gemma-embedding.attention.causal", .uint32(0)),
        .init("embeddings/gemma-embedding", "gemma-embedding.pooling_type", text),
        .init("embeddings/modern-bert", "modern-bert.hidden_act", .uint32(1)),
    ]

    static let heads: [HostileVariant] = [
        .init("qwen3moe", "qwen3moe.attention.head_count", nil),
        .init("qwen3moe", "qwen3moe.attention.head_count", .uint32(3), names: "qwen3moe.attention.head_count_kv"),
        .init("qwen35", "qwen35.attention.head_count_kv", .uint32(3)),
        .init("qwen35moe", "qwen35moe.attention.head_count", .uint32(0)),
        .init("gpt-oss", "gpt-oss.attention.head_count_kv", largest),
        .init("gemma4", "gemma4.attention.head_count_kv", list(2, 2)),
        .init("granitehybrid", "granitehybrid.attention.head_count_kv", list(0, 0, 3, 0)),
        .init("lfm3", "lfm3.attention.head_count_kv", list(0, 0, 2)),
        .init("nemotron-h", "nemotron_h.attention.head_count_kv", list(0, 0, 0, 0, -2, 0, 0, 0)),
        .init("falcon-h1", "falcon-h1.attention.head_count_kv", .uint32(0)),
        .init("embeddings/modern-bert", "modern-bert.attention.head_count", .uint32(5)),
    ]

    static let experts: [HostileVariant] = [
        .init("qwen3moe", "qwen3moe.expert_count", .uint32(7), names: "blk.0.ffn_gate_exps.weight"),
        .init("qwen3moe", "qwen3moe.expert_count", largest),
        .init("qwen3moe", "qwen3moe.expert_used_count", .uint32(9)),
        .init("qwen35moe", "qwen35moe.expert_used_count", .int32(-1)),
        .init(
            "qwen35moe", "qwen35moe.expert_shared_feed_forward_length", .uint32(49),
            names: "blk.0.ffn_gate_shexp.weight"
        ),
        .init("qwen35moe", "qwen35moe.expert_shared_feed_forward_length", largest),
        .init("nemotron-h-moe", "nemotron_h_moe.expert_used_count", .uint32(6)),
        .init("nemotron-h-moe", "nemotron_h_moe.expert_count", nil),
        .init("embeddings/nomic-bert-moe", "nomic-bert-moe.expert_count", .uint32(0)),
        .init("embeddings/nomic-bert-moe", "nomic-bert-moe.expert_used_count", .uint32(6)),
        .init("qwen3moe", tensor: "blk.1.ffn_down_exps.weight", [32, 64, 7]),
        .init("gpt-oss", tensor: "blk.3.ffn_up_exps.bias", [32, 5]),
    ]

    static let patterns: [HostileVariant] = [
        .init("gemma4", "gemma4.attention.sliding_window_pattern", flags(true, false, true, false, true)),
        .init("gemma4", "gemma4.attention.sliding_window_pattern", list(1, 0, 2, 0, 1, 0)),
        .init("gemma4", "gemma4.feed_forward_length", list(96, 96, 96, 96, 192)),
        .init("qwen35", "qwen35.attention.recurrent_layers", flags(true, false)),
        .init(
            "qwen35", "qwen35.attention.recurrent_layers", flags(true, true, true, true), names: "blk.3.attn_qkv.weight"
        ),
        .init("qwen35", "qwen35.rope.dimension_sections", list(8, 8, 8, 8)),
        .init("qwen3vl", "qwen3vl.rope.dimension_sections", list(-8, 4, 4, 0)),
        .init("qwen3vl", "qwen3vl.rope.dimension_sections", list(8)),
        .init("nemotron-h", "nemotron_h.feed_forward_length", list(0, 40, 0, 0, 0, 40, 40)),
        .init("embeddings/modern-bert", "modern-bert.attention.sliding_window_pattern", .uint32(0)),
        .init("embeddings/gemma-embedding", "gemma-embedding.attention.sliding_window", nil),
    ]

    static let arithmetic: [HostileVariant] = [
        .init("falcon-h1", "falcon-h1.ssm.state_size", .uint32(1 << 31)),
        .init("falcon-h1", "falcon-h1.ssm.group_count", .uint32(5), names: "falcon-h1.ssm.time_step_rank"),
        .init("falcon-h1", "falcon-h1.ssm.time_step_rank", .uint32(5)),
        .init("falcon-h1", "falcon-h1.ssm.conv_kernel", .uint32(0)),
        .init("nemotron-h", "nemotron_h.ssm.inner_size", largest),
        .init("qwen35moe", "qwen35moe.ssm.state_size", .uint64(.max)),
        .init("falcon-h1", "falcon-h1.rope.freq_base", .float32(0)),
        .init("gpt-oss", "gpt-oss.rope.scaling.factor", .float32(.nan)),
        .init("mistral3", "mistral3.rope.dimension_count", .uint32(31)),
        .init("gemma4", "gemma4.final_logit_softcapping", .float32(.infinity)),
        .init("granitehybrid", "granitehybrid.attention.scale", .float32(.nan)),
        .init("granitehybrid", "granitehybrid.attention.clamp_kqv", .float32(8)),
        .init("falcon-h1", "falcon-h1.attention.logit_multiplier", .float32(8)),
        .init("qwen3vl", "qwen3vl.attn_logit_softcapping", .float32(50)),
        .init("embeddings/gemma-embedding", "gemma-embedding.pooling_type", .uint32(77)),
        .init("embeddings/gemma-embedding", "gemma-embedding.attention.sinks", .bool(true)),
        .init("embeddings/modern-bert", "modern-bert.hidden_act", .string(GGUFString("cosine"))),
    ]

    static let tensors: [HostileVariant] = [
        .init("gemma3n", tensor: "altup_unembd_proj.weight", [32, 32, 2]),
        .init("gemma3n", tensor: "blk.1.laurel_r.weight", [5, 32]),
        .init("gemma3n", tensor: "blk.0.attn_v.weight", nil),
        .init("gpt-oss", tensor: "blk.2.attn_sinks.weight", [3]),
        .init("gpt-oss", tensor: "blk.2.attn_sinks.weight", nil),
        .init("falcon-h1", tensor: "blk.1.ssm_conv1d.weight", [3, 136]),
        .init("granitehybrid", tensor: "blk.0.ssm_a", [1, 9]),
        .init("nemotron-h", tensor: "blk.0.ssm_norm.weight", [72, 2]),
        .init("qwen35", tensor: "blk.0.ssm_dt.bias", nil), .init("qwen3vl", tensor: "token_embd.weight", nil),
        .init("qwen3vl", tensor: "token_embd.weight", [64, 100]),
        .init("mistral3", tensor: "token_embd.weight", [32, 384]),
        .init("embeddings/modern-bert-rank", tensor: "cls.weight", [32, 31]),
        .init("embeddings/lfm2-colbert", tensor: "dense_2.weight", [31, 24]),
        .init("embeddings/gemma-embedding", tensor: "dense_3.weight", [64, 64]),
    ]

    static let vocabularies: [HostileVariant] = [
        .init("qwen35", "tokenizer.ggml.pre", .uint32(1)),
        .init("qwen35", "tokenizer.ggml.pre", .string(GGUFString("of-next-year")), shows: "'of-next-year'"),
        .init("mistral3", "tokenizer.ggml.model", .string(GGUFString("unheard-of"))),
        .init("mistral3", "tokenizer.ggml.model", nil), .init("gpt-oss", "tokenizer.ggml.tokens", nil),
        .init("gpt-oss", "tokenizer.ggml.tokens", list(1, 2, 3)), .init("gpt-oss", "tokenizer.ggml.merges", nil),
        .init("lfm3", "tokenizer.ggml.token_type", list(1, 2)),
        .init("gemma4", "tokenizer.ggml.scores", text),
        .init("lfm3", "tokenizer.ggml.eos_token_id", text),
        .init("qwen3vl", "general.architecture", nil), .init("qwen3vl", "general.architecture", list(1)),
        .init("qwen3vl", "general.architecture", .string(GGUFString("qwen9")), shows: "qwen9"),
    ]

    @Test(
        "A hostile variant is refused by the name of what is wrong",
        arguments: counts + types + heads + experts + patterns + arithmetic + tensors + vocabularies)
    func refused(variant: HostileVariant) throws {
        let refusal = try #require(try Refusal.of(variant.load), "it loads")
        #expect(refusal.field?.hasPrefix(variant.named) == true, "\(refusal)")
        #expect(refusal.message.contains(variant.shown), "\(refusal)")
    }

    @Test("What a file may say wrongly and be read all the same")
    func harmless() throws {
        func load(_ fixture: String, _ key: String, _ value: GGUFValue?) throws -> Model {
            let model = try HostileVariant(fixture, key, value).load()
            try Self.use(model)
            return model
        }
        let rule = try load("qwen35", "tokenizer.ggml.pre", nil)
        #expect(rule.tokenizer.notes.contains { $0.contains("names no pre-tokenizer") })
        let first = try load("lfm3", "tokenizer.ggml.bos_token_id", Self.largest)
        #expect(first.tokenizer.bosToken == nil)
        let merges = try load("gpt-oss", "tokenizer.ggml.merges", .array(GGUFArray(["a", "", " ", "a b c"])))
        #expect(merges.tokenizer.encode("that").count == 4)
        let factor = try load("gpt-oss", "gpt-oss.rope.scaling.factor", .float32(0))
        #expect(factor.layers.stack.ropes.allSatisfy { if case .none = $0.scaling { true } else { false } })
    }

    /// Turns a text into tokens, and tokens into numbers where the model writes text.
    private static func use(_ model: Model) throws {
        _ = model.tokenizer.encode("that was \u{1F600} in 2026")
        guard model.generatesText else { return }
        let logits = try Evaluation.logits(model: model, tokens: [1, 7, 50, 9], threads: 1)
        #expect(logits.count == 4 * model.vocabularySize && logits.allSatisfy { $0.isFinite })
    }

    private static let fixtures = [
        "lfm3", "qwen3moe", "qwen35", "qwen35moe", "qwen3vl", "gemma3n", "gemma4", "gemma4moe", "gpt-oss",
        "mistral3", "granitehybrid", "falcon-h1", "nemotron-h", "nemotron-h-moe", "embeddings/gemma-embedding",
        "embeddings/modern-bert-rank", "embeddings/nomic-bert-moe", "embeddings/lfm2-colbert",
    ]

    @Test(
        "Whatever a key holds, the file is refused by a name or computes",
        arguments: TestLevel.cases(fixtures, standard: 3))
    func everyKey(fixture: String) throws {
        let file = try GGUFFile.open(path: Fixture.path(fixture))
        let architecture = try #require(try file.metadata.string("general.architecture"))
        let all: [GGUFValue?] = [
            nil, .uint32(0), .uint32(.max), .int64(.min), .float32(.nan), Self.text, .array(GGUFArray([Int32]())),
        ]
        let values = TestLevel.cases(all, standard: 3)
        var refused = 0
        for key in file.metadata.keys where ["\(architecture).", "tokenizer."].contains(where: key.hasPrefix) {
            for value in values {
                let variant = HostileVariant(fixture, key, value)
                do {
                    try Self.use(try variant.load())
                } catch {
                    let refusal = try #require(Refusal(error), "\(error)")
                    let field = try #require(refusal.field, "\(variant.testDescription): \(refusal.message)")
                    #expect(refusal.message.contains(field), "\(variant.testDescription): \(refusal.message)")
                    refused += 1
                }
            }
        }
        #expect(refused > TestLevel.rounds(6, all: 20))
    }

    @Test("A file that ends too soon is refused wherever it ends", arguments: fixtures)
    func truncated(fixture: String) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Fixture.path(fixture))))
        let tensors = Set(try GGUFFile.parse(bytes: bytes).tensors.map(\.name))
        for part in 0..<40 {
            let end = part == 39 ? bytes.count - 1 : bytes.count * part / 40
            let refusal = try Refusal.of { try Model.load(file: try GGUFFile.parse(bytes: Array(bytes[..<end]))) }
            #expect(refusal?.message.isEmpty == false, "\(end) of \(bytes.count) bytes load")
            if part == 39 { #expect(refusal?.field.map(tensors.contains) == true, "\(String(describing: refusal))") }
        }
    }
}

import Foundation
import LeapGGUF
import LeapTestTraits
import Testing

@testable import LeapEngine
@testable import LeapModel

/// Files of the newer architectures with something missing, wrong or unknown: typed errors that name it.
@Suite(.inTurns)
struct HostileArchitectureTests {
    private static let names = [
        "mistral3", "gpt-oss", "gemma3n", "gemma4", "gemma4moe", "granitehybrid", "falcon-h1", "nemotron-h",
        "nemotron-h-moe",
    ]
    /// Architectures of which other suites take numbers and tensors away.
    private static let others = ["qwen3moe", "qwen3next", "qwen35", "qwen35moe", "qwen3vl", "lfm3", "muse-glimmer"]

    /// Loads a changed copy of a fixture.
    private func load(
        _ name: String, metadata change: (inout [String: GGUFValue]) -> Void = { _ in },
        tensor: (GGUFTensor) -> (shape: [Int], isKept: Bool) = { ($0.shape, true) }
    ) throws -> Model {
        try ChangedFixture.load(
            name, changeMetadata: change,
            changeTensor: { item in
                let (shape, isKept) = tensor(item)
                guard isKept else { return .drop }
                if shape == item.shape { return .keep }
                return .zeros(shape)
            })
    }

    private func failure(_ body: () throws -> Model) -> EngineError? {
        do {
            _ = try body()
            Issue.record("it loads")
            return nil
        } catch let error as EngineError {
            return error
        } catch {
            Issue.record("\(error)")
            return nil
        }
    }

    @Test("Keys that nobody reads are refused by name", arguments: names + others)
    func unknownKeys(name: String) throws {
        #expect(try load(name).layerCount > 2)
        let architecture = try Fixture.load(name).arch
        for key in ["attention.qk_scale", "rope.yarn_ext_factor", "expert_latent_scale", "altup.num_inputs"]
        where (name, key) != ("gemma3n", "altup.num_inputs") {
            let error = failure { try load(name, metadata: { $0["\(architecture).\(key)"] = .float32(2) }) }
            #expect(error?.code == .unsupportedArchitecture && error?.field == "\(architecture).\(key)", "\(key)")
        }
        // Keys of other architectures say nothing about this one.
        _ = try load(name, metadata: { $0["other.attention.qk_scale"] = .float32(2) })
    }

    @Test(
        "Missing numbers are named",
        arguments: [
            ("gpt-oss", "expert_count"), ("gpt-oss", "expert_used_count"), ("gpt-oss", "expert_feed_forward_length"),
            ("gpt-oss", "attention.sliding_window"), ("gemma4", "embedding_length_per_layer_input"),
            ("gemma4", "attention.sliding_window"), ("gemma4", "attention.sliding_window_pattern"),
            ("gemma3n", "embedding_length_per_layer_input"), ("gemma3n", "attention.sliding_window"),
            ("gemma4", "feed_forward_length"), ("gemma4moe", "expert_used_count"), ("mistral3", "embedding_length"),
            ("gemma4moe", "expert_feed_forward_length"), ("mistral3", "block_count"),
            ("granitehybrid", "ssm.state_size"), ("granitehybrid", "ssm.group_count"),
            ("granitehybrid", "ssm.time_step_rank"), ("granitehybrid", "ssm.inner_size"),
            ("granitehybrid", "ssm.conv_kernel"), ("granitehybrid", "expert_used_count"),
        ])
    func missingNumbers(name: String, key: String) throws {
        let field = "\(try Fixture.load(name).arch).\(key)"
        let error = failure { try load(name, metadata: { $0[field] = nil }) }
        #expect(error?.code == .invalidMetadata && error?.field == field)
    }

    @Test(
        "Numbers that do not fit are errors",
        arguments: [
            ("gpt-oss", "expert_used_count", GGUFValue.uint32(5)), ("gpt-oss", "expert_count", .uint32(0)),
            ("gpt-oss", "expert_count", .uint32(5)), ("gpt-oss", "attention.sliding_window", .uint32(0)),
            ("gpt-oss", "attention.head_count", .uint32(8)), ("gpt-oss", "expert_feed_forward_length", .uint32(64)),
            ("gemma4", "attention.shared_kv_layers", .uint32(7)), ("gemma4", "attention.shared_kv_layers", .uint32(6)),
            ("gemma4", "attention.shared_kv_layers", .uint32(5)), ("gemma4", "attention.shared_kv_layers", .uint32(1)),
            ("gemma4", "attention.key_length_swa", .uint32(8)), ("gemma4", "attention.value_length_swa", .uint32(8)),
            ("gemma4", "attention.key_length_swa", .uint32(513)), ("gemma4", "rope.dimension_count_swa", .uint32(3)),
            ("gemma4", "rope.dimension_count_swa", .uint32(64)),
            ("gemma4", "embedding_length_per_layer_input", .uint32(17)),
            ("gemma4", "embedding_length_per_layer_input", .uint32(.max)),
            ("gemma3n", "attention.shared_kv_layers", .float32(2.5)),
            ("gemma3n", "attention.shared_kv_layers", .uint32(9)),
            ("gemma3n", "attention.shared_kv_layers", .uint32(7)), ("gemma3n", "altup.active_idx", .uint32(1)),
            ("gemma3n", "altup.num_inputs", .uint32(3)), ("gemma3n", "altup.num_inputs", .uint32(1)),
            ("gemma3n", "activation_sparsity_scale", .array(GGUFArray([Float](repeating: 1, count: 7)))),
            ("gemma3n", "activation_sparsity_scale", .array(GGUFArray([Float](repeating: .nan, count: 8)))),
            ("gemma3n", "activation_sparsity_scale", .array(GGUFArray([Float](repeating: .infinity, count: 8)))),
            ("gemma3n", "final_logit_softcapping", .float32(-1)),
            ("gemma3n", "embedding_length_per_layer_input", .uint32(7)),
            ("gemma4moe", "attention.shared_kv_layers", .uint32(1)),
            ("gemma4moe", "expert_count", .uint32(3)), ("gemma4moe", "expert_used_count", .uint32(0)),
            ("mistral3", "attention.temperature_scale", .float32(-1)), ("mistral3", "expert_count", .uint32(2)),
            ("mistral3", "attention.temperature_scale", .float32(.infinity)),
            ("mistral3", "rope.scaling.original_context_length", .uint32(0)),
            ("mistral3", "rope.scaling.yarn_log_multiplier", .float32(-1)),
            ("mistral3", "rope.scaling.type", .string(GGUFString("dynamic"))),
            ("nemotron-h-moe", "moe_latent_size", .uint32(16)), ("nemotron-h-moe", "expert_group_count", .uint32(2)),
            ("nemotron-h-moe", "expert_gating_func", .uint32(1)), ("nemotron-h", "expert_count", .uint32(2)),
            ("granitehybrid", "ssm.state_size", .uint32(513)), ("granitehybrid", "ssm.state_size", .uint32(0)),
            ("granitehybrid", "ssm.state_size", .uint32(15)), ("granitehybrid", "ssm.group_count", .uint32(3)),
            ("granitehybrid", "ssm.group_count", .uint32(0)), ("granitehybrid", "ssm.time_step_rank", .uint32(7)),
            ("granitehybrid", "ssm.inner_size", .uint32(.max)), ("granitehybrid", "ssm.inner_size", .uint32(136)),
            ("granitehybrid", "ssm.conv_kernel", .uint32(9)), ("granitehybrid", "expert_used_count", .uint32(5)),
            ("granitehybrid", "expert_shared_feed_forward_length", .uint32(32)),
            ("granitehybrid", "residual_scale", .float32(-1)), ("granitehybrid", "logit_scale", .float32(.nan)),
        ])
    func wrongNumbers(name: String, key: String, value: GGUFValue) throws {
        let field = "\(try Fixture.load(name).arch).\(key)"
        let error = failure { try load(name, metadata: { $0[field] = value }) }
        #expect(
            [.invalidMetadata, .invalidTensor, .missingTensor, .unsupportedArchitecture].contains(error?.code), "\(key)"
        )
    }

    @Test("Every tensor that is missing or of another shape is named", arguments: names)
    func tensors(name: String) throws {
        // What a model can do without, and the kinds of tensors that share a name.
        let optional = [
            "layer_output_scale", "rope_freqs", "attn_q.bias", "attn_k.bias", "attn_v.bias", "attn_output.bias",
            "ffn_gate_inp.bias", "_exps.bias", "ffn_down_exps.scale", "ssm_conv1d.bias", "exp_probs_b.bias",
        ]
        var seen: Set<String> = []
        for tensor in try GGUFFile.open(path: Fixture.path(name)).tensors {
            let kind = tensor.name.split(separator: ".").filter { Int($0) == nil }.joined(separator: ".")
            guard seen.insert(kind).inserted, tensor.name != "token_embd.weight" else { continue }
            if !optional.contains(where: tensor.name.contains), kind != "blk.attn_v.weight",
                tensor.name != "output.weight" || name == "gpt-oss"
            {
                let error = failure { try load(name, tensor: { ($0.shape, $0.name != tensor.name) }) }
                #expect(error?.code == .missingTensor, "\(tensor.name)")
            }
            let error = failure {
                try load(name, tensor: { ($0.name == tensor.name ? [$0.shape[0] + 1] : $0.shape, true) })
            }
            #expect(error?.code == .invalidTensor && error?.field == tensor.name, "\(tensor.name)")
        }
    }

    @Test("Divisors of frequencies are positive numbers")
    func divisors() {
        let error = failure { try load("gemma4", tensor: { ($0.name == "rope_freqs.weight" ? [17] : $0.shape, true) }) }
        #expect(error?.code == .invalidTensor && error?.field == "rope_freqs.weight")
    }
}

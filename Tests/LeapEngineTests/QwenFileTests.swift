import LeapGGUF
import LeapMeasurement
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Files of Qwen's architectures that are changed: what is refused, and what makes no difference.
@Suite(.inTurns)
struct QwenFileTests {
    /// The model of a fixture's file with other numbers or without one, and with more tensors or fewer.
    private static func model(
        _ name: String, _ values: [String: GGUFValue] = [:], withoutKey: String? = nil, without: String? = nil,
        _ change: (inout GGUFWriter, GGUFFile) throws -> Void = { _, _ in }
    ) throws -> Model {
        let file = try GGUFFile.open(path: Fixture.path(name))
        var writer = GGUFWriter()
        for key in file.metadata.keys where key != withoutKey {
            if let value = file.metadata[key] { writer.set(key, value) }
        }
        for (key, value) in values { writer.set(key, value) }
        for tensor in file.tensors where tensor.name != without { try writer.add(tensor) }
        try change(&writer, file)
        return try Model.load(file: try writer.file())
    }

    private static func failure(_ body: () throws -> Model) -> EngineError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? EngineError
        }
    }

    @Test(
        "A number that does not fit is named",
        arguments: [
            ("qwen35.ssm.group_count", GGUFValue.uint32(3)), ("qwen35.ssm.group_count", .uint32(0)),
            ("qwen35.ssm.time_step_rank", .uint32(0)), ("qwen35.ssm.time_step_rank", .uint32(.max)),
            ("qwen35.ssm.inner_size", .uint32(63)), ("qwen35.ssm.inner_size", .uint32(.max)),
            ("qwen35.ssm.state_size", .uint32(0)), ("qwen35.ssm.state_size", .uint32(1 << 31)),
            ("qwen35.ssm.conv_kernel", .uint32(0)), ("qwen35.ssm.conv_kernel", .uint32(9)),
            ("qwen35.full_attention_interval", .uint32(0)), ("qwen35.nextn_predict_layers", .uint32(4)),
            ("qwen35.rope.dimension_count", .uint32(33)),
            ("qwen35.expert_count", .uint32(8)), ("qwen35moe.expert_used_count", .uint32(7)),
            ("qwen35moe.expert_gating_func", .uint32(2)), ("qwen35moe.expert_weights_norm", .bool(false)),
            ("qwen35moe.expert_weights_scale", .float32(2.5)), ("qwen35moe.expert_group_count", .uint32(2)),
            ("qwen3moe.expert_count", .uint32(0)), ("qwen3moe.expert_gating_func", .uint32(3)),
            ("qwen3moe.expert_feed_forward_length", .uint32(0)),
        ])
    func numbers(key: String, value: GGUFValue) throws {
        let name = String(key.prefix { $0 != "." })
        let list = key.hasSuffix("full_attention_interval") ? "qwen35.attention.recurrent_layers" : nil
        let error = Self.failure { try Self.model(name, [key: value], withoutKey: list) }
        #expect(error?.field == key || error?.message.contains(key) == true, "\(error?.message ?? "no error")")
    }

    @Test(
        "A missing number or tensor is named",
        arguments: [
            "qwen35.ssm.group_count", "qwen35.ssm.state_size", "qwen35.ssm.conv_kernel", "qwen35.feed_forward_length",
            "qwen35moe.expert_shared_feed_forward_length", "qwen3moe.expert_used_count",
            "blk.0.ssm_a", "blk.1.ssm_dt.bias", "blk.2.ssm_norm.weight", "blk.0.ssm_conv1d.weight",
            "blk.1.attn_gate.weight", "blk.0.ssm_beta.weight", "blk.3.attn_q.weight",
            "blk.3.post_attention_norm.weight",
        ])
    func missing(name: String) throws {
        let isTensor = name.hasPrefix("blk.")
        let fixture = isTensor ? "qwen35" : String(name.prefix { $0 != "." })
        let error = Self.failure {
            try Self.model(fixture, withoutKey: isTensor ? nil : name, without: isTensor ? name : nil)
        }
        #expect(error?.field == name, "\(error?.message ?? "no error")")
    }

    @Test(
        "Tensors that would change the results are refused by name",
        arguments: [
            ("qwen3moe", "blk.1.exp_probs_b.bias", 8), ("qwen3moe", "blk.0.ffn_gate_inp.bias", 8),
            ("qwen35moe", "blk.2.ffn_down_exps.scale", 6), ("qwen35moe", "blk.0.ffn_up_exps.bias", 192),
        ])
    func otherTensors(fixture: String, name: String, count: Int) throws {
        let error = Self.failure {
            try Self.model(fixture) { writer, _ in
                try writer.add(tensor: name, shape: [count], floats: [Float](repeating: 1, count: count))
            }
        }
        #expect(error?.code == .unsupportedArchitecture && error?.field == name)
    }

    @Test(
        "Tensors of other shapes are named", arguments: ["blk.3.attn_q.weight", "blk.0.attn_qkv.weight", "blk.0.ssm_a"])
    func shapes(name: String) throws {
        let error = Self.failure {
            try Self.model("qwen35", without: name) { writer, file in
                guard let tensor = file.tensor(name) else { return }
                let half = tensor.elementCount / 2
                let shape = Array(tensor.shape.dropLast()) + [(tensor.shape.last ?? 0) / 2]
                try writer.add(tensor: name, shape: shape, floats: [Float](repeating: 0, count: half))
            }
        }
        #expect(error?.code == .invalidTensor && error?.field == name)
    }

    @Test("A key that may change the results is refused by name", arguments: ["qwen35", "qwen35moe", "qwen3moe"])
    func otherKeys(name: String) throws {
        let key = "\(name).attention.temperature_scale"
        let error = Self.failure { try Self.model(name, [key: .float32(0.1)]) }
        #expect(error?.code == .unsupportedArchitecture && error?.field == key)
        #expect(throws: GGUFError.self) { try Self.model("qwen35", ["qwen35.attention.recurrent_layers": .uint32(1)]) }
    }

    @Test("Layers are the same by the interval as by the list; gates and lifts of experts may be one tensor")
    func otherForms() throws {
        let tokens: [TokenID] = (0..<20).map { TokenID($0 * 17 % 384) }
        func logits(_ model: Model) throws -> [Float] {
            try Evaluation.logits(model: model, tokens: tokens, keyValueType: .f32, threads: 1)
        }
        let byInterval = try Self.model("qwen35", withoutKey: "qwen35.attention.recurrent_layers")
        #expect(try logits(byInterval) == logits(Fixture.model("qwen35")))

        let plain = try Fixture.model("qwen3moe")
        var writer = GGUFWriter(copyingMetadataOf: plain.file)
        for tensor in plain.file.tensors where !tensor.name.contains("ffn_up_exps") {
            guard tensor.name.contains("ffn_gate_exps") else {
                try writer.add(tensor)
                continue
            }
            let (gate, up) = (tensor, plain.file.tensor(tensor.name.replacing("gate_exps", with: "up_exps")))
            let size = gate.byteCount / 8
            let (gates, ups) = (Array(gate.data), Array(up?.data ?? gate.data))
            var bytes: [UInt8] = []
            for expert in 0..<8 {
                let range = expert * size..<(expert + 1) * size
                bytes += gates[range]
                bytes += ups[range]
            }
            try writer.add(
                tensor: tensor.name.replacing("gate_exps", with: "gate_up_exps"), type: .f32, shape: [64, 64, 8],
                bytes: bytes)
        }
        #expect(try logits(Model.load(file: try writer.file())) == logits(plain))
    }
}

import LeapGGUF
import LeapMeasurement
import LeapTestTraits
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Factors of whole tensors, as files of NVFP4 have them.
@Suite(.inTurns)
struct TensorScaleTests {
    /// The values of a tensor of floats, those of each `part` of them divided by a factor.
    private static func divided(_ tensor: GGUFTensor, by factors: [Float]) -> ChangedFixture.Change {
        let part = tensor.elementCount / factors.count
        let bytes = (0..<tensor.elementCount).flatMap { index -> [UInt8] in
            let value = tensor.data.loadUnaligned(fromByteOffset: 4 * index, as: Float.self)
            return withUnsafeBytes(of: value / factors[index / part], Array.init)
        }
        return .replace(type: tensor.type, shape: tensor.shape, bytes: bytes)
    }

    /// The logits of a fixture, and those of a copy whose tensors are divided by powers of two that stand beside them.
    private static func expectSame(_ name: String, _ factors: [String: [Float]]) throws {
        let tokens = try Fixture.load(name).tokens
        let model = try ChangedFixture.load(
            name,
            changeTensor: { tensor in
                factors[String(tensor.name.dropLast(".weight".count))].map { divided(tensor, by: $0) } ?? .keep
            },
            adding: Dictionary(uniqueKeysWithValues: factors.map { ($0.key + ".scale", $0.value) }))
        let expected = try Evaluation.logits(model: try Fixture.model(name), tokens: tokens, keyValueType: .f32)
        let found = try Evaluation.logits(model: model, tokens: tokens, keyValueType: .f32)
        #expect(found == expected)
    }

    @Test("Products are multiplied with the factor beside a tensor")
    func matrices() throws {
        try Self.expectSame(
            "lfm3",
            ["blk.0.ffn_gate": [4], "blk.1.ffn_down": [0.125], "blk.2.attn_gate": [2], "blk.3.shortconv.in_proj": [8]])
        // Before the bias.
        try Self.expectSame("qwen2", ["blk.0.attn_q": [4], "blk.1.attn_k": [0.5]])
        // Of rows that are parts of one tensor.
        try Self.expectSame("phi3", ["blk.0.attn_qkv": [2], "blk.1.ffn_up": [4]])
    }

    @Test("A stack of experts has a factor for each, or one for all")
    func stacks() throws {
        try Self.expectSame(
            "lfm2moe",
            [
                "blk.1.ffn_gate_exps": [1, 2, 4, 8, 16, 0.5, 0.25, 0.125], "blk.2.ffn_down_exps": [4],
                "blk.2.ffn_gate_inp": [2],
            ])
    }

    @Test("Factors that are no numbers, too few or of an embedding table are refused")
    func faults() {
        func failure(_ name: String, _ added: [String: [Float]]) -> EngineError? {
            ChangedFixture.failure { try ChangedFixture.load(name, adding: added) }
        }
        for (name, tensor, values) in [
            ("lfm3", "blk.0.ffn_gate.scale", [Float.nan]), ("lfm3", "blk.0.ffn_up.scale", [.infinity]),
            ("lfm3", "blk.0.ffn_up.scale", [1, 2]), ("lfm3", "token_embd.scale", [2]),
            ("lfm2moe", "blk.1.ffn_gate_exps.scale", [1, 2, 3]),
        ] {
            let error = failure(name, [tensor: values])
            #expect(error?.code == .invalidTensor && error?.field == tensor)
        }
        #expect(failure("lfm3", ["blk.0.ffn_gate.input_scale": [3], "token_embd.scale": [1]]) == nil)
    }
}

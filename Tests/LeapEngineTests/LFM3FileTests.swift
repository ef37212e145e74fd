import LeapGGUF
import LeapMeasurement
import LeapTestTraits
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Files of LFM3 with something missing, wrong or unknown.
@Suite(.inTurns)
struct LFM3FileTests {
    private func failure(
        changeMetadata: (inout [String: GGUFValue]) -> Void = { _ in },
        changeTensor: (GGUFTensor) -> ChangedFixture.Change = { _ in .keep }
    ) -> EngineError? {
        ChangedFixture.failure {
            try ChangedFixture.load("lfm3", changeMetadata: changeMetadata, changeTensor: changeTensor)
        }
    }

    @Test("The layers are those of the file")
    func layers() throws {
        let stack = try Fixture.model("lfm3").layers.stack
        var kinds: [String] = []
        for layer in stack.layers {
            switch layer.mixer {
            case .shortConvolution(let block): kinds.append("convolution of \(block.taps)")
            case .attention(let block):
                #expect(block.headGate?.rows == block.heads && block.queryNorm != nil && block.keyNorm != nil)
                kinds.append(block.window == 0 ? "full" : "window of \(block.window)")
                #expect(block.rope == (block.window == 0 ? 0 : 1))
            default: kinds.append("something else")
            }
            #expect(layer.mixerPostNorm != nil && layer.feedForwardPostNorm != nil)
        }
        let convolution = "convolution of 7"
        #expect(
            kinds == [
                convolution, convolution, "full", convolution, "window of 16", convolution, "full", convolution,
            ])
        let everywhere = stack.ropes[0].frequencies(contextSize: 100).inverse
        let local = stack.ropes[1].frequencies(contextSize: 100).inverse
        #expect(everywhere[..<4].allSatisfy { $0 > 1e-4 } && everywhere[4...].allSatisfy { $0 < 1e-30 })
        #expect(local.count == 8 && local.allSatisfy { $0 > 1e-5 })
    }

    @Test(
        "A key that is missing is named",
        arguments: [
            "attention.sliding_window", "attention.sliding_window_pattern", "rope.freq_base", "rope.freq_base_swa",
            "shortconv.l_cache", "attention.layer_norm_rms_epsilon", "block_count",
        ])
    func missingKey(name: String) {
        let error = failure(changeMetadata: { $0["lfm3." + name] = nil })
        #expect(error?.code == .invalidMetadata && error?.field == "lfm3." + name)
        #expect(error?.message.contains("lfm3." + name) == true)
    }

    @Test(
        "A value that does not fit is named",
        arguments: [
            ("attention.sliding_window", GGUFValue.uint32(0)), ("rope.freq_base", .float32(.nan)),
            ("attention.sliding_window_pattern", .array(GGUFArray([true, false]))),
            ("attention.sliding_window_pattern", .bool(true)), ("attention.sliding_window_pattern", .uint32(6)),
            ("rope.dimension_count", .uint32(8)), ("rope.freq_base_swa", .float32(0)),
            ("shortconv.l_cache", .uint32(9)),
        ])
    func wrongValue(name: String, value: GGUFValue) {
        let error = failure(changeMetadata: { $0["lfm3." + name] = value })
        #expect(error?.code == .invalidMetadata && error?.field == "lfm3." + name, "\(String(describing: error))")
    }

    @Test(
        "A key that may change what is computed is refused by its name",
        arguments: [
            "logit_scale", "embedding_scale", "final_logit_softcapping", "attention.sinks",
            "attention.temperature_scale",
            "rope.dimension_sections", "expert_weights_scale",
        ])
    func unknownKey(name: String) {
        let error = failure(changeMetadata: { $0["lfm3." + name] = .float32(2) })
        #expect(error?.code == .unsupportedArchitecture && error?.field == "lfm3." + name)
        #expect(error?.message.contains("lfm3." + name) == true)
    }

    @Test(
        "A tensor that may change what is computed is refused by its name",
        arguments: ["blk.2.attn_sinks.weight", "blk.0.unknown"])
    func unknownTensor(name: String) {
        let error = ChangedFixture.failure { try ChangedFixture.load("lfm3", adding: [name: [1, 2, 3, 4]]) }
        #expect(error?.code == .unsupportedArchitecture && error?.field == name)
        #expect(error?.message.contains(name) == true)
    }

    @Test("Keys that change nothing, and those of others, are let through")
    func harmlessKeys() throws {
        _ = try ChangedFixture.load(
            "lfm3",
            changeMetadata: { metadata in
                metadata["lfm3.vocab_size"] = nil
                metadata["lfm3.expert_count"] = .uint32(0)
                metadata["lfm3.attention.causal"] = .bool(true)
                metadata["lfm2.logit_scale"] = .float32(2)
                metadata["general.whatever"] = .uint32(1)
            })
        _ = try ChangedFixture.load("lfm2", changeMetadata: { $0["lfm2.logit_scale"] = .float32(2) })
    }

    @Test("Models that decide, and mixtures, are refused")
    func otherModels() {
        let decision = failure(changeMetadata: { $0["lfm3.attention.causal"] = .bool(false) })
        #expect(decision?.code == .unsupportedArchitecture && decision?.field == "lfm3.attention.causal")
        let mixture = failure(changeMetadata: { $0["lfm3.expert_count"] = .uint32(4) })
        #expect(mixture?.code == .unsupportedArchitecture && mixture?.field == "lfm3.expert_count")
    }

    @Test(
        "A missing tensor is named",
        arguments: [
            "output_norm.weight", "blk.0.attn_norm.weight", "blk.0.post_attention_norm.weight",
            "blk.1.post_ffw_norm.weight", "blk.3.shortconv.conv.weight", "blk.2.attn_gate.weight",
            "blk.4.attn_q_norm.weight", "blk.6.attn_k_norm.weight", "blk.7.ffn_down.weight",
        ])
    func missingTensor(name: String) {
        let error = failure(changeTensor: { $0.name == name ? .drop : .keep })
        #expect(error?.code == .missingTensor && error?.field == name)
    }

    @Test(
        "A tensor of another shape is named",
        arguments: [
            ("blk.2.attn_gate.weight", [64, 16]), ("blk.0.shortconv.conv.weight", [3, 64]), ("rope_freqs.weight", [16]),
            ("blk.4.attn_q_norm.weight", [64]), ("blk.5.post_ffw_norm.weight", [96]), ("output_norm.weight", [32]),
        ])
    func wrongShape(name: String, shape: [Int]) {
        let bytes = [UInt8](repeating: 0, count: 4 * shape.reduce(1, *))
        let error = failure(changeTensor: {
            $0.name == name ? .replace(type: .f32, shape: shape, bytes: bytes) : .keep
        })
        #expect(error?.code == .invalidTensor && error?.field == name)
    }

    @Test("Divisors of frequencies have to be positive numbers", arguments: [0, -1, .nan, .infinity] as [Float])
    func wrongDivisors(value: Float) {
        let bytes = [1, 1, 1, 1, value, 1, 1, 1].flatMap { withUnsafeBytes(of: ($0 as Float).bitPattern, Array.init) }
        let error = failure(changeTensor: {
            $0.name == "rope_freqs.weight" ? .replace(type: .f32, shape: [8], bytes: bytes) : .keep
        })
        #expect(error?.code == .invalidTensor && error?.field == "rope_freqs.weight")
    }

    @Test("Without divisors in the file the slower half of the frequencies does not turn")
    func withoutDivisors() throws {
        let tokens = try Fixture.load("lfm3").tokens
        let plain = try Evaluation.logits(model: try Fixture.model("lfm3"), tokens: tokens, keyValueType: .f32)
        let model = try ChangedFixture.load("lfm3", changeTensor: { $0.name == "rope_freqs.weight" ? .drop : .keep })
        #expect(try Evaluation.logits(model: model, tokens: tokens, keyValueType: .f32) == plain)
    }
}

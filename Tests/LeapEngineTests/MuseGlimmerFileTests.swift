import LeapGGUF
import LeapMeasurement
import LeapTestTraits
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Files of Muse Glimmer: the layers that are made of them, and those with something missing, wrong or unknown.
@Suite(.inTurns)
struct MuseGlimmerFileTests {
    private static let name = "muse-glimmer"

    private func failure(
        changeMetadata: (inout [String: GGUFValue]) -> Void = { _ in },
        changeTensor: (GGUFTensor) -> ChangedFixture.Change = { _ in .keep }
    ) -> EngineError? {
        ChangedFixture.failure {
            try ChangedFixture.load(Self.name, changeMetadata: changeMetadata, changeTensor: changeTensor)
        }
    }

    private func epsilon(_ norm: Norm?) -> Float? {
        if case .rms(let norm)? = norm { norm.epsilon } else { nil }
    }

    @Test("The layers are those of the file")
    func layers() throws {
        let model = try Fixture.model(Self.name).layers
        guard case .rms(let norm)? = model.embedding.norm else {
            Issue.record("the embedding has no norm")
            return
        }
        #expect(norm.weight == nil && norm.epsilon == 1e-5 && model.embedding.scale == 1)
        #expect(model.head?.softcap == 20 && model.head.map { abs($0.scale - 0.19611613) < 1e-7 } == true)
        for (index, layer) in model.stack.layers.enumerated() {
            guard case .attention(let block)? = layer.mixer else {
                Issue.record("layer \(index) has no attention")
                continue
            }
            #expect(block.window == (index == 3 ? 0 : 16) && block.rope == (index == 3 ? nil : 0))
            #expect(block.headGate?.rows == 6 * 16 && block.gatesElements)
            #expect(block.queryNorm?.epsilon == 1e-5 && block.keyNorm != nil && block.valueNorm == nil)
            #expect(epsilon(layer.mixerNorm) == 1e-5 && epsilon(layer.feedForwardNorm) == 1e-5)
            #expect(epsilon(layer.mixerPostNorm) == 1e-8 && epsilon(layer.feedForwardPostNorm) == 1e-8)
        }
        #expect(
            model.stack.ropes.count == 1 && model.stack.ropes[0].interleaved && model.stack.ropes[0].dimensions == 16)
        #expect(model.stack.ropes[0].base == 5e5)
    }

    @Test("Without a list every fourth layer sees everything, and windows have a base of their own")
    func defaults() throws {
        let model = try ChangedFixture.load(
            Self.name,
            changeMetadata: { metadata in
                metadata["muse-glimmer.attention.sliding_window_pattern"] = nil
                metadata["muse-glimmer.rope.freq_base_swa"] = .float32(1e4)
                metadata["muse-glimmer.final_logit_softcapping"] = nil
            })
        let windows = model.layers.stack.layers.map { $0.mixer?.attention?.window }
        #expect(windows == [16, 16, 16, 0] && model.layers.stack.ropes[0].base == 1e4)
        #expect(model.layers.head?.softcap == 0)
    }

    @Test(
        "A key that is missing is named",
        arguments: ["attention.sliding_window", "logit_scale", "attention.layer_norm_rms_epsilon", "block_count"])
    func missingKey(name: String) {
        let error = failure(changeMetadata: { $0["muse-glimmer." + name] = nil })
        #expect(error?.code == .invalidMetadata && error?.field == "muse-glimmer." + name)
    }

    @Test(
        "A value that does not fit is named",
        arguments: [
            ("attention.sliding_window", GGUFValue.uint32(0)), ("logit_scale", .float32(0)),
            ("logit_scale", .float32(.nan)), ("final_logit_softcapping", .float32(-1)),
            ("attention.sliding_window_pattern", .array(GGUFArray([true, false]))),
            ("attention.sliding_window_pattern", .uint32(0)), ("rope.freq_base_swa", .float32(0)),
        ])
    func wrongValue(name: String, value: GGUFValue) {
        let error = failure(changeMetadata: { $0["muse-glimmer." + name] = value })
        #expect(
            error?.code == .invalidMetadata && error?.field == "muse-glimmer." + name, "\(String(describing: error))")
    }

    @Test(
        "A key that may change what is computed is refused by its name",
        arguments: ["embedding_scale", "attention.scale_inner", "rope.dimension_sections", "nextn_layers"])
    func unknownKey(name: String) {
        let error = failure(changeMetadata: { $0["muse-glimmer." + name] = .float32(2) })
        #expect(error?.code == .unsupportedArchitecture && error?.field == "muse-glimmer." + name)
    }

    @Test("A tensor that may change what is computed, and experts, are refused by name")
    func unknownTensor() {
        for name in ["blk.2.attn_sinks.weight", "token_embd_norm.weight"] {
            let error = ChangedFixture.failure { try ChangedFixture.load(Self.name, adding: [name: [1, 2, 3, 4]]) }
            #expect(error?.code == .unsupportedArchitecture && error?.field == name)
        }
        let mixture = failure(changeMetadata: { $0["muse-glimmer.expert_count"] = .uint32(4) })
        #expect(mixture?.code == .unsupportedArchitecture && mixture?.field == "muse-glimmer.expert_count")
    }

    @Test("A gate has a row for each element of the heads: others are refused")
    func gates() {
        for rows in [6, 95, 192] {
            let error = failure(changeTensor: { $0.name == "blk.1.attn_gate.weight" ? .zeros([64, rows]) : .keep })
            #expect(error?.code == .invalidTensor && error?.field == "blk.1.attn_gate.weight")
        }
    }
}

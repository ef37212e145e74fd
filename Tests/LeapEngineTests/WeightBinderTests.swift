import Foundation
import LeapGGUF
import LeapMeasurement
import LeapTestTraits
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Files that are no model this engine runs, and what it says about them.
@Suite(.inTurns)
struct WeightBinderTests {
    private func load(
        _ name: String = "lfm2", changeMetadata: (inout [String: GGUFValue]) -> Void = { _ in },
        changeTensor: (GGUFTensor) -> ChangedFixture.Change = { _ in .keep }
    ) throws -> Model {
        try ChangedFixture.load(name, changeMetadata: changeMetadata, changeTensor: changeTensor)
    }

    private func failure(_ body: () throws -> Model) -> EngineError? { ChangedFixture.failure(body) }

    @Test("An unchanged copy loads")
    func unchangedCopyLoads() throws {
        let model = try load()
        #expect(model.architecture == "lfm2" && model.vocabularySize == 512 && model.layerCount == 5)
        #expect(model.parameterCount == model.file.tensors.reduce(0) { $0 + $1.elementCount })
    }

    @Test("An unknown architecture is named, with those that are known")
    func unknownArchitectureNamedThose() {
        let error = failure { try load(changeMetadata: { $0["general.architecture"] = .string(GGUFString("mamba")) }) }
        #expect(error?.code == .unsupportedArchitecture)
        #expect(error?.message.contains("mamba") == true && error?.message.contains("lfm2moe") == true)
        #expect(failure { try load(changeMetadata: { $0["general.architecture"] = nil }) }?.code == .invalidMetadata)
    }

    @Test(
        "A missing tensor is named",
        arguments: [
            "token_embd.weight", "token_embd_norm.weight", "blk.0.attn_norm.weight", "blk.0.shortconv.conv.weight",
            "blk.2.attn_q.weight", "blk.2.attn_output.weight", "blk.4.ffn_down.weight",
        ])
    func missingTensorNamed(name: String) {
        let error = failure { try load(changeTensor: { $0.name == name ? .drop : .keep }) }
        #expect(error?.code == .missingTensor)
        #expect(error?.field == name || (name == "token_embd_norm.weight" && error?.field == "output_norm.weight"))
    }

    @Test(
        "A tensor of another shape is named, with both shapes",
        arguments: ["blk.0.attn_norm.weight", "blk.0.shortconv.in_proj.weight", "blk.2.attn_k.weight"])
    func tensorAnotherShapeNamed(name: String) throws {
        var found: [Int] = []
        let error = failure {
            try load(changeTensor: { tensor in
                guard tensor.name == name else { return .keep }
                found = tensor.shape
                found[0] /= 2
                return .replace(
                    type: tensor.type, shape: found, bytes: [UInt8](repeating: 0, count: tensor.byteCount / 2))
            })
        }
        #expect(error?.code == .invalidTensor && error?.field == name)
        #expect(error?.message.contains(found.map(String.init).joined(separator: ", ")) == true)
    }

    @Test(
        "A number out of range is named",
        arguments: [
            ("lfm2.block_count", GGUFValue.uint32(0)), ("lfm2.block_count", .uint32(.max)),
            ("lfm2.embedding_length", .uint32(0)),
            ("lfm2.attention.head_count", .uint32(0)), ("lfm2.attention.head_count", .uint32(3)),
            ("lfm2.shortconv.l_cache", .uint32(0)), ("lfm2.shortconv.l_cache", .uint32(99)),
            ("lfm2.attention.layer_norm_rms_epsilon", .float32(-1)),
            ("lfm2.attention.layer_norm_rms_epsilon", .float32(.nan)),
            ("lfm2.rope.freq_base", .float32(0)), ("lfm2.attention.head_count_kv", .uint32(3)),
            ("lfm2.feed_forward_length", .uint32(0)), ("lfm2.context_length", .uint32(0)),
            ("lfm2.pooling_type", .uint32(4)), ("lfm2.pooling_type", .uint32(5)),
            ("general.sampling.penalty_repeat", .float32(0)), ("general.sampling.temp", .float32(.nan)),
        ])
    func numberOutRangeNamed(key: String, value: GGUFValue) {
        let error = failure { try load(changeMetadata: { $0[key] = value }) }
        #expect(error != nil, "\(key) = \(value)")
        // What follows from a wrong number may be a wrong shape, which names the tensor.
        if error?.code == .invalidMetadata { #expect(error?.field == key || error?.message.contains(key) == true) }
    }

    @Test("A number that is missing is named")
    func numberMissingNamed() {
        for key in ["lfm2.block_count", "lfm2.embedding_length", "lfm2.context_length", "lfm2.shortconv.l_cache"] {
            #expect(failure { try load(changeMetadata: { $0[key] = nil }) }?.field == key)
        }
    }

    @Test("Norms in half precision are converted")
    func normsHalfPrecisionConverted() throws {
        let tokens: [Int32] = [1, 2, 3, 4]
        let plain = try Evaluation.logits(model: try load(), tokens: tokens, keyValueType: .f32)
        let half = try load(changeTensor: { tensor in
            guard tensor.name.contains("norm") else { return .keep }
            let data = tensor.data
            // bfloat16: the upper half of the bits.
            let bytes = (0..<tensor.elementCount).flatMap { index -> [UInt8] in
                let value = data.loadUnaligned(fromByteOffset: 4 * index, as: Float.self)
                return withUnsafeBytes(of: UInt16((value.bitPattern + 0x8000) >> 16).littleEndian, Array.init)
            }
            return .replace(type: .bf16, shape: tensor.shape, bytes: bytes)
        })
        let logits = try Evaluation.logits(model: half, tokens: tokens, keyValueType: .f32)
        let worst = zip(plain, logits).map { abs($0 - $1) }.max() ?? 1
        #expect(worst > 0 && worst < 0.1)
    }

    @Test("Experts in an architecture without them are refused")
    func expertsArchitectureWithoutThem() {
        let error = failure { try load("llama", changeMetadata: { $0["llama.expert_count"] = .uint32(8) }) }
        #expect(error?.code == .unsupportedArchitecture && error?.field == "llama.expert_count")
    }

    @Test("Sampling values of the file are taken with llama.cpp's meaning")
    func samplingValuesFileTaken() throws {
        let model = try load(changeMetadata: { metadata in
            metadata["general.sampling.temp"] = .float32(0.3)
            metadata["general.sampling.top_k"] = .int32(-1)
            metadata["general.sampling.min_p"] = .float32(0.15)
            metadata["general.sampling.penalty_repeat"] = .float32(1.05)
            metadata["general.sampling.penalty_last_n"] = .int32(-1)
        })
        let values = model.samplingDefaults
        #expect(values[.temperature] == Double(0.3 as Float) && values[.topK] == 0 && values[.topP] == nil)
        #expect(values[.minP] == Double(0.15 as Float) && values[.repetitionPenalty] == Double(1.05 as Float))
        #expect(values[.repetitionWindow] == Double(model.contextLength))
    }
}

import LeapGGUF
import LeapMeasurement
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Files of Qwen3-Next: both ways to store projections, and what is missing or does not fit.
@Suite(.inTurns)
struct Qwen3NextFileTests {
    /// Key heads, value heads and elements of a head of the fixture.
    private static let (keyHeads, valueHeads, head) = (2, 4, 16)
    private static let tokens: [TokenID] = (0..<90).map { TokenID($0 * 31 % 384) }

    /// The fixture with one projection to queries, keys, values and gates in each recurrent layer, as files of older
    /// converters have it.
    private static func joined() throws -> Model {
        let file = try GGUFFile.open(path: Fixture.path("qwen3next"))
        var writer = GGUFWriter(copyingMetadataOf: file)
        for tensor in file.tensors where !tensor.name.hasSuffix("attn_gate.weight") {
            guard tensor.name.hasSuffix("attn_qkv.weight") else {
                try writer.add(tensor)
                continue
            }
            let gate = try #require(file.tensor(tensor.name.replacing("attn_qkv", with: "attn_gate")))
            let (channels, gates, size) = (Array(tensor.data), Array(gate.data), tensor.rowByteCount)
            let keys = keyHeads * head, values = valueHeads / keyHeads * head
            var bytes: [UInt8] = []
            for key in 0..<keyHeads {
                let parts = [
                    (channels, key * head, head), (channels, keys + key * head, head),
                    (channels, 2 * keys + key * values, values), (gates, key * values, values),
                ]
                for (rows, start, count) in parts { bytes += rows[start * size..<(start + count) * size] }
            }
            try writer.add(
                tensor: tensor.name.replacing("attn_qkv", with: "ssm_in"), type: tensor.type,
                shape: [tensor.shape[0], bytes.count / size], bytes: bytes)
        }
        return try Model.load(file: try writer.file())
    }

    private func failure(
        changeMetadata: (inout [String: GGUFValue]) -> Void = { _ in },
        changeTensor: (GGUFTensor) -> ChangedFixture.Change = { _ in .keep }
    ) -> EngineError? {
        ChangedFixture.failure {
            try ChangedFixture.load("qwen3next", changeMetadata: changeMetadata, changeTensor: changeTensor)
        }
    }

    @Test("The layers are those of the file, and weights stay where they are in it")
    func layers() throws {
        for (model, isJoined) in [(try Fixture.model("qwen3next"), false), (try Self.joined(), true)] {
            var kinds: [String] = []
            for layer in model.layers.stack.layers {
                switch layer.mixer {
                case .deltaNet(let block):
                    #expect(block.recurrence.isGrouped && block.timeStep == nil)
                    #expect((block.gate == nil) == isJoined && block.input.offset == 0 && block.beta.offset == 0)
                    #expect(block.input.rows == (isJoined ? 192 : 128) && block.beta.rows == 8)
                    kinds.append("delta net")
                case .attention(let block):
                    #expect(block.hasGatesBehindQueries && block.keyValueHeads == 2)
                    kinds.append("attention")
                default: kinds.append("something else")
                }
            }
            #expect(kinds == ["delta net", "delta net", "delta net", "attention"])
            #expect(model.layers.stack.ropes.count == 1 && model.layers.stack.ropes[0].axes.isEmpty)
        }
    }

    @Test("Both ways to store projections give the same bits, whole and in chunks")
    func sameBits() throws {
        let expected = try Evaluation.logits(
            model: Fixture.model("qwen3next"), tokens: Self.tokens, keyValueType: .f16, threads: 1)
        let model = try Self.joined()
        for (threads, chunk) in [(1, 90), (2, 7), (2, 1)] {
            let runner = try SynchronousRunner(model: model, keyValueType: .f16, threads: threads, contextSize: 128)
            var logits: [Float] = []
            for start in stride(from: 0, to: Self.tokens.count, by: chunk) {
                logits += try runner.run(Self.tokens[start..<min(start + chunk, Self.tokens.count)], wanted: .all)
            }
            #expect(logits == expected, "\(threads) threads, chunks of \(chunk)")
        }
    }

    @Test("Layers are the same by the interval as by the list")
    func interval() throws {
        let model = try ChangedFixture.load(
            "qwen3next",
            changeMetadata: {
                $0["qwen3next.attention.recurrent_layers"] = nil
                $0["qwen3next.full_attention_interval"] = .uint32(4)
                $0["qwen3next.norm_top_k_prob"] = .bool(true)
            })
        func logits(_ model: Model) throws -> [Float] {
            try Evaluation.logits(model: model, tokens: Array(Self.tokens[..<9]), keyValueType: .f32, threads: 1)
        }
        #expect(try logits(model) == logits(Fixture.model("qwen3next")))
    }

    @Test(
        "A tensor that is missing is named",
        arguments: [
            "blk.0.ssm_ba.weight", "blk.1.attn_qkv.weight", "blk.2.attn_gate.weight", "blk.0.ssm_dt.bias",
            "blk.1.ffn_gate_inp_shexp.weight", "blk.3.attn_k.weight",
        ])
    func missing(name: String) {
        let error = failure(changeTensor: { $0.name == name ? .drop : .keep })
        #expect(error?.code == .missingTensor && error?.field == name)
    }

    @Test(
        "A tensor of another shape is named",
        arguments: [("blk.0.ssm_ba.weight", [64, 4]), ("blk.1.attn_gate.weight", [64, 192])])
    func shapes(name: String, shape: [Int]) {
        let error = failure(changeTensor: { $0.name == name ? .zeros(shape) : .keep })
        #expect(error?.code == .invalidTensor && error?.field == name)
    }

    @Test(
        "A key that would change the results is refused",
        arguments: [
            ("norm_top_k_prob", GGUFValue.bool(false)),
            ("rope.dimension_sections", .array(GGUFArray([Int32(2), 1, 1]))),
            ("expert_weights_norm", .bool(false)),
        ])
    func refused(name: String, value: GGUFValue) {
        let error = failure(changeMetadata: { $0["qwen3next." + name] = value })
        #expect(error?.code == .unsupportedArchitecture && error?.field == "qwen3next." + name)
    }
}

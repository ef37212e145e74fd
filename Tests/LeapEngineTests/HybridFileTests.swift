import LeapCompute
import LeapGGUF
import LeapMeasurement
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapEngine
@testable import LeapModel

/// Files of models with attention beside Mamba-2: what their layers are, and forms that files may have.
@Suite(.inTurns)
struct HybridFileTests {
    private static let tokens: [TokenID] = (0..<30).map { TokenID($0 * 17 % 384) }

    private static func logits(_ model: Model) throws -> [Float] {
        try Evaluation.logits(model: model, tokens: tokens, keyValueType: .f32, threads: 1)
    }

    private static func kinds(_ model: Model) -> [String] {
        model.layers.stack.layers.map { layer in
            let mixer =
                switch layer.mixer {
                case .attention: "attention"
                case .mamba: "mamba"
                case .attentionAndMamba: "both"
                case nil: ""
                default: "other"
                }
            let network =
                switch layer.feedForward {
                case .dense: "dense"
                case .plain: "plain"
                case .mixture: "mixture"
                case nil: ""
                default: "other"
                }
            return [mixer, network].filter { !$0.isEmpty }.joined(separator: " ")
        }
    }

    @Test(
        "The layers are those of the file",
        arguments: [
            ("granitehybrid", ["mamba mixture", "mamba mixture", "attention mixture", "mamba mixture"]),
            ("falcon-h1", ["both dense", "both dense", "both dense"]),
            ("nemotron-h", ["mamba", "plain", "mamba", "mamba", "attention", "plain", "plain", "mamba"]),
            ("nemotron-h-moe", ["mamba", "mixture", "attention", "mixture", "mamba"]),
        ])
    func layers(name: String, kinds: [String]) throws {
        let stack = try Fixture.model(name)
        #expect(Self.kinds(stack) == kinds)
        for layer in stack.layers.stack.layers {
            guard let block = layer.mixer?.attention else { continue }
            #expect((block.rope == nil) == (name != "falcon-h1"))
        }
    }

    @Test("Falcon's norm in front of networks may have its name with the usual end")
    func falconNames() throws {
        let file = try GGUFFile.open(path: Fixture.path("falcon-h1"))
        #expect(file.tensor("blk.0.ffn_norm") != nil && file.tensor("blk.0.ffn_norm.weight") == nil)
        var more: [(name: String, shape: [Int], values: [Float])] = []
        for tensor in file.tensors where tensor.name.hasSuffix("ffn_norm") {
            let values = Array(tensor.data.bindMemory(to: Float.self))
            more.append((tensor.name + ".weight", tensor.shape, values))
        }
        let other = try ModelCopy.load(
            Fixture.path("falcon-h1"), changeTensor: { $0.name.hasSuffix("ffn_norm") ? .drop : .keep }, more: more)
        #expect(try Self.logits(other) == Self.logits(try Fixture.model("falcon-h1")))
    }

    @Test("Granite's attention rotates where the file says so, and its networks may be dense")
    func granite() throws {
        let plain = try Fixture.model("granitehybrid")
        let expected = try Self.logits(plain)
        let rotated = try ChangedFixture.load("granitehybrid") {
            $0["granitehybrid.rope.scaling.finetuned"] = .bool(true)
        }
        let found = try Self.logits(rotated)
        // The first position is not turned.
        let first = plain.vocabularySize
        #expect(found[..<first] == expected[..<first] && found != expected)

        var writer = GGUFWriter()
        for key in plain.file.metadata.keys where !key.contains(".expert_") {
            if let value = plain.file.metadata[key] { writer.set(key, value) }
        }
        writer.set("granitehybrid.feed_forward_length", .uint32(48))
        for tensor in plain.file.tensors where !tensor.name.contains("_exps") && !tensor.name.contains("gate_inp") {
            try writer.add(
                tensor: tensor.name.replacing("_shexp", with: ""), type: .f32, shape: tensor.shape,
                bytes: Array(tensor.data))
        }
        let dense = try Model.load(file: try writer.file())
        #expect(Self.kinds(dense) == ["mamba dense", "mamba dense", "attention dense", "mamba dense"])
        #expect(try Self.logits(dense).allSatisfy { $0.isFinite } && Self.logits(dense) != expected)
    }

    @Test("Layers that propose tokens are passed over, whatever tensors they have")
    func multiTokenPrediction() throws {
        let plain = try Fixture.model("nemotron-h-moe")
        func copy(nextLayers: UInt32) throws -> Model {
            var writer = GGUFWriter(copyingMetadataOf: plain.file)
            writer.set("nemotron_h_moe.block_count", .uint32(6))
            writer.set("nemotron_h_moe.nextn_predict_layers", .uint32(nextLayers))
            for (key, last) in [("attention.head_count_kv", Int32(2)), ("feed_forward_length", 16)] {
                let numbers = try #require(try plain.file.metadata.ints("nemotron_h_moe.\(key)"))
                writer.set("nemotron_h_moe.\(key)", .array(GGUFArray(numbers.map { Int32($0) } + [last])))
            }
            for tensor in plain.file.tensors { try writer.add(tensor) }
            try writer.add(
                tensor: "blk.5.nextn.eh_proj.weight", shape: [48, 24], floats: [Float](repeating: 1, count: 1152))
            return try Model.load(file: try writer.file())
        }
        let model = try copy(nextLayers: 1)
        #expect(model.layerCount == 5)
        #expect(try Self.logits(model) == Self.logits(plain))
        #expect(throws: EngineError.self) { try copy(nextLayers: 0) }
    }
}

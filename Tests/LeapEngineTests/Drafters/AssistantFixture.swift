import Foundation
import LeapGGUF
import LeapTokenizer

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapModel

/// A tiny random assistant of the fixture `gemma4`, with what numpy computes for it.
struct AssistantFixture: Decodable {
    struct Case: Decodable {
        let context: Int
        let token: TokenID
        let vector: [Float]
        let chain: [TokenID]
        let logits: [Float]
        let next: [Float]
    }

    let cases: [Case]

    static let path = DrafterFixture.path("assistant")
    static let target = "gemma4"

    static func load() throws -> AssistantFixture {
        let url = URL(fileURLWithPath: path).deletingPathExtension().appendingPathExtension("json")
        return try JSONDecoder().decode(AssistantFixture.self, from: try Data(contentsOf: url))
    }

    static func drafter() throws -> AssistantDrafter { try AssistantDrafter.load(path: path) }

    /// A copy of the assistant with other keys or tensors.
    static func changed(
        metadata: (inout [String: GGUFValue]) -> Void = { _ in },
        tensor: (GGUFTensor) -> ModelCopy.Change = { _ in .keep },
        more: [(name: String, shape: [Int], values: [Float])] = []
    ) throws -> AssistantDrafter {
        try ModelCopy.open(path, changeMetadata: metadata, changeTensor: tensor, more: more) {
            try AssistantDrafter.load(path: $0)
        }
    }

    // MARK: A model whose next token follows from the latest one alone

    /// The model of the fixture whose layers add nothing, with a head of its own: the likeliest token behind a token is
    /// another one.
    static func chainModel() throws -> Model {
        let ends = ["attn_output.weight", "ffn_down.weight", "proj.weight"]
        let table = try embeddings()
        return try ModelCopy.load(
            Fixture.path(target), changeMetadata: { $0["gemma4.final_logit_softcapping"] = .float32(0) },
            changeTensor: { tensor in
                tensor.name.hasPrefix("blk.") && ends.contains(where: tensor.name.hasSuffix)
                    ? .zeros(tensor.shape) : .keep
            },
            more: [("output.weight", [table.width, table.rows], table.reordered)])
    }

    /// An assistant that is right about that model: its layer adds nothing either, and its table is the model's head.
    static func chainDrafter() throws -> AssistantDrafter {
        let table = try embeddings()
        let (width, heads, head, inner) = (table.width, 4, 16, 8)
        var writer = GGUFWriter(copyingMetadataOf: try GGUFFile.open(path: path))
        for (key, value) in [
            ("embedding_length", width), ("block_count", 1), ("nextn_predict_layers", 1),
            ("feed_forward_length", inner),
        ] {
            writer.set("gemma4-assistant.\(key)", .uint32(UInt32(value)))
        }
        writer.set("gemma4-assistant.attention.sliding_window_pattern", .array(GGUFArray([true])))
        let first = (0..<2 * width * width).map { $0 % (2 * width) == $0 / (2 * width) ? Float(1) : 0 }
        func zeros(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }
        func ones(_ count: Int) -> [Float] { [Float](repeating: 1, count: count) }
        let tensors: [(name: String, shape: [Int], values: [Float])] = [
            ("token_embd", [width, table.rows], table.reordered), ("output_norm", [width], table.norm),
            ("nextn.pre_projection", [2 * width, width], first),
            ("nextn.post_projection", [width, width], zeros(width * width)),
            ("blk.0.attn_norm", [width], ones(width)), ("blk.0.post_attention_norm", [width], ones(width)),
            ("blk.0.ffn_norm", [width], ones(width)), ("blk.0.post_ffw_norm", [width], ones(width)),
            ("blk.0.attn_q_norm", [head], ones(head)),
            ("blk.0.attn_q", [width, heads * head], ones(width * heads * head)),
            ("blk.0.attn_output", [heads * head, width], zeros(width * heads * head)),
            ("blk.0.ffn_gate", [width, inner], ones(width * inner)),
            ("blk.0.ffn_up", [width, inner], ones(width * inner)),
            ("blk.0.ffn_down", [inner, width], zeros(width * inner)),
        ]
        for (name, shape, values) in tensors { try writer.add(tensor: "\(name).weight", shape: shape, floats: values) }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).gguf")
        defer { try? FileManager.default.removeItem(at: file) }
        try writer.write(to: file.path)
        return try AssistantDrafter.load(path: file.path)
    }

    private struct Table {
        let values: [Float]
        let norm: [Float]
        let width: Int
        var rows: Int { values.count / width }

        /// Its rows in another order.
        var reordered: [Float] {
            (0..<rows).flatMap { row -> ArraySlice<Float> in
                let source = (5 * row + 17) % rows
                return values[source * width..<(source + 1) * width]
            }
        }
    }

    private static func embeddings() throws -> Table {
        let file = try GGUFFile.open(path: Fixture.path(target))
        func values(_ name: String) throws -> [Float] {
            guard let tensor = file.tensor(name), tensor.type == .f32 else {
                throw EngineError(.missingTensor, "the fixture has no tensor \(name) in F32")
            }
            return floats(in: Data(tensor.data))
        }
        let norm = try values("output_norm.weight")
        return Table(values: try values("token_embd.weight"), norm: norm, width: norm.count)
    }
}

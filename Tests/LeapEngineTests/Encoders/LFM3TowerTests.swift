import Foundation
import LeapCompute
import LeapGGUF
import LeapTestTraits
import Testing

@testable import LeapCPU
@testable import LeapModel

/// LFM3-VL's tower and projector over a grid of patches of any values, against transformers.
@Suite(.inTurns)
struct LFM3TowerTests {
    private struct Reference: Decodable {
        let grid_thw: [Int]
        let patches: [Float]
        let patches_shape: [Int]
        let projected: [Float]
        let heads: Int
    }

    /// The names in projector files of the tensors of transformers.
    private static let names = [
        "vision_tower.embedding_norm": "v.pre_ln", "multi_modal_projector.layer_norm": "mm.input_norm",
        "multi_modal_projector.linear_1": "mm.1", "multi_modal_projector.linear_2": "mm.2", "operator_norm": "ln1",
        "ffn_norm": "ln2", "conv.in_proj": "shortconv.in_proj", "conv.out_proj": "shortconv.out_proj",
        "conv.spatial_conv": "shortconv.conv", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
        "self_attn.v_proj": "attn_v", "self_attn.out_proj": "attn_out", "self_attn.q_norm": "attn_q_norm",
        "self_attn.k_norm": "attn_k_norm", "feed_forward.w1": "ffn_gate", "feed_forward.w3": "ffn_up",
        "feed_forward.w2": "ffn_down",
    ]

    private static func name(_ theirs: String) -> String {
        var name = theirs
        if let range = name.range(of: "vision_tower.layers.") { name.replaceSubrange(range, with: "v.blk.") }
        for (old, new) in names { if let range = name.range(of: old) { name.replaceSubrange(range, with: new) } }
        return name
    }

    private static func reference() throws -> Reference {
        try JSONDecoder().decode(
            Reference.self, from: Data(contentsOf: Fixture.folder.appendingPathComponent("lfm3-vl-tower.json")))
    }

    /// A projector file with the fixture's tensors.
    ///
    /// The fixture's patches are of two frames that differ, which no picture has: the filters are the patches' vectors,
    /// one for each of a patch's values, so that the patch with a 1 there gets it.
    private static func encoder(_ reference: Reference, values: [String: GGUFValue] = [:]) throws -> VisionEncoder {
        let file = try GGUFFile.open(path: Fixture.path("lfm3-vl-tower"))
        var writer = GGUFWriter()
        writer.set("general.architecture", "clip")
        writer.set("clip.projector_type", "lfm3")
        writer.set("clip.has_vision_encoder", .bool(true))
        for (key, value) in [
            "patch_size": 4, "embedding_length": 64, "feed_forward_length": 96, "block_count": 4, "projection_dim": 64,
            "spatial_merge_size": 2, "attention.head_count": UInt32(reference.heads),
        ] { writer.set("clip.vision.\(key)", .uint32(value)) }
        writer.set("clip.vision.attention.layer_norm_epsilon", .float32(1e-5))
        for (key, value) in values { writer.set(key, value) }
        for tensor in file.tensors where !tensor.name.contains("patch_embed") {
            try writer.add(
                tensor: Self.name(tensor.name), type: tensor.type, shape: tensor.shape, bytes: Array(tensor.data))
        }
        let matrix = try #require(file.tensor("vision_tower.patch_embed.weight"))
        let weights = floats(in: Data(matrix.data))
        var filters = [Float](repeating: 0, count: 64 * 48)
        for (place, patch) in order(reference).enumerated() {
            for element in 0..<64 {
                var sum = 0.0
                for index in 0..<96 {
                    sum += Double(weights[96 * element + index]) * Double(reference.patches[96 * patch + index])
                }
                filters[48 * element + place] = Float(sum)
            }
        }
        try writer.add(tensor: "v.patch_embd.weight", shape: [4, 4, 3, 64], floats: filters)
        try writer.add(
            tensor: "v.patch_embd.weight.1", shape: [4, 4, 3, 64], floats: [Float](repeating: 0, count: 64 * 48))
        return try VisionEncoder(file: try writer.file())
    }

    /// The reference's patches row by row: there those of a square of four follow one another.
    private static func order(_ reference: Reference) -> [Int] {
        let (rows, columns) = (reference.grid_thw[1], reference.grid_thw[2])
        return (0..<rows * columns).map { place in
            let (row, column) = (place / columns, place % columns)
            return 4 * (row / 2 * (columns / 2) + column / 2) + 2 * (row % 2) + column % 2
        }
    }

    @Test("The vectors of a grid are those of transformers", arguments: [1, 2])
    func vectors(threads: Int) throws {
        let reference = try Self.reference()
        let (rows, columns) = (reference.grid_thw[1], reference.grid_thw[2])
        var values = [Float](repeating: 0, count: rows * columns * 48)
        for place in 0..<rows * columns { values[48 * place + place] = 1 }
        let pass = VisionPass(try Self.encoder(reference), kernels: try Kernels(threads: threads))
        let found = try #require(try pass.encode(ImagePatches(rows: rows, columns: columns, values: values)))
        #expect(found.count == reference.projected.count)
        let largest = reference.projected.map { abs($0) }.max() ?? 0
        let difference = zip(found, reference.projected).map { abs($0 - $1) }.max() ?? .infinity
        #expect(difference <= 1e-5 * largest, "\(difference) of \(largest)")
    }

    @Test(
        "Keys that are not known, and numbers that do not fit, are refused by name",
        arguments: [
            ("clip.vision.window_size", GGUFValue.uint32(8)), ("clip.vision.spatial_merge_size", .uint32(0)),
            ("clip.vision.attention.head_count", .uint32(32)),
        ])
    func refused(key: String, value: GGUFValue) throws {
        let reference = try Self.reference()
        let error = #expect(throws: EngineError.self) { try Self.encoder(reference, values: [key: value]) }
        #expect(error?.field == key, "\(error?.message ?? "")")
    }

    @Test("A picture's pages have room for the layer with the most heads of keys, wherever it is")
    func layout() throws {
        var stack = try VisionFixture.encoder(.lfm3).tower.stack
        let layer = try #require(stack.layers.first { if case .attention? = $0.mixer { true } else { false } })
        let byteCount = VisionPass.layout(of: stack, memory: MemoryPool()).pageByteCount
        guard case .attention(var block)? = layer.mixer else { return }
        block.keyValueHeads *= 2
        for place in [0, stack.layers.count] {
            var wider = layer
            wider.mixer = .attention(block)
            stack.layers.insert(wider, at: place)
            #expect(VisionPass.layout(of: stack, memory: MemoryPool()).pageByteCount == 2 * byteCount)
            stack.layers.remove(at: place)
        }
    }
}

import Foundation
import LeapGGUF
import LeapTokenizer

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapModel

/// A tiny random block that predicts further tokens, with what numpy computes for it.
struct DraftLayerFixture: Decodable {
    struct Chain: Decodable {
        /// Tokens before the one that the chain begins with.
        let count: Int
        let drafts: [TokenID]
        let logits: [Float]
    }

    let tokens: [TokenID]
    let chains: [Chain]

    static let names = ["qwen35", "qwen35moe", "nemotron-h-moe"]

    static func path(_ name: String) -> String { Fixture.path("mtp/mtp-\(name)") }

    static func load(_ name: String) throws -> DraftLayerFixture {
        let url = URL(fileURLWithPath: path(name)).deletingPathExtension().appendingPathExtension("json")
        return try JSONDecoder().decode(DraftLayerFixture.self, from: try Data(contentsOf: url))
    }

    /// The block's file, apart from its model.
    static func file(_ name: String) throws -> GGUFFile { try GGUFFile.open(path: path(name)) }

    /// A file with the model and the block.
    ///
    /// - Parameter change: changes or leaves out a tensor of the block, by its name without the number.
    static func whole(
        _ name: String, block: GGUFFile? = nil, change: (String, [Float]) -> [Float]? = { $1 }
    ) throws -> Model {
        let trunk = try GGUFFile.open(path: Fixture.path(name))
        let block = try block ?? file(name)
        var writer = GGUFWriter(copyingMetadataOf: block)
        for tensor in trunk.tensors { try writer.add(tensor) }
        for tensor in block.tensors where trunk.tensor(tensor.name) == nil {
            let part = String(tensor.name.split(separator: ".", maxSplits: 2)[2])
            guard tensor.type == .f32 else {
                try writer.add(tensor)
                continue
            }
            guard let values = change(part, LeapEngineTests.floats(in: Data(tensor.data))) else { continue }
            try writer.add(tensor: tensor.name, shape: tensor.shape, floats: values)
        }
        return try Model.load(file: try writer.file())
    }

    // MARK: A model whose next token follows from the latest one alone

    /// The model of a fixture whose layers add nothing, with a head that makes another token likeliest, and a block that
    /// knows what follows each token but those that `isWrong` names.
    static func chain(isWrong: (TokenID) -> Bool = { _ in false }) throws -> Model {
        let name = "qwen35"
        let trunk = try GGUFFile.open(path: Fixture.path(name))
        let block = try file(name)
        guard let table = trunk.tensor("token_embd.weight"), let norm = trunk.tensor("output_norm.weight") else {
            throw EngineError(.missingTensor, "the fixture has no tables")
        }
        let (width, rows) = (table.shape[0], table.shape[1])
        let values = LeapEngineTests.floats(in: Data(table.data))
        func row(_ index: Int) -> ArraySlice<Float> { values[index * width..<(index + 1) * width] }
        func copies(_ source: (Int) -> Int) -> [Float] { (0..<rows).flatMap { row(source($0)) } }
        let ends = ["ssm_out.weight", "attn_output.weight", "ffn_down.weight"]
        var writer = GGUFWriter(copyingMetadataOf: block)
        func zeros(_ tensor: GGUFTensor) -> [Float] { [Float](repeating: 0, count: tensor.elementCount) }
        for tensor in trunk.tensors {
            if ends.contains(where: tensor.name.hasSuffix) {
                try writer.add(tensor: tensor.name, shape: tensor.shape, floats: zeros(tensor))
            } else {
                try writer.add(tensor)
            }
        }
        try writer.add(tensor: "output.weight", shape: table.shape, floats: copies { (5 * $0 + 17) % rows })
        for tensor in block.tensors where trunk.tensor(tensor.name) == nil {
            let part = String(tensor.name.split(separator: ".", maxSplits: 2)[2])
            switch part {
            case "attn_output.weight", "ffn_down.weight":
                try writer.add(tensor: tensor.name, shape: tensor.shape, floats: zeros(tensor))
            case "nextn.enorm.weight":
                try writer.add(
                    tensor: tensor.name, shape: tensor.shape, floats: [Float](repeating: 1, count: width))
            case "nextn.shared_head_norm.weight":
                try writer.add(
                    tensor: tensor.name, shape: norm.shape, floats: LeapEngineTests.floats(in: Data(norm.data)))
            case "nextn.eh_proj.weight":
                // The token's half as it is, and nothing of the other.
                let projection = (0..<width).flatMap { row in
                    (0..<2 * width).map { $0 == row ? Float(1) : 0 }
                }
                try writer.add(tensor: tensor.name, shape: tensor.shape, floats: projection)
            default: try writer.add(tensor)
            }
        }
        let own = copies { isWrong(TokenID($0)) ? ($0 + 101) % rows : $0 }
        try writer.add(tensor: "blk.4.nextn.embed_tokens.weight", shape: table.shape, floats: own)
        return try Model.load(file: try writer.file())
    }
}

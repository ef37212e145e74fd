import Foundation
import LeapGGUF
import LeapTokenizer

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapModel

/// A tiny random drafter with what numpy computes for it.
struct DrafterFixture: Decodable {
    struct Block: Decodable {
        let context: Int
        let anchor: TokenID
        let proposals: Int
        let base: [Float]
        let chain: [TokenID]
        let logits: [Float]
    }

    let blocks: [Block]

    static func path(_ name: String) -> String { Fixture.path("drafters/\(name)") }

    static func load(_ name: String) throws -> DrafterFixture {
        let url = URL(fileURLWithPath: path(name)).deletingPathExtension().appendingPathExtension("json")
        return try JSONDecoder().decode(DrafterFixture.self, from: try Data(contentsOf: url))
    }

    static func drafter(_ name: String) throws -> BlockDrafter { try BlockDrafter.load(path: path(name)) }

    /// A drafter that reads other layers.
    static func drafter(_ name: String, layers: [Int32]) throws -> BlockDrafter {
        try ModelCopy.open(
            path(name), changeMetadata: { $0["dflash.target_layers"] = .array(GGUFArray(layers)) },
            open: { try BlockDrafter.load(path: $0) })
    }

    /// Returns the outputs of the model's layers at some positions, by the script's formula.
    static func streams(_ positions: Range<Int>, length: Int) -> [Float] {
        positions.flatMap { i in (0..<length).map { j in (Float((131 * i + 71 * j) % 257) - 128) / 64 } }
    }

    // MARK: A model whose next token follows from the latest one alone

    /// The model of a fixture whose layers add nothing, with a head of its own: the likeliest token behind a token is
    /// another one.
    static func chainModel() throws -> Model {
        let ends = ["shortconv.out_proj.weight", "attn_output.weight", "ffn_down.weight"]
        let (head, width) = (try chainHead(), try embeddings().width)
        return try ModelCopy.load(
            Fixture.path("lfm2"),
            changeTensor: { tensor in ends.contains(where: tensor.name.hasSuffix) ? .zeros(tensor.shape) : .keep },
            more: [("output.weight", [width, head.count / width], head)])
    }

    /// A drafter that is right about that model: its blocks add nothing either, and the token before decides.
    static func chainDrafter() throws -> BlockDrafter {
        let (table, norm, width) = try embeddings()
        let rows = table.count / width
        let normed = (0..<rows).flatMap { row -> [Float] in
            let vector = table[row * width..<(row + 1) * width]
            let mean = vector.reduce(0) { $0 + $1 * $1 } / Float(width)
            return zip(vector, norm).map { $0 / (mean + 1e-5).squareRoot() * $1 }
        }
        let head = try chainHead()
        func bytes(_ values: [Float]) -> [UInt8] { values.withUnsafeBytes { Array($0) } }
        return try ModelCopy.open(
            path("dspark"),
            changeTensor: { tensor in
                switch tensor.name {
                case "output_norm.weight": .zeros(tensor.shape)
                case "markov_w1.weight": .replace(type: .f32, shape: [width, rows], bytes: bytes(normed))
                case "markov_w2.weight": .replace(type: .f32, shape: [width, rows], bytes: bytes(head))
                case "conf_proj.weight", "conf_proj.bias": .drop
                default: .keep
                }
            }, open: { try BlockDrafter.load(path: $0) })
    }

    /// The embedding table with its rows in another order.
    private static func chainHead() throws -> [Float] {
        let (table, _, width) = try embeddings()
        let rows = table.count / width
        return (0..<rows).flatMap { row -> ArraySlice<Float> in
            let source = (5 * row + 17) % rows
            return table[source * width..<(source + 1) * width]
        }
    }

    private static func embeddings() throws -> (table: [Float], norm: [Float], width: Int) {
        let file = try GGUFFile.open(path: Fixture.path("lfm2"))
        let norm = try floats(file, "token_embd_norm.weight")
        return (try floats(file, "token_embd.weight"), norm, norm.count)
    }

    private static func floats(_ file: GGUFFile, _ name: String) throws -> [Float] {
        guard let tensor = file.tensor(name), tensor.type == .f32 else {
            throw EngineError(.missingTensor, "the fixture has no tensor \(name) in F32")
        }
        return LeapEngineTests.floats(in: Data(tensor.data))
    }
}

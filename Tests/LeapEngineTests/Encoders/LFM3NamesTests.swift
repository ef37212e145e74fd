import Foundation
import LeapBase
import LeapGGUF
import LeapTestTraits
import Testing

@testable import LeapCPU
@testable import LeapModel

/// LFM3-VL's projector file under each of the names that its tensors and keys may have.
@Suite(.inTurns)
struct LFM3NamesTests {
    /// A change of names, by what they contain.
    struct Renaming: Sendable, CustomTestStringConvertible {
        let names: [String: String]

        var testDescription: String { names.values.sorted().joined(separator: " ") }

        func name(_ old: String) -> String {
            names.reduce(old) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
        }
    }

    private static let convolution = [
        "shortconv.in_proj": "conv_pw1", "shortconv.conv": "conv_dw", "shortconv.out_proj": "conv_pw2",
    ]
    private static let renamings = [
        Renaming(names: ["v.pre_ln": "v.norm_embd"]), Renaming(names: ["mm.input_norm": "v.post_ln"]),
        Renaming(names: ["mm.1.": "mm.0."]), Renaming(names: convolution),
        Renaming(
            names: convolution.merging(
                ["v.pre_ln": "v.norm_embd", "mm.input_norm": "v.post_ln", "mm.1.": "mm.0."]) { $1 }),
    ]

    private static func plain() throws -> GGUFFile { try VisionFixture.encoder(.lfm3).file }

    /// The fixture's file with other names, keys and shapes.
    ///
    /// - Parameter without: a name of a tensor that is left out.
    private static func file(
        _ renaming: Renaming = Renaming(names: [:]), keys: [(key: String, value: GGUFValue?)] = [],
        without: String? = nil, flattens: Bool = false
    ) throws -> GGUFFile {
        let plain = try plain()
        var writer = GGUFWriter()
        for (key, value) in plain.metadata.pairs where !keys.contains(where: { $0.key == key }) {
            writer.set(key, value)
        }
        for (key, value) in keys { if let value { writer.set(key, value) } }
        for tensor in plain.tensors where tensor.name != without {
            var shape = tensor.shape
            if flattens, tensor.name.hasSuffix("shortconv.conv.weight") { shape.remove(at: 2) }
            try writer.add(
                tensor: renaming.name(tensor.name), type: tensor.type, shape: shape, bytes: Array(tensor.data))
        }
        return try writer.file()
    }

    private static func vectors(_ file: GGUFFile) throws -> [Float] {
        let pass = VisionPass(try VisionEncoder(file: file), kernels: try Kernels(threads: 1))
        let part = try #require(VisionFixture.parts(width: 96, height: 64, .lfm3).first)
        return try #require(try pass.encode(part))
    }

    @Test("A file with other names of tensors gives the same vectors", arguments: renamings)
    func renamed(renaming: Renaming) throws {
        let file = try Self.file(renaming)
        #expect(Set(file.tensors.map(\.name)) != Set(try Self.plain().tensors.map(\.name)))
        #expect(try Self.vectors(file) == (try Self.vectors(try Self.plain())))
    }

    @Test("A file with the kind's other name, the factor's other key or flat filters gives the same vectors")
    func otherKeys() throws {
        let expected = try Self.vectors(try Self.plain())
        let kinds: [[(key: String, value: GGUFValue?)]] = [
            [("clip.projector_type", "lfm3vl")],
            [("clip.projector_type", nil), ("clip.vision.projector_type", "lfm3vl")],
        ]
        for keys in kinds {
            let file = try Self.file(keys: keys)
            #expect(try VisionEncoder(file: file).kind == "lfm3vl")
            #expect(try Self.vectors(file) == expected)
        }
        let factor = "clip.vision.projector.scale_factor"
        let scaled = try Self.file(keys: [("clip.vision.spatial_merge_size", nil), (factor, .uint32(2))])
        #expect(try Self.vectors(scaled) == expected)
        let plainFacts = try #require(GGUFProjector(try Self.plain().metadata))
        let facts = try #require(GGUFProjector(scaled.metadata))
        #expect(facts.maxPatches == plainFacts.maxPatches && facts.downsampling == 2)
        #expect(try Self.vectors(try Self.file(flattens: true)) == expected)
        let different = try Self.file(keys: [("clip.vision.spatial_merge_size", .uint32(2)), (factor, .uint32(4))])
        let error = #expect(throws: EngineError.self) { try VisionEncoder(file: different) }
        #expect(error?.field == factor)
    }

    @Test("Pictures are as large as the file says, else as those of the model that it is for")
    func sizes() throws {
        func maxPixels(_ keys: [(key: String, value: GGUFValue?)]) throws -> Int? {
            guard case .whole(let tiling) = try VisionEncoder(file: try Self.file(keys: keys)).tiling else {
                return nil
            }
            return tiling.maxPixels
        }
        let key = "clip.vision.image_max_pixels"
        #expect(try maxPixels([]) == 32_768)
        #expect(try maxPixels([(key, nil)]) == 1 << 24)
        // LFM3-Omni: 2,048 tokens of 32 × 32 pixels.
        #expect(try maxPixels([(key, nil), ("clip.has_audio_encoder", true)]) == 2048 * 1024)
        #expect(try maxPixels([("clip.has_audio_encoder", true)]) == 32_768)
    }

    @Test(
        "A missing tensor is named, and the names that the file has are listed once each",
        arguments: ["mm.1.weight", "v.pre_ln.weight", "mm.input_norm.weight", "v.blk.0.ffn_up.weight"])
    func missing(name: String) throws {
        let file = try Self.file(without: name)
        let error = try #require(throws: EngineError.self) { try VisionEncoder(file: file) }
        #expect(error.code == .missingTensor && error.field == name)
        let lines = error.message.split(separator: "\n")
        #expect(lines.count <= 41 && lines.count > 10, "\(error.message)")
        let list = lines.dropFirst()
        #expect(list.contains { $0.hasPrefix("v.patch_embd.weight.1 [16, 16, 3, ") })
        #expect(list.count { $0.hasPrefix("v.blk.N.ffn_gate.weight [") && $0.contains(" in layers 0, 1, ") } == 1)
        #expect(!list.contains { $0.hasPrefix("v.blk.0.") || $0.hasPrefix("\(name) ") })
    }

    @Test("A list of many names is cut, and names without layers stay as they are")
    func cut() throws {
        var writer = GGUFWriter()
        for index in 0..<100 { try writer.add(tensor: "v.other\(index)", shape: [1], floats: [0]) }
        let lines = TensorNameList.text(try writer.file().tensors).split(separator: "\n")
        #expect(lines.count == TensorNameList.lineMax && lines[1] == "v.other0 [1]" && lines[39] == "and 62 more")
        var few = GGUFWriter()
        for name in ["v.blk.x.weight", "v.blk.1", "v.blk.7.a", "v.blk.12.a"] {
            try few.add(tensor: name, shape: [1], floats: [0])
        }
        #expect(
            TensorNameList.text(try few.file().tensors)
                == "the file has:\nv.blk.x.weight [1]\nv.blk.N [1] in layers 1\nv.blk.N.a [1] in layers 7, 12")
    }
}

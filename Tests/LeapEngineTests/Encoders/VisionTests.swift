import Foundation
import LeapBase
import LeapGGUF
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import LeapVision
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

@Suite(.inTurns)
struct VisionTests {
    @Test(
        "Pictures' vectors are those of transformers, for whole pictures, tiles and thumbnails",
        arguments: VisionFixture.Family.allCases, TestLevel.isAll ? [1, 2] : [2])
    func vectors(family: VisionFixture.Family, threads: Int) throws {
        let encoder = try VisionFixture.encoder(family)
        let pass = VisionPass(encoder, kernels: try Kernels(threads: threads))
        for picture in try VisionFixture.load(family).pictures {
            let all = try VisionFixture.parts(width: picture.width, height: picture.height, family).flatMap {
                try #require(try pass.encode($0))
            }
            #expect(all.count == picture.count * encoder.outputLength)
            let largest = picture.vectors.map { abs($0) }.max() ?? 0
            var wrong: [Int] = []
            for (index, row) in picture.rows.enumerated() {
                for element in 0..<encoder.outputLength {
                    let ours = all[row * encoder.outputLength + element]
                    let theirs = picture.vectors[index * encoder.outputLength + element]
                    if !(abs(ours - theirs) <= 1e-5 * largest), wrong.last != row { wrong.append(row) }
                }
            }
            #expect(wrong.isEmpty, "\(picture.width)x\(picture.height), vectors \(wrong)")
        }
    }

    @Test("A picture's vectors do not depend on what was encoded before, on threads or on copies of it")
    func oneArithmetic() throws {
        let encoder = try VisionFixture.encoder()
        // A tile and the thumbnail.
        let parts = TestLevel.cases(VisionFixture.parts(width: 1100, height: 500), standard: 2)
        let first = VisionPass(encoder, kernels: try Kernels(threads: 1))
        let alone = try parts.map { try #require(try first.encode($0)) }
        let second = VisionPass(encoder, kernels: try Kernels(threads: 3))
        for index in parts.indices.reversed() {
            #expect(try second.encode(parts[index]) == alone[index])
        }
    }

    @Test("Logits behind pictures are those of transformers", arguments: VisionFixture.Family.allCases)
    func logits(family: VisionFixture.Family) throws {
        let model = try VisionFixture.model(family)
        let kernels = try Kernels(threads: 2)
        let stride = try VisionFixture.encoder(family).vectorStride
        let encoder = VisionPass(try VisionFixture.encoder(family), kernels: kernels)
        for chat in TestLevel.cases(try VisionFixture.load(family).chats, standard: 1) {
            let picture: [Float] = try VisionFixture.parts(width: chat.width, height: chat.height, family).flatMap {
                try #require(try encoder.encode($0))
            }
            // The same picture in all its places of a chat.
            let count = chat.ids.count { $0 < 0 } * stride / picture.count
            let vectors = (0..<count).flatMap { _ in picture }
            let layout = CacheLayout(model: model, keyValueType: .f32)
            let executor = CPUExecutor(model: model, layout: layout, kernels: kernels, contextSize: 4096)
            let sequence = executor.makeSequence(limit: 4096)
            let places = try Places(chat.ids, vectors, length: model.embeddingLength, stride: stride)
            let tokens = chat.tokens(family)
            let outputs = try #require(
                try executor.run([
                    BatchSegment(sequence: sequence, tokens: tokens[...], wanted: .suffix(2), vectors: places)
                ]))
            let logits = outputs[0].values
            let largest = chat.logits.map { abs($0) }.max() ?? 0
            #expect(logits.count == chat.logits.count)
            let difference = zip(logits, chat.logits).map { abs($0 - $1) }.max() ?? .infinity
            print("largest logit difference of \(family) behind a picture: \(difference)")
            #expect(difference <= 1e-4 * largest, "\(chat.width)x\(chat.height)")
            if family == .qwen3VLMoE { #expect(difference <= (try MeasuredTable.row("qwen3vlmoe").difference)) }
        }
    }

    @Test("Encoding stops between two layers and goes on from anew")
    func stopping() throws {
        let pass = VisionPass(try VisionFixture.encoder(), kernels: try Kernels(threads: 1))
        let part = VisionFixture.parts(width: 256, height: 256)[0]
        let whole = try pass.encode(part)
        for layer in 0..<2 {
            var asked = 0
            let stopped = try pass.encode(part) {
                asked += 1
                return asked <= layer
            }
            #expect(stopped == nil)
            #expect(asked == layer + 1)
        }
        #expect(try pass.encode(part) == whole)
    }

    @Test(
        "What fits counts for encoding is at least what it takes, and less than twice that",
        arguments: VisionFixture.Family.allCases)
    func memory(family: VisionFixture.Family) throws {
        let encoder = try VisionFixture.encoder(family)
        let facts = try #require(GGUFProjector(encoder.file.metadata))
        let side = Int(Double(facts.maxPatches).squareRoot())
        let isWhole = if case .whole = family.tiling { true } else { false }
        switch family {
        case .gemma4, .gemma4Large: #expect(facts.maxPatches == 280 * 9)
        default: #expect(isWhole ? facts.maxPatches == 128 : side * side == facts.maxPatches)
        }
        let memory = MemoryPool()
        let pass = VisionPass(encoder, kernels: try Kernels(threads: 1), memory: memory)
        // The largest part that this encoder is given.
        let rows = family == .lfm2 ? side : isWhole ? 8 : 6
        let columns = isWhole ? 16 : rows
        let patches = ImagePatches(
            rows: rows, columns: columns, values: [Float](repeating: 0.5, count: rows * columns * 3 * 16 * 16))
        _ = try pass.encode(patches)
        #expect(pass.holdsMemory)
        #expect(memory.used > 0)
        #expect(memory.used <= facts.encodingBytes)
        if family == .lfm2 {
            #expect(2 * memory.used >= facts.encodingBytes, "\(memory.used) of \(facts.encodingBytes)")
        }
    }

    @Test("Vectors stay the same bits while memory is given back that a larger picture needed")
    func memoryGivenBack() throws {
        func patches(side: Int) -> ImagePatches {
            ImagePatches(
                rows: side, columns: side, values: (0..<side * side * 3 * 16 * 16).map { Float($0 % 97) / 97 })
        }
        let memory = MemoryPool()
        let pass = VisionPass(try VisionFixture.encoder(), kernels: try Kernels(threads: 1), memory: memory)
        let small = try pass.encode(patches(side: 2))
        _ = try pass.encode(patches(side: 6))
        let large = memory.used
        for picture in 0..<Workspace.smallBatchLimit {
            #expect(try pass.encode(patches(side: 2)) == small, "picture \(picture)")
        }
        #expect(memory.used < large)
    }

    @Test("Pixels that have to be brought to another range are refused by the name of their key")
    func otherMean() throws {
        var bytes = try Data(contentsOf: VisionFixture.folder.appendingPathComponent("mmproj-vision.gguf"))
        let place = try #require(bytes.range(of: Data("clip.vision.image_mean".utf8))).upperBound + 16
        bytes.replaceSubrange(place..<place + 4, with: withUnsafeBytes(of: Float(0.25)) { Data($0) })
        let error = #expect(throws: EngineError.self) {
            try VisionEncoder(file: try GGUFFile.parse(bytes: [UInt8](bytes)))
        }
        #expect(error?.field == "clip.vision.image_mean")
    }

    @Test("Squares of another size than the positions, or that the factor does not divide, are refused")
    func otherSquares() throws {
        let file = VisionFixture.Family.smolVLM.folder.appendingPathComponent("mmproj-smolvlm.gguf")
        for (name, value) in [
            ("image_size", 64), ("image_size", 0), ("projector.scale_factor", 4), ("preproc_image_size", 0),
        ] {
            var bytes = try Data(contentsOf: file)
            let key = "clip.vision.\(name)"
            let place = try #require(bytes.range(of: Data(key.utf8))).upperBound + 4
            bytes.replaceSubrange(place..<place + 4, with: withUnsafeBytes(of: UInt32(value)) { Data($0) })
            let error = #expect(throws: EngineError.self, "\(name) \(value)") {
                try VisionEncoder(file: try GGUFFile.parse(bytes: [UInt8](bytes)))
            }
            #expect(error?.field?.hasPrefix("clip.vision.") == true)
        }
    }

    @Test("A projector is refused that is for another model, of another kind, or no projector")
    func refused() throws {
        let encoder = try VisionFixture.encoder()
        let other = try Model.load(path: Fixture.folder.appendingPathComponent("qwen3-odd-heads.gguf").path)
        #expect(throws: EngineError.self) { try encoder.validate(for: other) }
        #expect(throws: EngineError.self) { try Engine(model: other, encoder: encoder) }
        let model = VisionFixture.folder.appendingPathComponent("vision.gguf").path
        let error = #expect(throws: EngineError.self) { try VisionEncoder.load(path: model) }
        #expect(error?.code == .unsupportedArchitecture)
        #expect(error?.field == "general.architecture")
        // The same file with another name for its kind, as long as the right one.
        var bytes = try Data(contentsOf: VisionFixture.folder.appendingPathComponent("mmproj-vision.gguf"))
        let key = Data("clip.projector_type".utf8)
        let place = try #require(bytes.range(of: key)).upperBound + 12
        #expect(bytes[place..<place + 4] == Data("lfm2".utf8))
        bytes.replaceSubrange(place..<place + 4, with: Data("mlp9".utf8))
        let unknown = #expect(throws: EngineError.self) {
            try VisionEncoder(file: try GGUFFile.parse(bytes: [UInt8](bytes)))
        }
        #expect(unknown?.field == "clip.projector_type")
        #expect(unknown?.message.contains("gemma4v, idefics3, lfm2, lfm3, lfm3vl, qwen3vl_merger") == true)
        #expect(unknown?.message.contains("mlp9") == true)
        #expect(SupportedProjector.nearest(to: "mlp9") == nil)
        #expect(SupportedProjector.all.map(\.name) == ImageProjectors.all.keys.sorted())
    }

    @Test(
        "A kind that is not known is refused with the nearest one",
        arguments: [("qwen2.5vl_merger", "qwen3vl_merger"), ("idefics2", "idefics3"), ("lfm2v", "lfm2")])
    func nearest(kind: String, nearest: String) throws {
        var writer = GGUFWriter(copyingMetadataOf: try VisionFixture.encoder(.qwen3VL).file)
        writer.set("clip.projector_type", .string(GGUFString(kind)))
        let file = try writer.file()
        let error = #expect(throws: EngineError.self) { try VisionEncoder(file: file) }
        #expect(error?.field == "clip.projector_type")
        #expect(error?.message.contains("the nearest is \(nearest) (") == true, "\(error?.message ?? "")")
    }

    @Test(
        "Numbers and tensors of Qwen3-VL's tower that do not fit are named",
        arguments: [
            ("clip.vision.attention.head_count", GGUFValue.uint32(8)), ("clip.vision.attention.head_count", .uint32(5)),
            ("clip.vision.spatial_merge_size", .uint32(0)), ("clip.vision.spatial_merge_size", .uint32(17)),
            ("clip.vision.image_max_pixels", .uint32(4095)), ("clip.vision.image_min_pixels", .uint32(0)),
            ("clip.vision.block_count", .uint32(3)), ("clip.vision.projection_dim", .uint32(63)),
        ])
    func otherNumbers(key: String, value: GGUFValue) throws {
        let plain = try VisionFixture.encoder(.qwen3VL).file
        var writer = GGUFWriter(copyingMetadataOf: plain)
        for tensor in plain.tensors { try writer.add(tensor) }
        writer.set(key, value)
        let file = try writer.file()
        let error = #expect(throws: EngineError.self) { try VisionEncoder(file: file) }
        let names = [key, "clip.vision.is_deepstack_layers", "mm.2.weight"]
        #expect(names.contains(error?.field ?? ""), "\(error?.message ?? "none")")
    }

    @Test(
        "A missing tensor of Qwen3-VL's tower is named",
        arguments: [
            "v.patch_embd.weight.1", "v.position_embd.weight", "v.blk.2.attn_qkv.weight", "v.post_ln.weight",
            "v.deepstack.1.fc1.weight", "v.deepstack.2.norm.weight", "mm.0.weight", "mm.2.weight",
        ])
    func missing(name: String) throws {
        let plain = try VisionFixture.encoder(.qwen3VL).file
        var writer = GGUFWriter(copyingMetadataOf: plain)
        for tensor in plain.tensors where tensor.name != name { try writer.add(tensor) }
        let file = try writer.file()
        let error = #expect(throws: EngineError.self) { try VisionEncoder(file: file) }
        #expect(error?.field == name, "\(error?.message ?? "none")")
    }
}

/// Vectors for the tokens of a prompt that are -1, in order.
private final class Places: InputVectors {
    private let rows: [Int]
    private let memory: AlignedMemory
    private let length: Int
    private let stride: Int

    init(_ ids: [TokenID], _ vectors: [Float], length: Int, stride: Int) throws {
        var next = 0
        rows = ids.map { id in
            guard id < 0 else { return 0 }
            defer { next += 1 }
            return next
        }
        (self.length, self.stride) = (length, stride)
        memory = try AlignedMemory(byteCount: vectors.count * 4, pool: MemoryPool())
        let floats = memory.base.assumingMemoryBound(to: Float.self)
        for (index, value) in vectors.enumerated() { floats[index] = value }
    }

    func vector(at position: Int) -> UnsafePointer<Float> {
        UnsafePointer(memory.base.assumingMemoryBound(to: Float.self) + rows[position] * stride)
    }

    func addition(at position: Int, layer: Int) -> UnsafePointer<Float>? {
        layer < stride / length - 1 ? vector(at: position) + (1 + layer) * length : nil
    }
}

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

/// Pictures of Gemma 4 12B, whose projector has no layers.
@Suite(.inTurns)
struct Gemma4UnifiedTests {
    private static func pass(threads: Int = 1) throws -> VisionPass {
        VisionPass(try Gemma4UnifiedFixture.pictures(), kernels: try Kernels(threads: threads))
    }

    @Test(
        "Pictures' vectors are those of numpy in double precision within 1e-5 of the largest, a vector for each square",
        arguments: [1, 2])
    func vectors(threads: Int) throws {
        let pass = try Self.pass(threads: threads)
        for picture in try Gemma4UnifiedFixture.load().pictures {
            // As many tokens as fit without another size.
            let patches = try #require(
                try Gemma4UnifiedFixture.patches(
                    width: picture.width, height: picture.height, tokens: picture.count))
            let all = try #require(try pass.encode(patches))
            #expect(patches.rows * patches.columns == picture.count && all.count == picture.count * 64)
            let largest = AudioFixture.difference(all, picture.vectors, rows: picture.rows, length: 64)
            let size = picture.vectors.map(abs).max() ?? 0
            #expect(largest <= 1e-5 * size, "\(picture.width)x\(picture.height): \(largest) of \(size)")
        }
    }

    @Test("The order of colours counts, and places in the picture do")
    func order() throws {
        let pass = try Self.pass()
        let patches = try #require(try Gemma4UnifiedFixture.patches(width: 24, height: 36, tokens: 6))
        let expected = try #require(try pass.encode(patches))
        let area = 12 * 12
        var swapped = patches.values
        for patch in 0..<6 {
            for index in 0..<area { swapped.swapAt(patch * 3 * area + index, (patch * 3 + 2) * area + index) }
        }
        #expect(try pass.encode(ImagePatches(rows: 3, columns: 2, values: swapped)) != expected)
        // The same squares in another grid: the first two keep their places.
        let other = try #require(try pass.encode(ImagePatches(rows: 2, columns: 3, values: patches.values)))
        #expect(other.prefix(2 * 64) == expected.prefix(2 * 64) && other != expected)
    }

    @Test("Vectors do not depend on what was encoded before, on threads or on the size of the picture before")
    func oneArithmetic() throws {
        let sizes = [(24, 36, 6), (60, 48, 20), (12, 12, 1)]
        let all = try sizes.map { try #require(try Gemma4UnifiedFixture.patches(width: $0, height: $1, tokens: $2)) }
        let alone = try all.map { try #require(try Self.pass().encode($0)) }
        let pass = try Self.pass(threads: 3)
        for index in all.indices.reversed() { #expect(try pass.encode(all[index]) == alone[index]) }
    }

    @Test(
        "Each budget that the model was trained with gives as many squares as fit, of small and of large pictures",
        arguments: [(70, 8), (140, 11), (280, 16), (560, 23), (1120, 33)])
    func budgets(tokens: Int, side: Int) throws {
        let encoder = try Gemma4UnifiedFixture.pictures()
        let pass = try Self.pass(threads: 2)
        for size in [20, 1000] {
            let patches = try #require(try Gemma4UnifiedFixture.patches(width: size, height: size, tokens: tokens))
            #expect(patches.rows == side && patches.columns == side)
            // Of the largest budgets a picture is computed once, by the next test.
            guard TestLevel.isAll || tokens <= 280 else { continue }
            #expect(try pass.encode(patches)?.count == side * side * encoder.outputLength)
        }
    }

    @Test("A picture of the largest budget is computed in one piece, however few tokens a step has")
    func largestBudget() async throws {
        let patches = try #require(try Gemma4UnifiedFixture.patches(width: 500, height: 500, tokens: 1120))
        let count = patches.rows * patches.columns
        #expect(count == 1089)
        let places = (0..<count).map { PlaceToken.make(.position, content: UInt32($0)) }
        var request = GenerationRequest(prompt: [2, 260] + places + [261, 40], sampling: .greedy, maxTokens: 3)
        request.media = [MediaInput(positions: 2..<2 + count, medium: .image) { .image(patches) }]
        request.likelihoodAlternatives = 4
        var likelihoods: [[TokenLikelihood]] = []
        for chunk in [4096, 24] {
            var options = EngineOptions()
            options.threads = 2
            options.prefillChunk = chunk
            let engine = try Engine(
                model: try VisionFixture.model(.gemma4Large), encoder: try Gemma4UnifiedFixture.pictures(),
                options: options)
            for await event in engine.makeSession().events(request) {
                if case .finished(let result) = event { likelihoods.append(result.likelihoods) }
            }
        }
        #expect(likelihoods.count == 2 && likelihoods[0].count == 3 && likelihoods[0] == likelihoods[1])
    }

    @Test("The description is that of the file: squares of three patches, no layers, and 280 tokens")
    func description() throws {
        let encoder = try Gemma4UnifiedFixture.pictures()
        #expect(encoder.kind == "gemma4uv" && encoder.outputLength == 64)
        #expect(encoder.tower.patchSize == 12 && encoder.tower.stack.layers.isEmpty)
        #expect(encoder.tiling == .filled(.init(patchSize: 12, downsampling: 1, tokens: 280)))
        try encoder.validate(for: try VisionFixture.model(.gemma4Large))
        let error = #expect(throws: EngineError.self) { try encoder.validate(for: try VisionFixture.model(.qwen35)) }
        #expect(error?.code == .incompatibleModels && error?.field == "general.architecture")
    }

    @Test("What fits counts for a picture of 280 tokens is at least what it takes")
    func memory() throws {
        let encoder = try Gemma4UnifiedFixture.pictures()
        let facts = try #require(GGUFProjector(encoder.file.metadata))
        #expect(facts.maxPatches == 280)
        let memory = MemoryPool()
        let pass = VisionPass(encoder, kernels: try Kernels(threads: 1), memory: memory)
        let patches = try #require(try Gemma4UnifiedFixture.patches(width: 20, height: 20, tokens: 280))
        _ = try pass.encode(patches)
        #expect(memory.used > 0 && memory.used <= facts.encodingBytes, "\(memory.used) of \(facts.encodingBytes)")
    }

    @Test("What fits counts for files that leave out the keys of layers and bands, which these encoders do not have")
    func memoryWithoutKeys() throws {
        var writer = GGUFWriter()
        writer.set("general.architecture", "clip")
        for (part, kind) in [("vision", "gemma4uv"), ("audio", "gemma4ua")] {
            writer.set("clip.has_\(part)_encoder", .bool(true))
            writer.set("clip.\(part).projector_type", .string(GGUFString(kind)))
            writer.set("clip.\(part).embedding_length", .uint32(640))
            writer.set("clip.\(part).projection_dim", .uint32(64))
        }
        writer.set("clip.vision.patch_size", .uint32(4))
        let facts = try #require(GGUFProjector(try writer.file().metadata))
        #expect(facts.encodingBytes > 0 && facts.audioEncodingBytes > 0)
    }

    /// The fixture's file with other keys and tensors.
    ///
    /// - Parameter without: a name of a tensor that is left out.
    static func writer(
        keys: [(key: String, value: GGUFValue)] = [], without: String? = nil
    ) throws -> GGUFWriter {
        let plain = try GGUFFile.open(path: Fixture.folder.appendingPathComponent(Gemma4UnifiedFixture.path).path)
        var writer = GGUFWriter(copyingMetadataOf: plain)
        for (key, value) in keys { writer.set(key, value) }
        for tensor in plain.tensors where tensor.name != without { try writer.add(tensor) }
        return writer
    }

    @Test("Keys that do not fit are refused by name, and so is a file with layers")
    func refusedKeys() throws {
        let changes: [(name: String, value: GGUFValue, field: String)] = [
            ("block_count", .uint32(1), "clip.vision.block_count"),
            ("attention.head_count", .uint32(4), "clip.vision.attention.head_count"),
            ("patch_size", .uint32(0), "clip.vision.patch_size"), ("patch_size", .uint32(5), "v.patch_norm.1.weight"),
            ("projector.scale_factor", .uint32(2), "v.patch_norm.1.weight"),
            ("embedding_length", .uint32(64), "v.patch_norm.2.weight"),
            ("projection_dim", .uint32(32), "mm.input_projection.weight"),
            ("spatial_merge_size", .uint32(2), "clip.vision.spatial_merge_size"),
        ]
        for change in changes {
            let file = try Self.writer(keys: [("clip.vision.\(change.name)", change.value)]).file()
            let error = #expect(throws: EngineError.self, "\(change.name)") { try VisionEncoder(file: file) }
            let field = error?.field ?? ""
            // Which of several tensors comes first is of no matter.
            #expect(field == change.field || field == "v.patch_embd.weight", "\(change.name): \(field)")
        }
    }

    @Test(
        "A missing tensor is named, and one that is not known",
        arguments: [
            "v.patch_norm.1.weight", "v.patch_embd.weight", "v.patch_norm.2.weight", "v.position_embd.weight",
            "v.patch_norm.3.weight", "mm.input_projection.weight",
        ])
    func tensors(name: String) throws {
        let file = try Self.writer(without: name).file()
        let error = #expect(throws: EngineError.self) { try VisionEncoder(file: file) }
        #expect(error?.field == name)
        var writer = try Self.writer()
        try writer.add(tensor: "v.patch_norm.4.weight", shape: [4], floats: [1, 2, 3, 4])
        let other = try writer.file()
        let refusal = #expect(throws: EngineError.self) { try VisionEncoder(file: other) }
        #expect(refusal?.field == "v.patch_norm.4.weight")
    }
}

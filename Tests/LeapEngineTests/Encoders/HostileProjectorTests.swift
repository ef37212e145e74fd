import Foundation
import LeapGGUF
import LeapTestTraits
import Testing

@testable import LeapModel

/// Projector files with keys that may change what is computed: each is refused with a typed error that names the key.
@Suite(.inTurns)
struct HostileProjectorTests {
    /// A projector file with one key more, or with another value.
    struct Variant: Sendable, CustomTestStringConvertible {
        let path: String
        let key: String
        let value: GGUFValue
        /// Further keys, with their values.
        var others: [(key: String, value: GGUFValue)] = []

        var testDescription: String { "\(path) \(key)" }

        /// Opens the changed file.
        func open() throws -> MediaEncoders {
            let plain = try GGUFFile.open(path: Fixture.folder.appendingPathComponent(path).path)
            var writer = GGUFWriter(copyingMetadataOf: plain)
            for tensor in plain.tensors { try writer.add(tensor) }
            writer.set(key, value)
            for other in others { writer.set(other.key, other.value) }
            return try MediaEncoders.open(try writer.file())
        }
    }

    private static let pictures = [
        "vision/mmproj-vision.gguf", "smolvlm/mmproj-smolvlm.gguf", "qwen3vl/mmproj-qwen3vl.gguf",
        "qwen35vl/mmproj-qwen35vl.gguf", "gemma4vl/mmproj-gemma4vl.gguf", "lfm3vl/mmproj-lfm3vl.gguf",
    ]
    private static let sounds = ["audio/mmproj-audio.gguf", "lfm3a/mmproj-lfm3a.gguf", "gemma4a/mmproj-gemma4a.gguf"]

    /// Keys of the layer whose vectors are taken, of windows, sizes that pictures are brought to and versions, and keys
    /// that nobody knows yet.
    private static let imageKeys: [(key: String, value: GGUFValue)] = [
        ("clip.vision.feature_layer", .array(GGUFArray([-2] as [Int32]))), ("clip.vision.n_wa_pattern", .uint32(8)),
        ("clip.vision.wa_layer_indexes", .array(GGUFArray([1] as [Int32]))), ("clip.vision.window_size", .uint32(112)),
        ("clip.vision.attention.scale", .float32(0.5)), ("clip.vision.preproc_max_tiles", .uint32(12)),
        ("clip.vision.mm_patch_merge_type", "unpad"), ("clip.vision.sam.block_count", .uint32(2)),
        ("clip.minicpmv_version", .uint32(3)), ("clip.of_next_year", true),
        ("clip.gen.audio.block_count", .uint32(3)), ("clip.gen.image.block_count", .uint32(3)),
    ]
    private static let audioKeys: [(key: String, value: GGUFValue)] = [
        ("clip.audio.chunk_size", .uint32(200)), ("clip.audio.conv_kernel_size", .uint32(15)),
        ("clip.audio.max_pos_emb", .uint32(512)), ("clip.audio.projector.stack_factor", .uint32(8)),
        ("clip.audio.attention.scale", .float32(0.5)), ("clip.of_next_year", true),
        ("clip.gen.audio.block_count", .uint32(3)), ("clip.audio.video_max_pixels", .uint32(4096)),
    ]

    /// All of them in files of every kind.
    private static let unknown: [Variant] =
        pictures.flatMap { path in imageKeys.map { Variant(path: path, key: $0.key, value: $0.value) } }
        + sounds.flatMap { path in audioKeys.map { Variant(path: path, key: $0.key, value: $0.value) } }

    /// Keys that change nothing, or are another encoder's.
    private static let known: [(key: String, value: GGUFValue)] = [
        ("clip.vision.attention.head_count_kv", .uint32(4)), ("clip.has_text_encoder", false),
        ("clip.has_audio_encoder", true), ("clip.audio.chunk_size", .uint32(200)),
        ("clip.audio.projector_type", "other"), ("clip.use_silu", false), ("general.of_next_year", true),
        ("other.attention.scale", .float32(2)), ("clip.vision.video_min_pixels", .uint32(4096)),
        ("clip.vision.video_max_pixels", .uint32(25_165_824)), ("clip.has_gen_audio_encoder", true),
    ]

    /// Other activations of networks without gates, and keys of one kind in files of another.
    private static let others: [Variant] =
        ["vision/mmproj-vision.gguf", "smolvlm/mmproj-smolvlm.gguf", "qwen3vl/mmproj-qwen3vl.gguf"].flatMap {
            [
                Variant(path: $0, key: "clip.use_gelu", value: .bool(false)),
                Variant(path: $0, key: "clip.use_silu", value: .bool(true)),
            ]
        } + [
            Variant(path: pictures[0], key: "clip.vision.spatial_merge_size", value: .uint32(2)),
            Variant(path: sounds[0], key: "clip.audio.window_size", value: .uint32(32)),
            Variant(path: pictures[0], key: "clip.vision.image_max_pixels", value: .uint32(65_536)),
            Variant(path: pictures[2], key: "clip.vision.projector.scale_factor", value: .uint32(2)),
            Variant(
                path: pictures[4], key: "clip.vision.is_deepstack_layers", value: .array(GGUFArray([true] as [Bool]))),
        ]

    @Test("A key that may change what is computed is refused by its name", arguments: unknown + others)
    func refused(variant: Variant) throws {
        let error = try #require(throws: EngineError.self) { _ = try variant.open() }
        #expect(error.code == .unsupportedArchitecture && error.field == variant.key, "\(error)")
        #expect(error.message.contains(variant.key), "\(error)")
    }

    @Test("Keys that change nothing, or are another encoder's, are read over", arguments: pictures)
    func harmless(path: String) throws {
        for (key, value) in Self.known {
            let encoder = try Variant(path: path, key: key, value: value).open()
            #expect(encoder.all.map(\.medium) == [.image], "\(key)")
        }
        let sound = try Variant(path: Self.sounds[0], key: "clip.audio.feed_forward_length", value: .uint32(7)).open()
        #expect(sound.all.map(\.medium) == [.audio])
    }

    @Test("Keys of a generator of sound are its own where the file has one", arguments: pictures + sounds)
    func generator(path: String) throws {
        var variant = Variant(
            path: path, key: "clip.gen.audio.block_count", value: .uint32(3),
            others: [("clip.has_gen_audio_encoder", true), ("clip.gen.audio.projector_type", "lfm3a_gen")])
        #expect(try variant.open().all.map(\.medium) == [Self.sounds.contains(path) ? .audio : .image])
        variant.others[0].value = false
        let error = try #require(throws: EngineError.self) { _ = try variant.open() }
        #expect(error.field?.hasPrefix("clip.gen.audio.") == true, "\(error)")
    }
}

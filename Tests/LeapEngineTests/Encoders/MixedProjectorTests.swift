import LeapCompute
import LeapDevices
import LeapGGUF
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapEngine
@testable import LeapModel

/// Projector files with several media, each of which has a kind of its own.
@Suite(.inTurns)
struct MixedProjectorTests {
    private static func writer(
        _ family: VisionFixture.Family = .lfm2, pictureKind: String? = nil, soundKind: String? = nil
    ) throws -> GGUFWriter {
        try MixedProjector.writer(
            pictures: try VisionFixture.encoder(family).file, sounds: try AudioFixture.encoder().file,
            pictureKind: pictureKind, soundKind: soundKind)
    }

    /// The same keys and tensors with another key for the kind.
    private static func audioFile(kindKey: String) throws -> GGUFFile {
        let plain = try AudioFixture.encoder().file
        var writer = GGUFWriter()
        for (key, value) in plain.metadata.pairs {
            writer.set(key == "clip.projector_type" ? kindKey : key, value)
        }
        for tensor in plain.tensors { try writer.add(tensor) }
        return try writer.file()
    }

    private static func vectors(_ encoder: VisionEncoder) throws -> [Float]? {
        try VisionPass(encoder, kernels: try Kernels(threads: 1)).encode(
            try #require(VisionFixture.parts(width: 96, height: 64).first))
    }

    private static func vectors(_ encoder: AudioEncoder) throws -> [Float]? {
        try AudioPass(encoder, kernels: try Kernels(threads: 1), memory: MemoryPool()).encode(
            AudioFixture.spectrum(1600))
    }

    @Test("Both encoders are opened, and each computes what it computes of a file of its own")
    func both() throws {
        let encoders = try MediaEncoders.open(try Self.writer().file())
        #expect(encoders.all.map(\.kind) == ["lfm2", "lfm2a"] && encoders.unread.isEmpty)
        let pictures = try #require(encoders[.image] as? VisionEncoder)
        let sounds = try #require(encoders[.audio] as? AudioEncoder)
        let expected = try #require(try Self.vectors(try VisionFixture.encoder()))
        #expect(try Self.vectors(pictures) == expected)
        let heard = try #require(try Self.vectors(try AudioFixture.encoder()))
        #expect(try Self.vectors(sounds) == heard)
        #expect(encoders[.speech] == nil)
    }

    @Test("An engine with both encoders computes a prompt with a picture and a sound")
    func prompt() async throws {
        let encoders = try MediaEncoders.open(try Self.writer().file())
        let model = try VisionFixture.model()
        let part = try #require(VisionFixture.parts(width: 96, height: 64).first)
        let spectrum = AudioFixture.spectrum(1600)
        let (pictureCount, soundCount) = (part.rows * part.columns / 4, spectrum.vectorCount)
        let places = (1...(pictureCount + soundCount)).map { TokenID(-1000 - $0) }
        var request = GenerationRequest(prompt: [257, 258] + places + [259], sampling: .greedy, maxTokens: 4)
        let middle = 2 + pictureCount
        request.media = [
            MediaInput(positions: 2..<middle, medium: .image) { .image(part) },
            MediaInput(positions: middle..<middle + soundCount, medium: .audio) { .audio(spectrum) },
        ]
        #expect(throws: EngineError.self) {
            try request.validate(for: model, contextSize: 2048, encoders: [encoders.all[0]])
        }
        #expect(throws: EngineError.self) {
            try request.validate(for: model, contextSize: 2048, encoders: [encoders.all[1]])
        }
        var options = EngineOptions()
        options.threads = 1
        let engine = try Engine(
            model: model, encoders: encoders.all, options: options, devices: SystemDevices())
        var result: GenerationResult?
        for await event in engine.makeSession().events(request) {
            if case .finished(let found) = event { result = found }
        }
        if case .failed(let error)? = result?.reason { throw error }
        #expect(result != nil)
    }

    @Test("A sound of a kind that is not known leaves the pictures usable, whatever its keys and tensors are")
    func unread() throws {
        for family in [VisionFixture.Family.lfm2, .lfm3] {
            var writer = try Self.writer(family, soundKind: "lfm4a")
            writer.set("clip.audio.window_size", .uint32(32))
            writer.set("clip.has_gen_audio_encoder", true)
            writer.set("clip.gen.audio.projector_type", "lfm3a_gen")
            writer.set("clip.gen.audio.projection_dim", .uint32(64))
            try writer.add(tensor: "a.gen.code.mask_embd", shape: [4], floats: [1, 2, 3, 4])
            let encoders = try MediaEncoders.open(try writer.file())
            #expect(encoders.all.map(\.kind) == [family == .lfm2 ? "lfm2" : "lfm3"])
            #expect(encoders.unread == [UnreadMedium(medium: .audio, kind: "lfm4a")])
        }
        let encoders = try MediaEncoders.open(try Self.writer(pictureKind: "gemma5v").file())
        #expect(encoders.all.map(\.kind) == ["lfm2a"])
        #expect(encoders.unread == [UnreadMedium(medium: .image, kind: "gemma5v")])
    }

    @Test("A file whose kinds are all unknown is refused with each of them")
    func unknown() throws {
        let file = try Self.writer(pictureKind: "gemma5v", soundKind: "gemma4ua9").file()
        let error = #expect(throws: EngineError.self) { try MediaEncoders.open(file) }
        #expect(error?.code == .unsupportedArchitecture)
        for kind in ["gemma5v", "gemma4ua9", "lfm2a", "lfm3a"] { #expect(error?.message.contains(kind) == true) }
    }

    @Test(
        "What pictures do not know is refused in a mixed file too", arguments: ["v.blk.0.other.weight", "mm.9.weight"])
    func unknownTensor(name: String) throws {
        var writer = try Self.writer(.lfm3)
        try writer.add(tensor: name, shape: [4], floats: [1, 2, 3, 4])
        let file = try writer.file()
        let error = #expect(throws: EngineError.self) { try MediaEncoders.open(file) }
        #expect(error?.field == name)
        var keys = try Self.writer(.lfm2)
        keys.set("clip.audio.chunk_size", .uint32(200))
        let other = try keys.file()
        let refusal = #expect(throws: EngineError.self) { try MediaEncoders.open(other) }
        #expect(refusal?.field == "clip.audio.chunk_size")
    }

    @Test("An encoder of sound alone may declare its kind under the medium's key")
    func audioKey() throws {
        let encoders = try MediaEncoders.open(try Self.audioFile(kindKey: "clip.audio.projector_type"))
        #expect(encoders.all.map(\.kind) == ["lfm2a"])
        let other = try Self.audioFile(kindKey: "clip.vision.projector_type")
        #expect(throws: EngineError.self) { try MediaEncoders.open(other) }
    }

    @Test("Memory for sound is counted by the keys of sound, and for kinds that are read")
    func memory() throws {
        let alone = try #require(GGUFProjector(try AudioFixture.encoder().file.metadata)).audioEncodingBytes
        #expect(alone > 0)
        let both = try #require(GGUFProjector(try Self.writer().file().metadata))
        #expect(both.audioEncodingBytes == alone && both.encodingBytes > 0)
        #expect(both.visionKind == "lfm2" && both.audioKind == "lfm2a" && both.kind == "lfm2")
        let unread = try #require(GGUFProjector(try Self.writer(soundKind: "lfm4a").file().metadata))
        #expect(unread.audioEncodingBytes == 0)
    }
}

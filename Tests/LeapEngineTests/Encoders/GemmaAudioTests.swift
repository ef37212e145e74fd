import Foundation
import LeapBase
import LeapDevices
import LeapGGUF
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Gemma 4's encoders of sound.
@Suite(.inTurns)
struct GemmaAudioTests {
    typealias Family = GemmaAudioFixture.Family

    private static func pass(_ family: Family, threads: Int = 1) throws -> GemmaAudioPass {
        GemmaAudioPass(try GemmaAudioFixture.encoder(family), kernels: try Kernels(threads: threads))
    }

    @Test("Spectra are those of numpy in double precision within 1e-5")
    func spectra() throws {
        for sound in try GemmaAudioFixture.load(.conformer).sounds {
            let found = GemmaAudioFixture.spectrum(sound.samples, .conformer)
            let (frames, expected) = (try #require(sound.frames), try #require(sound.spectrum))
            let largest = AudioFixture.difference(found.values, expected, rows: frames, length: found.bandCount)
            #expect(largest <= 1e-5, "\(sound.samples) samples: \(largest)")
        }
    }

    @Test(
        "Sounds' vectors are those of numpy in double precision within 1e-5 of the largest", arguments: Family.allCases,
        [1, 2])
    func vectors(family: Family, threads: Int) throws {
        let pass = try Self.pass(family, threads: threads)
        for sound in try GemmaAudioFixture.load(family).sounds {
            let spectrum = GemmaAudioFixture.spectrum(sound.samples, family)
            #expect(family.form.vectorCount(frames: spectrum.frameCount) == sound.count)
            let all = try #require(try pass.encode(spectrum))
            #expect(all.count == sound.count * 64)
            let largest = AudioFixture.difference(all, sound.vectors, rows: sound.rows, length: 64)
            let size = sound.vectors.map(abs).max() ?? 0
            #expect(largest <= 1e-5 * size, "\(sound.samples) samples: \(largest) of \(size)")
        }
    }

    @Test("Vectors do not depend on what was encoded before, on threads or on the length of the sound before")
    func oneArithmetic() throws {
        for family in Family.allCases {
            let spectra = [16_123, 300, 6401].map { GemmaAudioFixture.spectrum($0, family) }
            let alone = try spectra.map { try #require(try Self.pass(family).encode($0)) }
            let pass = try Self.pass(family, threads: 3)
            for index in spectra.indices.reversed() { #expect(try pass.encode(spectra[index]) == alone[index]) }
        }
    }

    @Test("Vectors of samples depend on their own frame alone, and silence gives zeros")
    func samples() throws {
        let pass = try Self.pass(.samples)
        let all = try #require(try pass.encode(GemmaAudioFixture.spectrum(1281, .samples)))
        let one = try #require(
            try pass.encode(GemmaAudioFixture.spectrum(Array(PatternAudio.samples(1281)[640..<1280]), .samples)))
        #expect(Array(all[64..<128]) == one)
        let silence = try pass.encode(GemmaAudioFixture.spectrum([Float](repeating: 0, count: 700), .samples))
        #expect(silence == [Float](repeating: 0, count: 2 * 64))
    }

    @Test("The Conformer's vectors do not depend on what comes later, but on what was before")
    func causal() throws {
        let pass = try Self.pass(.conformer)
        let whole = GemmaAudioFixture.spectrum(16_123, .conformer)
        let all = try #require(try pass.encode(whole))
        let part = AudioSpectrum(frameCount: 58, bandCount: 16, values: Array(whole.values.prefix(58 * 16)))
        let first = try #require(try pass.encode(part))
        // A vector is made of its four frames and those before; the last of these has two.
        #expect(first.count == 15 * 64 && Array(first.prefix(14 * 64)) == Array(all.prefix(14 * 64)))
        #expect(first.suffix(64) != all[14 * 64..<15 * 64])
        // What is heard before counts up to 11 positions by attention and 4 by convolution in each of two layers.
        let late = AudioSpectrum(frameCount: 92, bandCount: 16, values: Array(whole.values[8 * 16..<100 * 16]))
        let behind = try #require(try pass.encode(late))
        #expect(behind.count == 23 * 64)
        #expect(behind.prefix(64) != all[2 * 64..<3 * 64])
    }

    @Test("Positions that a layer no longer sees do not count")
    func window() throws {
        let pass = try Self.pass(.conformer)
        let whole = GemmaAudioFixture.spectrum(32_000, .conformer)
        let all = try #require(try pass.encode(whole))
        var changed = whole.values
        for index in 0..<16 { changed[index] += 1 }
        let other = try #require(
            try pass.encode(AudioSpectrum(frameCount: whole.frameCount, bandCount: 16, values: changed)))
        let count = all.count / 64
        let isSame = (0..<count).map { all[$0 * 64..<($0 + 1) * 64] == other[$0 * 64..<($0 + 1) * 64] }
        // The first frame is in the first vector, which two layers see for 2 · (11 + 4) positions.
        #expect(!isSame[0] && !isSame[20] && isSame[31...].allSatisfy { $0 })
    }

    @Test("Encoding stops between two layers and goes on from anew")
    func stopping() throws {
        let pass = try Self.pass(.conformer)
        let spectrum = GemmaAudioFixture.spectrum(8000, .conformer)
        let whole = try pass.encode(spectrum)
        for step in 0..<3 {
            var asked = 0
            let stopped = try pass.encode(spectrum) {
                asked += 1
                return asked <= step
            }
            #expect(stopped == nil && asked == step + 1)
        }
        #expect(try pass.encode(spectrum) == whole)
    }

    @Test("What fits counts for sound is at least what encoding 30 seconds takes", arguments: Family.allCases)
    func memory(family: Family) throws {
        let encoder = try GemmaAudioFixture.encoder(family)
        let facts = try #require(GGUFProjector(encoder.file.metadata))
        let memory = MemoryPool()
        let pass = GemmaAudioPass(encoder, kernels: try Kernels(threads: 2), memory: memory)
        let (frames, bands) = (family == .conformer ? 2999 : 750, family.form.bandCount)
        let values = [Float](repeating: 0.5, count: frames * bands)
        let all = try pass.encode(AudioSpectrum(frameCount: frames, bandCount: bands, values: values))
        #expect(all?.count == 750 * 64 && pass.holdsMemory)
        #expect(memory.used <= facts.audioEncodingBytes, "\(memory.used) of \(facts.audioEncodingBytes)")
        let small = GemmaAudioPass(encoder, kernels: try Kernels(threads: 1), memory: MemoryPool(limit: 1 << 16))
        let error = #expect(throws: EngineError.self) {
            try small.encode(AudioSpectrum(frameCount: frames, bandCount: bands, values: values))
        }
        #expect(error?.code == .outOfMemory && !small.holdsMemory)
    }

    @Test("The summary of a file tells what a vector of sound is made of")
    func summary() throws {
        for (family, text) in [
            (Family.conformer, "16 bands every 10 ms, 4 frames per vector"), (.samples, "640 samples per vector"),
        ] {
            let summary = GGUFSummary(try GemmaAudioFixture.encoder(family).file).text
            #expect(summary.contains(text), "\(summary)")
        }
    }

    // MARK: Prompts

    /// The places of a sound: none sees a later one.
    private static func places(_ count: Int) -> [TokenID] {
        (0..<count).map { PlaceToken.make(.grid, content: UInt32($0)) }
    }

    @Test("In a model whose pictures are seen as wholes, a sound is seen from behind, in pieces of any length")
    func prompt() async throws {
        let spectrum = GemmaAudioFixture.spectrum(16_123, .samples)
        let places = Self.places(spectrum.frameCount)
        var request = GenerationRequest(prompt: [2, 40, 41] + places + [50, 51], sampling: .greedy, maxTokens: 4)
        request.media = [MediaInput(positions: 3..<3 + places.count, medium: .audio) { .audio(spectrum) }]
        request.likelihoodAlternatives = 4
        var likelihoods: [[TokenLikelihood]] = []
        for chunk in [4096, 7] {
            var options = EngineOptions()
            options.threads = 2
            options.prefillChunk = chunk
            let engine = try Engine(
                model: try VisionFixture.model(.gemma4Large), encoders: [try GemmaAudioFixture.encoder(.samples)],
                options: options, devices: SystemDevices())
            for await event in engine.makeSession().events(request) {
                if case .finished(let result) = event { likelihoods.append(result.likelihoods) }
            }
        }
        #expect(likelihoods.count == 2 && likelihoods[0].count == 4 && likelihoods[0] == likelihoods[1])
    }

    // MARK: Files

    /// A fixture's file with other keys and tensors.
    ///
    /// - Parameter without: a name of a tensor that is left out.
    private static func writer(
        _ family: Family, keys: [(key: String, value: GGUFValue)] = [], without: String? = nil,
        renaming names: [String: String] = [:]
    ) throws -> GGUFWriter {
        let plain = try GemmaAudioFixture.encoder(family).file
        var writer = GGUFWriter(copyingMetadataOf: plain)
        for (key, value) in keys { writer.set(key, value) }
        for tensor in plain.tensors where tensor.name != without {
            if let name = names[tensor.name] {
                try writer.add(tensor: name, type: tensor.type, shape: tensor.shape, bytes: Array(tensor.data))
            } else {
                try writer.add(tensor)
            }
        }
        return writer
    }

    @Test("12B's file has both encoders, and sounds are refused for models of another architecture")
    func both() throws {
        let file = try GGUFFile.open(path: Fixture.folder.appendingPathComponent(Family.samples.rawValue).path)
        let encoders = try MediaEncoders.open(file)
        #expect(encoders.all.map(\.kind) == ["gemma4uv", "gemma4ua"] && encoders.unread.isEmpty)
        for family in Family.allCases {
            let encoder = try GemmaAudioFixture.encoder(family)
            #expect(encoder.spectrumForm == family.form && encoder.outputLength == 64)
            try encoder.validate(for: try VisionFixture.model(.gemma4Large))
            let error = #expect(throws: EngineError.self) { try encoder.validate(for: try VisionFixture.model()) }
            #expect(error?.code == .incompatibleModels && error?.field == "general.architecture")
        }
    }

    @Test("A file with encoders of gemma4v and gemma4a has both")
    func mixed() throws {
        let writer = try MixedProjector.writer(
            pictures: try VisionFixture.encoder(.gemma4).file, sounds: try GemmaAudioFixture.encoder(.conformer).file)
        let encoders = try MediaEncoders.open(try writer.file())
        #expect(encoders.all.map(\.kind) == ["gemma4v", "gemma4a"])
        let sounds = try #require(encoders[.audio] as? GemmaAudioEncoder)
        let spectrum = GemmaAudioFixture.spectrum(1600, .conformer)
        let found = try GemmaAudioPass(sounds, kernels: try Kernels(threads: 1)).encode(spectrum)
        #expect(try found == Self.pass(.conformer).encode(spectrum))
    }

    @Test("Keys that do not fit the tensors, or are not known, are refused by name")
    func refusedKeys() throws {
        let changes: [(family: Family, name: String, value: GGUFValue, field: String)] = [
            (.samples, "block_count", .uint32(1), "clip.audio.block_count"),
            (.samples, "embedding_length", .uint32(320), "mm.a.input_projection.weight"),
            (.samples, "embedding_length", .uint32(0), "clip.audio.embedding_length"),
            (.samples, "projection_dim", .uint32(32), "mm.a.input_projection.weight"),
            (.samples, "window_size", .uint32(8), "clip.audio.window_size"),
            (.conformer, "attention.head_count", .uint32(3), "clip.audio.attention.head_count"),
            (.conformer, "attention.head_count", .uint32(4), "a.blk.0.per_dim_scale.weight"),
            (.conformer, "num_mel_bins", .uint32(32), "a.input_projection.weight"),
            (.conformer, "num_mel_bins", .uint32(0), "clip.audio.num_mel_bins"),
            (.conformer, "block_count", .uint32(3), "a.blk.2."),
            (.conformer, "block_count", .uint32(1), "a.blk.1."),
            (.conformer, "chunk_size", .uint32(12), "clip.audio.chunk_size"),
        ]
        for change in changes {
            let file = try Self.writer(change.family, keys: [("clip.audio.\(change.name)", change.value)]).file()
            let error = #expect(throws: EngineError.self, "\(change.name)") { try GemmaAudioEncoder(file: file) }
            #expect(error?.field?.hasPrefix(change.field) == true, "\(change.name): \(error?.field ?? "")")
        }
    }

    @Test(
        "A missing tensor is named",
        arguments: [
            "a.conv1d.0.norm.weight", "a.conv1d.1.weight", "a.input_projection.weight", "a.blk.1.conv_norm.weight",
            "a.blk.0.attn_k_rel.weight", "a.blk.0.per_dim_scale.weight", "a.blk.1.ffn_post_norm_1.weight",
            "a.pre_encode.out.weight", "mm.a.input_projection.weight",
        ])
    func missing(name: String) throws {
        let file = try Self.writer(.conformer, without: name).file()
        let error = #expect(throws: EngineError.self) { try GemmaAudioEncoder(file: file) }
        #expect(error?.code == .missingTensor && error?.field == name)
    }

    @Test("Other names of the same tensors give the same vectors, and the file's epsilon is passed over")
    func names() throws {
        let spectrum = GemmaAudioFixture.spectrum(6401, .conformer)
        let expected = try Self.pass(.conformer).encode(spectrum)
        let file = try Self.writer(
            .conformer, keys: [("clip.audio.attention.layer_norm_epsilon", .float32(0.1))],
            renaming: [
                "a.blk.0.attn_pre_norm.weight": "a.blk.0.ln1.weight",
                "a.blk.1.per_dim_scale.weight": "a.blk.1.per_dim_scale",
            ]
        ).file()
        let pass = GemmaAudioPass(try GemmaAudioEncoder(file: file), kernels: try Kernels(threads: 1))
        #expect(try pass.encode(spectrum) == expected)
    }

    @Test(
        "What is optional counts where it is there",
        arguments: [
            "a.conv1d.1.bias", "a.blk.1.per_dim_k_scale.weight", "mm.a.soft_emb_norm.weight", "a.pre_encode.out.bias",
            "a.blk.0.attn_q.input_max", "a.blk.1.ffn_down_1.output_min", "mm.a.input_projection.output_max",
        ])
    func optional(name: String) throws {
        let spectrum = GemmaAudioFixture.spectrum(6401, .conformer)
        let file = try Self.writer(.conformer, without: name).file()
        let pass = GemmaAudioPass(try GemmaAudioEncoder(file: file), kernels: try Kernels(threads: 1))
        #expect(try pass.encode(spectrum) != Self.pass(.conformer).encode(spectrum))
    }
}

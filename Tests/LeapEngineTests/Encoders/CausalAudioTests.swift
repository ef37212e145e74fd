import Foundation
import LeapAudio
import LeapBase
import LeapGGUF
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// LFM3-Audio's encoder of sound.
@Suite(.inTurns)
struct CausalAudioTests {
    private static func pass(threads: Int = 1, memory: MemoryPool = MemoryPool()) throws -> AudioPass {
        AudioPass(try AudioFixture.encoder(.lfm3), kernels: try Kernels(threads: threads), memory: memory)
    }

    @Test("Spectra are those of numpy in double precision within 1e-5")
    func spectra() throws {
        for sound in try AudioFixture.load(.lfm3).sounds {
            let found = AudioFixture.spectrum(sound.samples, .lfm3)
            let largest = AudioFixture.difference(
                found.values, sound.spectrum, rows: sound.frames, length: found.bandCount)
            #expect(largest <= 1e-5, "\(sound.samples) samples: \(largest)")
        }
    }

    @Test(
        "Sounds' vectors are those of numpy in double precision within 1e-5 of the largest, behind the encoder and the adapter",
        arguments: [1, 2])
    func vectors(threads: Int) throws {
        let encoder = try AudioFixture.encoder(.lfm3)
        let pass = try Self.pass(threads: threads)
        for sound in try AudioFixture.load(.lfm3).sounds {
            let spectrum = AudioFixture.spectrum(sound.samples, .lfm3)
            #expect(spectrum.vectorCount == sound.count)
            let encoded = try #require(try pass.encodeWithoutAdapter(spectrum))
            let all = try #require(try pass.encode(spectrum))
            for (name, found, expected) in [("encoder", encoded, sound.encoded), ("adapter", all, sound.vectors)] {
                let length = name == "encoder" ? encoder.length : encoder.outputLength
                #expect(found.count == sound.count * length)
                let largest = AudioFixture.difference(found, expected, rows: sound.rows, length: length)
                let size = expected.map(abs).max() ?? 0
                #expect(largest <= 1e-5 * size, "\(sound.samples) samples: \(largest) of \(size) behind the \(name)")
            }
        }
    }

    // MARK: Pieces

    /// The vectors of a sound's frames that come in pieces of some lengths, in turn.
    private static func vectors(_ spectrum: AudioSpectrum, pieces: [Int], _ pass: AudioPass) throws -> [Float] {
        let state = pass.makeState()
        var vectors: [Float] = []
        var (start, index) = (0, 0)
        while start < spectrum.frameCount {
            let end = min(spectrum.frameCount, start + pieces[index % pieces.count])
            vectors += try pass.encode(
                AudioSpectrum(
                    frameCount: end - start, bandCount: spectrum.bandCount,
                    values: Array(spectrum.values[start * spectrum.bandCount..<end * spectrum.bandCount])),
                isLast: end == spectrum.frameCount, of: state)
            (start, index) = (end, index + 1)
        }
        #expect(state.isFinished)
        return vectors
    }

    @Test(
        "Frames that come in pieces of 80, 160 and 400 ms, or of any length, give the bits of the whole sound",
        arguments: [[8], [16], [40], [1], [7, 9], [8, 1, 31], [520, 3], [600]], [1600, 16_123, 160_000])
    func pieces(_ pieces: [Int], samples: Int) throws {
        let spectrum = AudioFixture.spectrum(samples, .lfm3)
        let whole = try #require(try Self.pass().encode(spectrum))
        #expect(try Self.vectors(spectrum, pieces: pieces, Self.pass(threads: 2)) == whole)
    }

    @Test("Samples that come in pieces give the bits of the whole sound", arguments: [1280, 2560, 6400, 999, 12_345])
    func samples(piece: Int) throws {
        let samples = PatternAudio.samples(40_000)
        let pass = try Self.pass()
        let whole = try #require(try pass.encode(AudioFixture.spectrum(samples.count, .lfm3)))
        var builder = MelSpectrumBuilder(
            sampleRate: MelSpectrum.sampleRate, form: AudioFixture.Family.lfm3.form)
        let state = pass.makeState()
        var vectors: [Float] = []
        for start in stride(from: 0, to: samples.count, by: piece) {
            let end = min(samples.count, start + piece)
            builder.append(samples[start..<end])
            vectors += try pass.encode(AudioSpectrum(builder.takeFrames()), isLast: false, of: state)
            // A vector is there with its last frame, of which each has 400 samples.
            let frames = end < 400 ? 0 : (end - 400) / 160 + 1
            #expect(vectors.count == frames / 8 * 64)
        }
        vectors += try pass.encode(AudioSpectrum(builder.finish()), isLast: true, of: state)
        #expect(vectors == whole)
    }

    @Test("Two sounds whose pieces alternate do not disturb each other, nor a whole sound between them")
    func alternating() throws {
        let pass = try Self.pass()
        let spectra = [AudioFixture.spectrum(16_123, .lfm3), AudioFixture.spectrum(20_000, .lfm3)]
        let whole = try spectra.map { try #require(try pass.encode($0)) }
        let states = spectra.map { _ in pass.makeState() }
        var vectors: [[Float]] = [[], []]
        for start in stride(from: 0, to: 136, by: 8) {
            for (index, spectrum) in spectra.enumerated() where start < spectrum.frameCount {
                let end = min(spectrum.frameCount, start + 8)
                let piece = AudioSpectrum(
                    frameCount: end - start, bandCount: 16, values: Array(spectrum.values[start * 16..<end * 16]))
                vectors[index] += try pass.encode(piece, isLast: end == spectrum.frameCount, of: states[index])
            }
            #expect(try pass.encode(spectra[0]) == whole[0])
        }
        #expect(vectors == whole)
    }

    @Test("A sound may end without further frames, with some that wait for a vector or none")
    func end() throws {
        let pass = try Self.pass()
        for frames in [8, 13] {
            let values = AudioFixture.spectrum(16_123, .lfm3).values.prefix(frames * 16)
            let spectrum = AudioSpectrum(frameCount: frames, bandCount: 16, values: Array(values))
            let state = pass.makeState()
            let first = try pass.encode(spectrum, isLast: false, of: state)
            #expect(first.count == 64 && !state.isFinished)
            let empty = AudioSpectrum(frameCount: 0, bandCount: 16, values: [])
            let rest = try pass.encode(empty, isLast: true, of: state)
            #expect(try pass.encode(spectrum) == first + rest)
        }
    }

    @Test("Four minutes of sound take no more memory to encode than one, beside their vectors")
    func memory() throws {
        let memory = MemoryPool()
        let pass = try Self.pass(memory: memory)
        let state = pass.makeState()
        let minute = AudioSpectrum(
            frameCount: 6000, bandCount: 16, values: (0..<6000 * 16).map { Float($0 * 37 % 101) / 50 - 1 })
        var used: [Int] = []
        for _ in 0..<4 {
            _ = try pass.encode(minute, isLast: false, of: state)
            used.append(memory.used)
        }
        // The table of the pages' addresses grows, and the first page stays.
        #expect(used[3] - used[0] <= 16 << 10, "\(used)")
        let small = MemoryPool(limit: 1 << 16)
        let other = try Self.pass(memory: small)
        let error = #expect(throws: EngineError.self) { try other.encode(minute) }
        #expect(error?.code == .outOfMemory)
        #expect(!other.holdsMemory)
    }

    @Test("Another kind of encoder has no state of a sound's beginning")
    func otherKind() throws {
        let pass = AudioPass(try AudioFixture.encoder(), kernels: try Kernels(threads: 1))
        let spectrum = AudioFixture.spectrum(1600)
        #expect(throws: EngineError.self) { try pass.encode(spectrum, isLast: true, of: pass.makeState()) }
    }

    // MARK: Files

    /// The fixture's file with other keys and tensors.
    ///
    /// - Parameter without: a name of a tensor that is left out.
    private static func writer(
        keys: [(key: String, value: GGUFValue?)] = [], without: String? = nil
    ) throws -> GGUFWriter {
        let plain = try AudioFixture.encoder(.lfm3).file
        var writer = GGUFWriter()
        for (key, value) in plain.metadata.pairs where !keys.contains(where: { $0.key == key }) {
            writer.set(key, value)
        }
        for (key, value) in keys { if let value { writer.set(key, value) } }
        for tensor in plain.tensors where tensor.name != without { try writer.add(tensor) }
        return writer
    }

    @Test("The description is that of the file: layers by their tensors, window, heads and bands")
    func description() throws {
        let encoder = try AudioFixture.encoder(.lfm3)
        guard case .causal(let layers) = encoder.layers else { throw EngineError(.invalidTensor, "other layers") }
        #expect(encoder.kind == "lfm3a" && encoder.form == .scaled(bands: 16) && encoder.outputLength == 64)
        #expect(layers.window == 8 && layers.stack.isCausal)
        let isConvolution = layers.stack.layers.map { layer in
            if case .shortConvolution? = layer.mixer { true } else { false }
        }
        #expect(isConvolution == [true, true, false, true, false, false])
        let blocks = layers.stack.layers.compactMap(\.mixer?.attention)
        #expect(blocks.map(\.cacheIndex) == [0, 1, 2])
        let hasShape = blocks.allSatisfy {
            $0.heads == 4 && $0.keyValueHeads == 2 && $0.headDimension == 16 && $0.window == 8
        }
        #expect(hasShape)
    }

    @Test("Keys that do not fit the tensors, or are missing, are refused by name")
    func refusedKeys() throws {
        let changes: [(name: String, value: GGUFValue?, field: String)] = [
            ("attention.head_count_kv", .uint32(4), "a.blk.2.attn_k.weight"),
            ("attention.head_count", .uint32(3), "clip.audio.attention.head_count"),
            ("attention.head_count", .uint32(64), "clip.audio.attention.head_count"),
            ("window_size", nil, "clip.audio.window_size"), ("window_size", .uint32(0), "clip.audio.window_size"),
            ("feed_forward_length", .uint32(64), "a.blk.0.ffn_gate.weight"),
            ("num_mel_bins", .uint32(24), "a.pre_encode.out.weight"),
            ("num_mel_bins", .uint32(1024), "clip.audio.num_mel_bins"),
            ("block_count", .uint32(7), "a.blk.6.attn_q.weight"), ("block_count", .uint32(5), "a.blk.5."),
            ("projection_dim", .uint32(32), "mm.a.mlp.3.weight"),
            ("conv_kernel_size", .uint32(3), "clip.audio.conv_kernel_size"),
        ]
        for change in changes {
            let file = try Self.writer(keys: [("clip.audio.\(change.name)", change.value)]).file()
            let error = #expect(throws: EngineError.self, "\(change.name)") { try AudioEncoder(file: file) }
            #expect(error?.field?.hasPrefix(change.field) == true, "\(change.name): \(error?.field ?? "")")
        }
    }

    @Test(
        "A missing tensor is named, and the names that the file has for sound are listed",
        arguments: ["a.blk.2.attn_out.weight", "a.blk.4.attn_q_norm.weight", "a.post_ln.weight", "mm.a.mlp.3.weight"])
    func missing(name: String) throws {
        var writer = try Self.writer(without: name)
        try writer.add(tensor: "v.patch_embd.weight", shape: [4], floats: [1, 2, 3, 4])
        try writer.add(tensor: "a.gen.code.mask_embd", shape: [4], floats: [1, 2, 3, 4])
        let file = try writer.file()
        let error = try #require(throws: EngineError.self) { try AudioEncoder(file: file) }
        #expect(error.code == .missingTensor && error.field == name)
        #expect(error.message.contains("\na.blk.N.conv_dw.weight [3, 64] in layers 0, 1, 3"))
        #expect(!error.message.contains("\nv.") && !error.message.contains("\na.gen."))
    }

    @Test("What sound does not know is refused, and tensors of pictures and of a generator are not looked at")
    func unknownTensors() throws {
        for name in ["a.blk.0.attn_gate.weight", "a.other", "mm.a.mlp.1.gate"] {
            var writer = try Self.writer()
            try writer.add(tensor: name, shape: [4], floats: [1, 2, 3, 4])
            let file = try writer.file()
            let error = #expect(throws: EngineError.self) { try AudioEncoder(file: file) }
            #expect(error?.field == name)
        }
        var writer = try Self.writer()
        for name in ["v.blk.0.other.weight", "mm.9.weight", "a.gen.code.mask_embd", "a.gen.wav.tfm.blk.0.ln1.weight"] {
            try writer.add(tensor: name, shape: [4], floats: [1, 2, 3, 4])
        }
        let file = try writer.file()
        #expect(try MediaEncoders.open(file).all.map(\.kind) == ["lfm3a"])
    }

    @Test("LFM3-Omni's file has both encoders, and a model of other vectors refuses the one of sound")
    func omni() throws {
        var writer = try MixedProjector.writer(
            pictures: try VisionFixture.encoder(.lfm3).file, sounds: try AudioFixture.encoder(.lfm3).file,
            pictureKind: "lfm3vl")
        writer.set("clip.has_gen_audio_encoder", true)
        writer.set("clip.gen.audio.projector_type", "lfm3a_gen")
        try writer.add(tensor: "a.gen.code.mask_embd", shape: [4], floats: [1, 2, 3, 4])
        let encoders = try MediaEncoders.open(try writer.file())
        #expect(encoders.all.map(\.kind) == ["lfm3vl", "lfm3a"] && encoders.unread.isEmpty)
        let sounds = try #require(encoders[.audio] as? AudioEncoder)
        let spectrum = AudioFixture.spectrum(1600, .lfm3)
        let found = try AudioPass(sounds, kernels: try Kernels(threads: 1)).encode(spectrum)
        #expect(try found == Self.pass().encode(spectrum))
        let other = try Model.load(path: Fixture.folder.appendingPathComponent("qwen3-odd-heads.gguf").path)
        let error = #expect(throws: EngineError.self) { try sounds.validate(for: other) }
        #expect(error?.field == "clip.audio.projection_dim")
    }
}

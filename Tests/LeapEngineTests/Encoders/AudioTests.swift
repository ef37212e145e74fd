import Foundation
import LeapBase
import LeapGGUF
import LeapTestTraits
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

@Suite(.inTurns)
struct AudioTests {
    @Test(
        "Sounds' vectors are those of liquid-audio within 5e-4, behind the encoder and the adapter", arguments: [1, 2])
    func vectors(threads: Int) throws {
        let encoder = try AudioFixture.encoder()
        let pass = AudioPass(encoder, kernels: try Kernels(threads: threads))
        for sound in try AudioFixture.load().sounds {
            let spectrum = AudioFixture.spectrum(sound.samples)
            #expect(spectrum.vectorCount == sound.count)
            let encoded = try #require(try pass.encodeWithoutAdapter(spectrum))
            #expect(encoded.count == sound.count * encoder.length)
            let first = AudioFixture.difference(encoded, sound.encoded, rows: sound.rows, length: encoder.length)
            #expect(first <= 5e-4, "\(sound.samples) samples: \(first) behind the encoder")
            let all = try #require(try pass.encode(spectrum))
            #expect(all.count == sound.count * encoder.outputLength)
            let second = AudioFixture.difference(all, sound.vectors, rows: sound.rows, length: encoder.outputLength)
            #expect(second <= 5e-4, "\(sound.samples) samples: \(second) behind the adapter")
        }
    }

    @Test(
        "A sound's vectors do not depend on what was encoded before or on threads",
        arguments: AudioFixture.Family.allCases)
    func oneArithmetic(family: AudioFixture.Family) throws {
        let encoder = try AudioFixture.encoder(family)
        let spectra = [1600, 16_123, 20_000].map { AudioFixture.spectrum($0, family) }
        let first = AudioPass(encoder, kernels: try Kernels(threads: 1))
        let alone = try spectra.map { try #require(try first.encode($0)) }
        let second = AudioPass(encoder, kernels: try Kernels(threads: 3))
        for index in spectra.indices.reversed() {
            #expect(try second.encode(spectra[index]) == alone[index])
        }
    }

    @Test(
        "Vectors of any number of frames are finite, and as many as are said", arguments: [1, 2, 7, 8, 9, 16, 17, 130],
        AudioFixture.Family.allCases)
    func lengths(frames: Int, family: AudioFixture.Family) throws {
        let encoder = try AudioFixture.encoder(family)
        let pass = AudioPass(encoder, kernels: try Kernels(threads: 1))
        let bands = family.form.bandCount
        let values = (0..<frames * bands).map { Float($0 * 37 % 101) / 50 - 1 }
        let found = try #require(
            try pass.encode(AudioSpectrum(frameCount: frames, bandCount: bands, values: values)))
        #expect(found.count == (frames + 7) / 8 * encoder.outputLength)
        let isFinite = found.allSatisfy { $0.isFinite }
        #expect(isFinite)
    }

    @Test("Encoding stops between two layers and goes on from anew", arguments: AudioFixture.Family.allCases)
    func stopping(family: AudioFixture.Family) throws {
        let pass = AudioPass(try AudioFixture.encoder(family), kernels: try Kernels(threads: 1))
        let spectrum = AudioFixture.spectrum(8000, family)
        let whole = try pass.encode(spectrum)
        for layer in 0..<3 {
            var asked = 0
            let stopped = try pass.encode(spectrum) {
                asked += 1
                return asked <= layer
            }
            #expect(stopped == nil)
            #expect(asked == layer + 1)
        }
        #expect(try pass.encode(spectrum) == whole)
    }

    @Test("A sound that memory is too small for is refused, and the next one is encoded")
    func memory() throws {
        let memory = MemoryPool(limit: 1 << 20)
        let pass = AudioPass(try AudioFixture.encoder(), kernels: try Kernels(threads: 1), memory: memory)
        let error = #expect(throws: EngineError.self) { try pass.encode(AudioFixture.spectrum(193_000)) }
        #expect(error?.code == .outOfMemory)
        #expect(!pass.holdsMemory)
        #expect(memory.used == 0)
        #expect(try pass.encode(AudioFixture.spectrum(1600)) != nil)
        pass.releaseMemory()
        #expect(memory.used == 0)
    }

    @Test(
        "What fits counts for a minute of sound is at least what encoding it takes",
        arguments: AudioFixture.Family.allCases)
    func counted(family: AudioFixture.Family) throws {
        let encoder = try AudioFixture.encoder(family)
        let facts = try #require(GGUFProjector(encoder.file.metadata))
        let memory = MemoryPool()
        let pass = AudioPass(encoder, kernels: try Kernels(threads: 1), memory: memory)
        let bands = family.form.bandCount
        let values = [Float](repeating: 0.5, count: 6001 * bands)
        _ = try pass.encode(AudioSpectrum(frameCount: 6001, bandCount: bands, values: values))
        #expect(pass.holdsMemory)
        #expect(facts.audioEncodingBytes > 0)
        #expect(memory.used <= facts.audioEncodingBytes, "\(memory.used) of \(facts.audioEncodingBytes)")
    }

    @Test("An encoder is refused that is for another model, of another kind, or damaged")
    func refused() throws {
        let encoder = try AudioFixture.encoder()
        let other = try Model.load(path: Fixture.folder.appendingPathComponent("qwen3-odd-heads.gguf").path)
        let mismatch = #expect(throws: EngineError.self) { try Engine(model: other, encoder: encoder) }
        #expect(mismatch?.code == .incompatibleModels)
        #expect(mismatch?.field == "clip.audio.projection_dim")
        let vision = VisionFixture.folder.appendingPathComponent("mmproj-vision.gguf").path
        let error = #expect(throws: EngineError.self) { try AudioEncoder.load(path: vision) }
        #expect(error?.field == "clip.projector_type")

        let file = try Data(contentsOf: Fixture.folder.appendingPathComponent(AudioFixture.Family.lfm2.rawValue))
        for (name, value) in [
            ("num_mel_bins", 80), ("block_count", 3), ("block_count", 0), ("attention.head_count", 3),
            ("embedding_length", 64), ("projection_dim", 32),
        ] {
            var bytes = file
            let place = try #require(bytes.range(of: Data("clip.audio.\(name)".utf8))).upperBound + 4
            bytes.replaceSubrange(place..<place + 4, with: withUnsafeBytes(of: UInt32(value)) { Data($0) })
            let error = #expect(throws: EngineError.self, "\(name) \(value)") {
                try AudioEncoder(file: try GGUFFile.parse(bytes: [UInt8](bytes)))
            }
            #expect(error?.field != nil)
        }
    }

    @Test("A file is opened as what it holds")
    func opens() throws {
        let sound = try GGUFFile.open(
            path: Fixture.folder.appendingPathComponent(AudioFixture.Family.lfm2.rawValue).path)
        #expect(try MediaEncoders.open(sound).all.map(\.medium) == [.audio])
        let picture = try GGUFFile.open(path: VisionFixture.folder.appendingPathComponent("mmproj-vision.gguf").path)
        #expect(try MediaEncoders.open(picture).all.map(\.medium) == [.image])
    }
}

import Foundation
import LeapGGUF
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

@Suite(.inTurns)
struct SpeechDecoderTests {
    private static func load(_ vocoder: MadeVocoder, _ change: (inout [MadeVocoder.Tensor]) -> Void = { _ in }) throws
        -> SpeechDecoder
    {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("vocoder-\(UUID().uuidString).gguf")
            .path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try vocoder.write(to: path, change: change)
        return try SpeechDecoder.load(path: path)
    }

    /// Sizes as small as they may be.
    private static var small: MadeVocoder {
        var vocoder = MadeVocoder()
        (vocoder.input, vocoder.depth, vocoder.depthInner, vocoder.depthLayers) = (8, 16, 8, 1)
        (vocoder.length, vocoder.inner, vocoder.attention) = (8, 8, [false, true])
        vocoder.isZero = true
        return vocoder
    }

    @Test("A file without a tensor, or with one of another shape, is refused with the tensor's name")
    func shapes() throws {
        _ = try Self.load(Self.small)
        for tensor in Self.small.tensors.map(\.name) + ["istft.window"] {
            var vocoder = Self.small
            vocoder.omitted = [tensor]
            let error = #expect(throws: EngineError.self, "\(tensor)") { try Self.load(vocoder) }
            #expect(error?.field != nil, "\(tensor)")
        }
        for (index, tensor) in Self.small.tensors.enumerated() {
            let error = #expect(throws: EngineError.self, "\(tensor.name)") {
                try Self.load(Self.small) { $0[index].shape[$0[index].shape.count - 1] += 1 }
            }
            #expect(error?.field != nil, "\(tensor.name)")
        }
    }

    @Test("A scale of a table whose rows are looked up is refused by its name")
    func scaledTables() throws {
        for name in ["emb.emb", "audio_embedding.embedding", "depth_embeddings.3.embedding"] {
            let error = #expect(throws: EngineError.self, "\(name)") {
                try Self.load(Self.small) { $0.append((name + ".scale", [1], nil)) }
            }
            // No number of a file whose weights are zero is 1.
            #expect(error?.code == .invalidTensor && error?.field == name + ".scale")
        }
        _ = try Self.load(Self.small) { $0.append(("depth_linear.scale", [1], nil)) }
    }

    @Test("A file is described by its tensors, and what fits counts for speech is at least what speaking takes")
    func described() throws {
        let decoder = try SpeechFixture.decoder()
        func facts(_ file: GGUFFile) -> GGUFSpeechDecoder? {
            GGUFSpeechDecoder(file.tensors.lazy.map { ($0.name, $0.shape) })
        }
        let described = try #require(facts(decoder.file))
        #expect(described.inputLength == 64 && described.codeLength == 64 && described.audioLength == 64)
        #expect(described.codeLayerCount == 2 && described.audioLayerCount == 6)
        #expect(
            described.codebookCount == SpeechForm.lfm2Audio.codebookCount
                && described.codeCount == SpeechForm.lfm2Audio.codeCount)
        #expect(facts(try VisionFixture.model().file) == nil)

        let memory = MemoryPool()
        let pass = SpeechPass(decoder, kernels: try Kernels(threads: 1), memory: memory)
        let sound = pass.makeAudioState()
        // More positions than two pages hold.
        for index in 0..<30 {
            let vector = (0..<64).map { Float(($0 + index) % 7) / 7 - 0.5 }
            let frames = try pass.frames(vector) { _, _, logits in logits.indices.first }
            let frame = try #require(frames[0])
            _ = try pass.spectra([(sound, frame)])
        }
        #expect(sound.count == 30 * CodeDecoder.spectraPerFrame)
        #expect(memory.used > 1000)
        #expect(memory.used <= described.passBytes, "\(memory.used) of \(described.passBytes)")
        #expect(described.speakingBytes > described.passBytes + 60 * SpeechDecoder.sampleRate * 4)
    }

    @Test("Shapes that no file should have are no trap")
    func oddShapes() {
        for shape in [[], [0], [-1, .min], [.max, .max, .max]] as [[Int]] {
            let names = Self.small.tensors.map(\.name)
            let described = GGUFSpeechDecoder(names.map { (name: $0, shape: shape) })
            #expect((described?.speakingBytes ?? -1) >= 0)
        }
    }

    @Test("A decoder of another model is refused, and so is a file that is none")
    func otherModel() throws {
        var wide = Self.small
        wide.input = 96
        let decoder = try Self.load(wide)
        let error = #expect(throws: EngineError.self) {
            try Engine(model: try VisionFixture.model(), speech: decoder)
        }
        #expect(error?.code == .incompatibleModels)
        #expect(throws: EngineError.self) { try SpeechDecoder.load(path: Fixture.path("lfm2")) }
    }
}

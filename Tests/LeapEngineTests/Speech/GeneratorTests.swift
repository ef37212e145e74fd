import LeapGGUF
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Codes that are written in passes (LFM3-Audio).
@Suite(.inTurns)
struct GeneratorTests {
    @Test("Logits of each pass, greedy codes and the vector of the frame are numpy's, in any order of codebooks")
    func parity() throws {
        let fixture = try GeneratorFixture.load()
        let pass = try GeneratorFixture.pass()
        for (hidden, expected) in zip(fixture.hidden, fixture.frames) {
            var logits: [Float] = []
            let frames = try pass.frames(hidden, order: { _ in expected.order }) { _, _, values in
                logits += values.prefix(8)
                return values.indices.max { values[$0] < values[$1] }
            }
            let frame = try #require(frames[0])
            #expect(frame.codes == expected.codes)
            // Relative to the largest.
            let largest = expected.logits.map(abs).max() ?? 1
            #expect(distance(logits, expected.logits) < 1e-5 * max(1, largest))
            var vector = [Float](repeating: 0, count: pass.decoder.inputLength)
            pass.embed(frame, into: &vector)
            #expect(distance(vector, expected.feedback) < 2e-6)
        }
    }

    @Test("The vector of a frame is the sum of its codes' rows, in their order")
    func feedback() throws {
        let pass = try GeneratorFixture.pass()
        let decoder = pass.decoder
        let frame = try #require(SpeechFrame(codes: (0..<12).map { UInt16(2016 - 167 * $0) }))
        #expect(frame.isEnd)
        var vector = [Float](repeating: 0, count: decoder.inputLength)
        pass.embed(frame, into: &vector)
        var expected = [Float](repeating: 0, count: decoder.inputLength)
        var row = expected
        for (codebook, code) in frame.codes.enumerated() {
            WeightMatrix(decoder.feedback).read(row: codebook * 2017 + Int(code), into: &row)
            for index in row.indices { expected[index] += row[index] }
        }
        #expect(vector == expected)
    }

    @Test("One end among the codes makes a frame the end, with its codes, and the codec takes no such frame")
    func end() throws {
        let fixture = try GeneratorFixture.load()
        let pass = try GeneratorFixture.pass()
        let expected = fixture.frames[fixture.end]
        let frames = try pass.frames(
            fixture.hidden[fixture.end], order: { _ in expected.order }, draw: GeneratorFixture.greedy)
        let frame = try #require(frames[0])
        #expect(frame.isEnd && frame.codes == expected.codes && frame != SpeechForm.lfm3Audio.end)
        let error = #expect(throws: EngineError.self) { try pass.spectra([(pass.makeAudioState(), frame)]) }
        #expect(error?.code == .tokenOutOfRange)
    }

    @Test("Frames of several generations written together are those that each has alone, in orders of their own")
    func together() throws {
        let fixture = try GeneratorFixture.load()
        let pass = try GeneratorFixture.pass(threads: 2)
        let orders = fixture.frames.map(\.order)
        var alone: [SpeechFrame?] = []
        for (hidden, order) in zip(fixture.hidden, orders) {
            alone += try pass.frames(hidden, order: { _ in order }, draw: GeneratorFixture.greedy)
        }
        let together = try pass.frames(
            fixture.hidden.flatMap { $0 }, order: { orders[$0] }, draw: GeneratorFixture.greedy)
        #expect(together == alone)
        var bits: [[UInt32]] = [[], []]
        for (index, all) in [fixture.hidden[0], fixture.hidden[0] + fixture.hidden[1]].enumerated() {
            _ = try pass.frames(all, order: { orders[$0] }) { generation, codebook, values in
                if generation == 0 { bits[index] += values.map(\.bitPattern) }
                return codebook
            }
        }
        #expect(bits[0] == bits[1])
    }

    @Test("Where no code can be drawn for one generation, the others go on")
    func nothingDrawn() throws {
        let fixture = try GeneratorFixture.load()
        let pass = try GeneratorFixture.pass()
        let order = fixture.frames[0].order
        let frames = try pass.frames(fixture.hidden[0] + fixture.hidden[0], order: { _ in order }) {
            generation, codebook, values in
            generation == 0 && codebook == 5 ? nil : GeneratorFixture.greedy(generation, codebook, values)
        }
        #expect(frames[0] == nil)
        #expect(frames[1]?.codes == fixture.frames[0].codes)
    }

    // MARK: Files

    @Test("Other names and shapes of the tables, and layers without norms behind their blocks, are read too")
    func otherNames() throws {
        var generator = MadeGenerator()
        generator.isFlat = true
        generator.renamed = ["a.gen.code.mask_embd.weight": "a.gen.code.mask_embd"]
        for layer in 0..<generator.depthLayers {
            generator.renamed["a.gen.code.blk.\(layer).attn_post_norm.weight"] =
                "a.gen.code.blk.\(layer).post_attention_norm.weight"
        }
        let decoder = try GeneratorFixture.decoder(generator)
        let fixture = try GeneratorFixture.load()
        let pass = SpeechPass(decoder, kernels: try Kernels(threads: 1), memory: MemoryPool())
        let frames = try pass.frames(fixture.hidden[0], draw: GeneratorFixture.greedy)
        #expect(frames[0]?.codes == fixture.frames[0].codes)
        (generator.hasPostNorms, generator.isZero) = (false, true)
        let plain = try GeneratorFixture.decoder(generator)
        #expect(plain.depth.stack.layers.allSatisfy { $0.mixerPostNorm == nil && $0.feedForwardPostNorm == nil })
    }

    @Test("A file without a tensor is refused with the names of the generator's tensors that it has")
    func missing() throws {
        for name in [
            "a.gen.code.mask_embd.weight", "a.gen.code.head.weight", "a.gen.code.proj_in.bias",
            "a.gen.code.blk.1.attn_q_norm.weight", "a.gen.wav.tfm.in_proj.weight",
        ] {
            var generator = MadeGenerator.zero
            generator.omitted = [name]
            let error = #expect(throws: EngineError.self, "\(name)") { try GeneratorFixture.decoder(generator) }
            #expect(error?.code == .missingTensor, "\(name)")
            #expect(error?.message.contains("the file has:") == true, "\(name)")
        }
    }

    @Test("A generator of another kind, an unknown tensor and an unknown key are refused; encoders stay usable")
    func refused() throws {
        var other = MadeGenerator.zero
        other.kind = "qwen3tts_gen"
        let kind = #expect(throws: EngineError.self) { try GeneratorFixture.decoder(other) }
        #expect(kind?.code == .unsupportedArchitecture && kind?.field == "clip.gen.audio.projector_type")
        var writer = GGUFWriter()
        writer.set("general.architecture", "clip")
        try MadeGenerator.zero.add(to: &writer)
        var extended = writer
        try extended.add(tensor: "a.gen.code.other.weight", shape: [4], floats: [1, 2, 3, 4])
        let tensor = try extended.file()
        #expect(
            #expect(throws: EngineError.self) { try SpeechDecoder(file: tensor) }?.field == "a.gen.code.other.weight")
        writer.set("clip.gen.audio.mystery", .uint32(1))
        let key = try writer.file()
        #expect(#expect(throws: EngineError.self) { try SpeechDecoder(file: key) }?.field == "clip.gen.audio.mystery")
        // The encoder of sound beside it.
        let encoder = try AudioFixture.encoder(.lfm3).file
        var mixed = GGUFWriter()
        for (key, value) in encoder.metadata.pairs { mixed.set(key, value) }
        for tensor in encoder.tensors { try mixed.add(tensor) }
        try MadeGenerator.zero.add(to: &mixed)
        let file = try mixed.file()
        #expect(try MediaEncoders.open(file).all.map(\.kind) == ["lfm3a"])
        #expect(try SpeechDecoder.generator(of: file)?.form == .lfm3Audio)
        #expect(try SpeechDecoder.generator(of: encoder) == nil)
    }

    @Test("A decoder of another model is refused with the key that tells")
    func otherModel() throws {
        var generator = MadeGenerator.zero
        generator.input = 96
        let decoder = try GeneratorFixture.decoder(generator)
        let error = #expect(throws: EngineError.self) {
            try Engine(model: try VisionFixture.model(), speech: decoder)
        }
        #expect(error?.code == .incompatibleModels && error?.field == "clip.gen.audio.projection_dim")
    }

    @Test("A scale of the tables of codes is refused by its name")
    func scaledTables() throws {
        for name in ["a.gen.code.out_embd.scale", "a.gen.code.head.scale"] {
            var writer = GGUFWriter()
            writer.set("general.architecture", "clip")
            try MadeGenerator.zero.add(to: &writer)
            try writer.add(tensor: name, shape: [1], floats: [2])
            let file = try writer.file()
            let error = #expect(throws: EngineError.self) { try SpeechDecoder(file: file) }
            #expect(error?.field == name)
        }
    }

    @Test("What fits counts for speech is at least what speaking takes")
    func described() throws {
        let decoder = try GeneratorFixture.decoder()
        let described = try #require(GGUFSpeechDecoder(decoder.file.tensors.lazy.map { ($0.name, $0.shape) }))
        #expect(described.inputLength == 64 && described.codeLength == 32 && described.audioLength == 64)
        #expect(described.codeLayerCount == 3 && described.audioLayerCount == 6)
        #expect(described.codebookCount == decoder.form.codebookCount && described.codeCount == decoder.form.codeCount)
        #expect(GGUFSpeechDecoder.isOfLayer("a.gen.wav.tfm.blk.0.ln1.weight"))
        #expect(!GGUFSpeechDecoder.isOfLayer("a.gen.code.blk.0.ln1.weight"))
        let memory = MemoryPool()
        let pass = try GeneratorFixture.pass(memory: memory)
        let sound = pass.makeAudioState()
        for index in 0..<24 {
            let vector = (0..<64).map { Float(($0 + index) % 7) / 7 - 0.5 }
            let frames = try pass.frames(vector) { _, _, logits in logits.indices.first }
            let frame = try #require(frames[0])
            _ = try pass.spectra([(sound, frame)])
        }
        #expect(memory.used > 1000)
        #expect(memory.used <= described.passBytes, "\(memory.used) of \(described.passBytes)")
    }

    // MARK: Drawing

    @Test("Codes are drawn by the file's values, or by those of LFM3-Audio and of LFM3-Omni")
    func sampling() throws {
        let audio = try GeneratorFixture.decoder().sampling(for: .sequential)
        #expect(audio[.temperature] == 1 && audio[.topK] == 128 && audio[.repetitionWindow] == 4096)
        #expect(audio[.repetitionPenalty] == 1.1 && audio[.topP] == 1 && audio[.minP] == 0)
        var writer = GGUFWriter()
        writer.set("general.architecture", "clip")
        writer.set("clip.has_vision_encoder", true)
        var generator = MadeGenerator.zero
        generator.sampling = ["temp": 0.5, "penalty_last_n": 12]
        try generator.add(to: &writer)
        let omni = try SpeechDecoder(file: try writer.file()).sampling(for: .interleaved)
        #expect(omni[.temperature] == 0.5 && omni[.topK] == 0 && omni[.repetitionWindow] == 12)
        #expect(omni[.repetitionPenalty] == 1.2)
        let earlier = try SpeechFixture.decoder()
        #expect(earlier.sampling(for: .interleaved)[.topK] == 4 && earlier.sampling(for: .sequential)[.topK] == 64)
    }

    @Test("Codes that come again are penalised in their own codebook only, and for so many frames")
    func penalty() throws {
        let decoder = try GeneratorFixture.decoder()
        var sampler = CodeSampler(
            decoder, [.temperature: 0, .repetitionPenalty: 1.2, .repetitionWindow: 2, .topP: 1, .minP: 0])
        func draw(_ codebook: Int) -> Int? {
            var logits = [Float](repeating: 0, count: 2017)
            (logits[7], logits[8]) = (10, 9)
            return logits.withUnsafeMutableBufferPointer { sampler.draw(codebook: codebook, from: $0) }
        }
        var codes = [UInt16](repeating: 3, count: 12)
        #expect(draw(4) == 7)
        codes[4] = 7
        sampler.accept(try #require(SpeechFrame(codes: codes)))
        #expect(draw(4) == 8 && draw(5) == 7)
        codes[4] = 3
        let other = try #require(SpeechFrame(codes: codes))
        sampler.accept(other)
        #expect(draw(4) == 8)
        sampler.accept(other)
        #expect(draw(4) == 7)
        #expect(sampler.nextOrder() == Array(0..<12))
    }

    @Test("A seed gives the same orders and codes, and orders are all codebooks")
    func orders() throws {
        let decoder = try GeneratorFixture.decoder()
        func orders(_ seed: UInt64) -> [[Int]] {
            var values: SamplingValues = [.temperature: 1]
            values.seed = seed
            var sampler = CodeSampler(decoder, values)
            return (0..<20).map { _ in sampler.nextOrder() }
        }
        #expect(orders(3) == orders(3) && orders(3) != orders(4))
        #expect(orders(3).allSatisfy { $0.sorted() == Array(0..<12) })
        #expect(Set(orders(3)).count == 20)
    }
}

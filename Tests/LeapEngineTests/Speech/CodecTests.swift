import Foundation
import LeapAudio
import LeapBase
import LeapGGUF
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapModel

@Suite(.inTurns)
struct CodecTests {
    // MARK: Sound

    @Test("Spectra and sound are numpy's, for LFM3's layers and for LFM2's")
    func parity() throws {
        for kind in try CodecFixture.kinds() {
            var made = MadeCodec()
            made.isLFM3 = kind.isLFM3
            let decoder = try CodecFixture.decoder(made)
            let pass = try CodecFixture.pass(decoder)
            let spectra = try pass.spectra([(pass.makeState(), kind.frames.flatMap { $0 })])[0]
            let length = CodeDecoder.spectrumLength
            #expect(spectra.count == kind.frames.count * CodeDecoder.spectraPerFrame * length)
            let listed = kind.rows.flatMap { row in
                stride(from: 0, to: length, by: kind.column).map { spectra[row * length + $0] }
            }
            #expect(distance(listed, kind.spectra) < 5e-5, "\(kind.isLFM3)")
            let wave = CodecFixture.sound(spectra, of: decoder)
            #expect(wave.count == kind.frames.count * 1920)
            let samples = stride(from: 0, to: wave.count, by: kind.step).map { wave[$0] }
            let loudest = kind.wave.reduce(0) { max($0, abs($1)) }
            #expect(loudest > 0.05)
            #expect(distance(samples, kind.wave) < 1e-5 * loudest, "\(kind.isLFM3)")
        }
    }

    @Test("Frames one at a time, in pieces, all at once and beside other sounds give the same bits")
    func pieces() throws {
        let frames = try CodecFixture.lfm3().frames
        let pass = try CodecFixture.pass(try CodecFixture.decoder(), threads: 2)
        let whole = try pass.spectra([(pass.makeState(), frames.flatMap { $0 })])[0]
        for piece in [1, 3, 5] {
            let state = pass.makeState()
            var spectra: [Float] = []
            var synthesis = SpectrumSynthesis(window: pass.decoder.window, hop: CodeDecoder.hop)
            var samples: [Float] = []
            for start in stride(from: 0, to: frames.count, by: piece) {
                let codes = frames[start..<min(start + piece, frames.count)].flatMap { $0 }
                let own = try pass.spectra([(state, codes)])[0]
                spectra += own
                samples += synthesis.append(own)
            }
            #expect(spectra == whole, "\(piece)")
            #expect(samples + synthesis.finish() == CodecFixture.sound(whole, of: pass.decoder), "\(piece)")
        }
        // The other sound begins later, and its pieces have another length.
        let (first, second) = (pass.makeState(), pass.makeState())
        var (spectra, others): ([Float], [Float]) = ([], [])
        for index in frames.indices {
            guard index >= 4 else {
                spectra += try pass.spectra([(first, frames[index])])[0]
                continue
            }
            let other = frames[(index - 4)..<(index - 3)] + (index == 13 ? frames[10...] : [])
            let both = try pass.spectra([(first, frames[index]), (second, other.flatMap { $0 })])
            spectra += both[0]
            others += both[1]
        }
        #expect(spectra == whole)
        #expect(others == whole)
    }

    @Test("A tone whose spectrum stays the same is a cosine without a seam between frames")
    func seam() throws {
        var made = MadeCodec.small
        made.attention = [false]
        var writer = try made.writer { $0.name == "a.gen.wav.tfm.out_proj.bias" ? nil : $0 }
        // Bin 8 alone: a period of 160 samples, which a step of 320 holds twice.
        var bias = [Float](repeating: -80, count: 641) + [Float](repeating: 0, count: 641)
        bias[8] = 0
        try writer.add(tensor: "a.gen.wav.tfm.out_proj.bias", shape: [1282], floats: bias)
        let decoder = try CodeDecoder(codec: WeightBinder(file: try writer.file()))
        let pass = try CodecFixture.pass(decoder)
        let (state, frame) = (pass.makeState(), [UInt16](repeating: 5, count: 12))
        var synthesis = SpectrumSynthesis(window: decoder.window, hop: CodeDecoder.hop)
        var wave: [Float] = []
        for _ in 0..<4 { wave += synthesis.append(try pass.spectra([(state, frame)])[0]) }
        wave += synthesis.finish()
        #expect(wave.count == 4 * 1920)
        // Hann's windows of which four overlap add up to 2, and their squares to 1.5.
        let height = 2.0 / 1280 * 2 / 1.5
        let inside = 480..<wave.count - 480
        let error = inside.map { abs(Double(wave[$0]) - height * cos(2 * .pi * Double($0) / 160)) }.max() ?? 1
        #expect(error < 5e-6 * height)
    }

    @Test("The end's code, codes beyond it and parts of frames are refused, and the sound goes on as if nothing was")
    func refusedCodes() throws {
        let frames = try CodecFixture.lfm3().frames
        let pass = try CodecFixture.pass(try CodecFixture.decoder())
        let (state, other) = (pass.makeState(), pass.makeState())
        #expect(pass.decoder.codebookCount == 12 && pass.decoder.codeCount == 2016)
        let before = try pass.spectra([(state, frames[0])])
        var ended = frames[0] + frames[1]
        ended[17] = 2016
        for codes in [ended, [UInt16](repeating: .max, count: 12), Array(frames[0].dropLast()), []] {
            let error = #expect(throws: EngineError.self) { try pass.spectra([(other, frames[1]), (state, codes)]) }
            #expect(error?.code == .tokenOutOfRange && error?.field == "speech")
        }
        let error = #expect(throws: EngineError.self) { try pass.decoder.validate(ended) }
        #expect(error?.message.contains("code 2016 of codebook 5 in frame 1") == true, "\(error?.message ?? "")")
        #expect(other.count == 0 && state.count == CodeDecoder.spectraPerFrame)
        let after = try pass.spectra([(state, frames[1])])
        let whole = try pass.spectra([(pass.makeState(), frames[0] + frames[1])])
        #expect(before[0] + after[0] == whole[0])
        #expect(try pass.spectra([]).isEmpty)
    }

    @Test("Long speech takes no more memory than its window, and a sound without memory is an error")
    func memory() throws {
        let frames = try CodecFixture.lfm3().frames
        let pool = MemoryPool()
        let pass = try CodecFixture.pass(try CodecFixture.decoder(), memory: pool)
        let state = pass.makeState()
        var used: [Int] = []
        for index in 0..<96 {
            _ = try pass.spectra([(state, frames[index % frames.count])])
            used.append(pool.used)
        }
        #expect(state.count == 96 * CodeDecoder.spectraPerFrame)
        // The window lies in one page or two, in turns of 32 frames: 192 positions. The table of pages grows by eight
        // bytes for each layer.
        let (early, late) = (used[32..<64].max() ?? 0, used[64...].max() ?? .max)
        #expect(late - early < 8192)
        #expect(pass.holdsMemory)
        pass.releaseMemory()
        #expect(!pass.holdsMemory)

        let small = try CodecFixture.pass(try CodecFixture.decoder(), memory: MemoryPool(limit: 1 << 14))
        let error = #expect(throws: EngineError.self) { try small.spectra([(small.makeState(), frames[0])]) }
        #expect(error?.code == .outOfMemory)
    }

    // MARK: Files

    @Test("The description is that of the file: layers by their tensors, window, heads, filters and rotation")
    func description() throws {
        for isLFM3 in [true, false] {
            var made = MadeCodec()
            made.isLFM3 = isLFM3
            let stack = try CodecFixture.decoder(made).stack
            let kinds = stack.layers.map { $0.mixer?.attention != nil }
            #expect(kinds == made.attention && stack.isCausal)
            for layer in stack.layers {
                #expect((layer.mixerPostNorm != nil) == isLFM3 && (layer.feedForwardPostNorm != nil) == isLFM3)
                if case .shortConvolution(let block)? = layer.mixer { #expect(block.taps == (isLFM3 ? 7 : 3)) }
                guard let block = layer.mixer?.attention else { continue }
                #expect(block.heads == 4 && block.keyValueHeads == 2 && block.headDimension == 16)
                #expect(block.window == 30 && (block.headGate != nil) == isLFM3)
            }
            #expect(stack.layers.compactMap(\.mixer?.attention?.cacheIndex) == [0, 1])
            #expect(stack.ropes.map(\.base) == [isLFM3 ? 1e4 : 1e6])
        }
    }

    @Test("Other names of the same tensors give the same bits")
    func otherNames() throws {
        let frames = try CodecFixture.lfm3().frames
        func spectra(_ names: [(String, String)]) throws -> [Float] {
            var renamed: Set<String> = []
            let decoder = try CodecFixture.decoder { tensor in
                var tensor = tensor
                for (name, other) in names where tensor.name.contains(name) {
                    renamed.insert(name)
                    tensor.name = tensor.name.replacingOccurrences(of: name, with: other)
                }
                return tensor
            }
            #expect(renamed.count == names.count)
            let pass = try CodecFixture.pass(decoder)
            return try pass.spectra([(pass.makeState(), frames[0] + frames[1])])[0]
        }
        let expected = try spectra([])
        let others = [
            [
                (".conv_pw1.", ".shortconv.in_proj."), (".conv_dw.", ".shortconv.conv."),
                (".conv_pw2.", ".shortconv.out_proj."),
            ],
            [(".attn_post_norm.", ".post_attention_norm."), (".ffn_post_norm.", ".post_ffw_norm.")],
            [(".tfm.output_norm.", ".tfm.post_ln."), (".tfm.out_proj.", ".out_proj.")],
            [(".tfm.output_norm.", ".output_norm."), (".tfm.out_proj.", ".tfm.output.")],
        ]
        for names in others { #expect(try spectra(names) == expected, "\(names)") }
    }

    @Test("A file without a tensor is refused with its name, and with the names that the file has")
    func missing() throws {
        let optional = ["attn_gate", "attn_post_norm", "ffn_post_norm", "out_proj.bias"]
        for name in MadeCodec.small.tensors.map(\.name) {
            let isOptional = optional.contains { name.contains($0) } && !name.contains("quant")
            guard !isOptional else {
                _ = try CodecFixture.decoder(.small) { $0.name == name ? nil : $0 }
                continue
            }
            let error = #expect(throws: EngineError.self, "\(name)") {
                try CodecFixture.decoder(.small) { $0.name == name ? nil : $0 }
            }
            #expect(error?.field?.hasPrefix("a.gen.wav.") == true, "\(name)")
            guard error?.code == .missingTensor else { continue }
            #expect(error?.message.contains("\na.gen.wav.tfm.blk.N.") == true, "\(name)")
        }
        let error = #expect(throws: EngineError.self) {
            try CodecFixture.decoder(.small) { $0.name.hasSuffix("attn_q_norm.weight") ? nil : $0 }
        }
        #expect(error?.code == .missingTensor && error?.field == "a.gen.wav.tfm.blk.1.attn_q_norm.weight")
        #expect(error?.message.contains("\na.gen.wav.quant.first.codebook.weight [4, 2016]") == true)
    }

    @Test("A tensor of another shape is refused with a name, and so are tensors that nothing reads")
    func shapes() throws {
        // Sizes that follow from these tensors alone.
        let free = ["a.gen.wav.quant.first.codebook.weight"]
        for name in MadeCodec.small.tensors.map(\.name) where !free.contains(name) {
            let error = #expect(throws: EngineError.self, "\(name)") {
                try CodecFixture.decoder(.small) { tensor in
                    var tensor = tensor
                    if tensor.name == name { tensor.shape[tensor.shape.count - 1] += 1 }
                    return tensor
                }
            }
            #expect(error?.field?.hasPrefix("a.gen.wav.") == true, "\(name)")
        }
        let changes: [(name: String, shape: [Int])] = [
            ("quant.first.codebook.weight", [5, 2016]), ("quant.first.codebook.weight", [4, 65_536]),
            ("tfm.blk.1.attn_q_norm.weight", [3]),
            ("tfm.blk.1.attn_q_norm.weight", [6]), ("tfm.blk.0.conv_dw.weight", [9, 8]),
            ("tfm.in_proj.weight", [4]), ("quant.first.out_proj.weight", [48]),
        ]
        for change in changes {
            let error = #expect(throws: EngineError.self, "\(change)") {
                try CodecFixture.decoder(.small) { tensor in
                    var tensor = tensor
                    if tensor.name.hasSuffix(change.name) { tensor.shape = change.shape }
                    return tensor
                }
            }
            #expect(error?.field?.hasPrefix("a.gen.wav.") == true, "\(change)")
        }
        for name in ["other.weight", "tfm.blk.0.attn_gate.weight", "tfm.blk.5.ln2.weight", "tfm.window"] {
            var writer = try MadeCodec.small.writer()
            try writer.add(tensor: "a.gen.wav.\(name)", shape: [4], floats: [1, 2, 3, 4])
            let file = try writer.file()
            #expect(throws: EngineError.self, "\(name)") { try CodeDecoder(codec: WeightBinder(file: file)) }
        }
        // The factor of a table whose rows are looked up.
        var scaled = try MadeCodec.small.writer()
        try scaled.add(tensor: "a.gen.wav.quant.first.codebook.scale", shape: [1], floats: [2])
        let scaledFile = try scaled.file()
        let error = #expect(throws: EngineError.self) { try CodeDecoder(codec: WeightBinder(file: scaledFile)) }
        #expect(error?.code == .invalidTensor && error?.field == "a.gen.wav.quant.first.codebook.scale")
        // Another part's.
        var writer = try MadeCodec.small.writer()
        try writer.add(tensor: "a.gen.code.other", shape: [4], floats: [1, 2, 3, 4])
        let file = try writer.file()
        _ = try CodeDecoder(codec: WeightBinder(file: file))
    }
}

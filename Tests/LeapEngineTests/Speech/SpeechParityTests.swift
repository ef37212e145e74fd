import LeapAudio
import LeapBase
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

@Suite(.inTurns)
struct SpeechParityTests {
    @Test("A frame's codes and their logits are liquid-audio's, and so is the vector that the model reads for it")
    func frame() throws {
        let fixture = try SpeechFixture.load()
        let pass = try SpeechFixture.pass()
        var logits: [[Float]] = []
        let frames = try pass.frames(fixture.hidden) { _, codebook, values in
            logits.append(Array(values.prefix(8)))
            return values.indices.max { values[$0] < values[$1] }
        }
        #expect(frames.map { $0?.codes } == [fixture.codes])
        #expect(distance(logits.joined(), fixture.logits.joined()) < 1e-4)
        var vector = [Float](repeating: 0, count: pass.decoder.inputLength)
        pass.embed(try #require(frames[0]), into: &vector)
        #expect(distance(vector, fixture.feedback) < 2e-6)
    }

    @Test("Spectra and sound are those of transformers and torch, however frames are divided among calls")
    func sound() throws {
        let fixture = try SpeechFixture.load()
        let pass = try SpeechFixture.pass()
        let frames = try fixture.frames.map { try #require(SpeechFrame(codes: $0)) }
        let state = pass.makeAudioState()
        var spectra: [Float] = []
        for frame in frames { spectra += try pass.spectra([(state, frame)])[0] }
        let length = CodeDecoder.spectrumLength
        let listed = fixture.rows.flatMap { spectra[$0 * length..<($0 + 1) * length] }
        #expect(distance(listed, fixture.spectra) < 1e-4)
        var synthesis = SpectrumSynthesis(window: pass.decoder.window, hop: CodeDecoder.hop)
        let wave = synthesis.append(spectra) + synthesis.finish()
        #expect(wave.count == frames.count * SpeechForm.lfm2Audio.samplesPerFrame)
        #expect(distance(stride(from: 0, to: wave.count, by: fixture.step).map { wave[$0] }, fixture.wave) < 1e-5)
    }

    @Test("Greedy replies are those of liquid-audio's loops, token by token and code by code")
    func replies() async throws {
        let engine = try SpeechFixture.engine()
        for reply in try SpeechFixture.load().replies {
            let output = try await SpeechFixture.generate(reply.request, by: engine)
            #expect(output.items == reply.items, "\(reply.order) \(reply.textEnd)")
            let frames = reply.items.filter { if case .frame(let codes) = $0 { codes[0] < 2048 } else { false } }
            #expect(output.samples.count == frames.count * SpeechForm.lfm2Audio.samplesPerFrame)
            #expect(output.longestPiece <= SpeechDecoder.sampleRate * 80 / 1000)
            #expect(output.result?.completionTokens == reply.items.count)
        }
    }

    @Test("Frames of several generations written together are those that each has alone")
    func together() throws {
        let fixture = try SpeechFixture.load()
        let pass = try SpeechFixture.pass(threads: 2)
        let other = fixture.hidden.map { -$0 }
        let greedy = { (_: Int, _: Int, values: UnsafeMutableBufferPointer<Float>) in
            values.indices.max { values[$0] < values[$1] }
        }
        let alone = try [fixture.hidden, other].map { try pass.frames($0, draw: greedy)[0] }
        #expect(try pass.frames(fixture.hidden + other, draw: greedy) == alone)
        let frames = try fixture.frames.prefix(4).map { try #require(SpeechFrame(codes: $0)) }
        let (a, b, c) = (pass.makeAudioState(), pass.makeAudioState(), pass.makeAudioState())
        for (first, second) in zip(frames, frames.reversed()) {
            let single = try pass.spectra([(a, first)])[0]
            #expect(try pass.spectra([(b, first), (c, second)])[0] == single)
        }
    }

    @Test("Long speech takes no more memory than its window, and its spectra are those of all positions")
    func memory() throws {
        let fixture = try SpeechFixture.load()
        let pool = MemoryPool()
        let pass = SpeechPass(try SpeechFixture.decoder(), kernels: try Kernels(threads: 1), memory: pool)
        let state = pass.makeAudioState()
        let frames = try fixture.frames.map { try #require(SpeechFrame(codes: $0)) }
        var used: [Int] = []
        for index in 0..<240 {
            let spectra = try pass.spectra([(state, frames[index % frames.count])])[0]
            used.append(pool.used)
            guard index == 150 else { continue }
            // 35 frames, 210 positions, are more than what six layers see: three times 29 and ten.
            let fresh = pass.makeAudioState()
            var last: [Float] = []
            for earlier in 116...150 { last = try pass.spectra([(fresh, frames[earlier % frames.count])])[0] }
            #expect(distance(last, spectra) < 1e-3)
        }
        // The table of pages grows by eight bytes for each layer.
        #expect(used[239] - used[60] < 8192)
    }
}

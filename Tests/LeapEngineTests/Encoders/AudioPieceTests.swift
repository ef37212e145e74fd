import LeapAudio
import LeapBase
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapModel

/// Pieces of a sound in prompts, whose encoder keeps a state from piece to piece.
@Suite(.inTurns)
struct AudioPieceTests {
    private static func pass(_ family: AudioFixture.Family = .lfm3, memory: MemoryPool = MemoryPool()) throws
        -> AudioPass
    {
        AudioPass(try AudioFixture.encoder(family), kernels: try Kernels(threads: 1), memory: memory)
    }

    /// The pieces of a sound, of so many frames each.
    private static func pieces(_ spectrum: AudioSpectrum, length: Int) -> [AudioPiece] {
        let sound = PiecewiseSound()
        return stride(from: 0, to: spectrum.frameCount, by: length).enumerated().map { index, start in
            let end = min(spectrum.frameCount, start + length)
            let values = Array(spectrum.values[start * spectrum.bandCount..<end * spectrum.bandCount])
            return AudioPiece(
                of: sound, index: index,
                AudioSpectrum(frameCount: end - start, bandCount: spectrum.bandCount, values: values),
                isLast: end - start < length)
        }
    }

    private static func vectors(_ piece: AudioPiece, _ pass: AudioPass) throws -> [Float] {
        try pass.encode(.audioPiece(piece)) { true } ?? []
    }

    @Test(
        "Pieces of 80, 160 and 400 ms, and others, have the bits of the whole sound", arguments: [8, 16, 40, 24, 1000])
    func bits(length: Int) throws {
        let spectrum = AudioFixture.spectrum(30_000, .lfm3)
        let whole = try #require(try Self.pass().encode(spectrum))
        let pass = try Self.pass()
        var found: [Float] = []
        for piece in Self.pieces(spectrum, length: length) {
            let vectors = try Self.vectors(piece, pass)
            #expect(vectors.count == piece.vectorCount * pass.encoder.outputLength)
            found += vectors
        }
        #expect(found == whole)
        #expect(pass.states.count == 0)
    }

    @Test("A piece keeps its vectors, so that it can be read again; one that misses its predecessors is refused")
    func again() throws {
        let pieces = Self.pieces(AudioFixture.spectrum(16_123, .lfm3), length: 40)
        let pass = try Self.pass()
        let first = try Self.vectors(pieces[0], pass)
        let second = try Self.vectors(pieces[1], pass)
        #expect(try Self.vectors(pieces[0], pass) == first && Self.vectors(pieces[1], Self.pass()) == second)
        for (piece, pass) in [
            (pieces[2], try Self.pass()),
            (AudioPiece(of: pieces[0].sound, index: 0, pieces[0].spectrum, isLast: false), pass),
        ] {
            let error = #expect(throws: EngineError.self) { try Self.vectors(piece, pass) }
            #expect(error?.code == .invalidOption && error?.message.contains("piece \(piece.index)") == true)
        }
        #expect(try Self.vectors(pieces[2], pass).count == pieces[2].vectorCount * 64)
    }

    @Test("The state of a sound that nobody holds is dropped")
    func dropped() throws {
        let pass = try Self.pass()
        var kept: [AudioPiece] = []
        for round in 0..<3 {
            let pieces = Self.pieces(AudioFixture.spectrum(16_123, .lfm3), length: 40)
            _ = try Self.vectors(pieces[0], pass)
            if round == 0 { kept = pieces }
        }
        // That of the sound which is kept, and the latest one's.
        #expect(pass.states.count == 2)
        _ = try Self.vectors(kept[1], pass)
        #expect(pass.states.count == 1)
        pass.releaseMemory()
        #expect(pass.states.count == 1 && !pass.holdsMemory)
        kept = []
        #expect(pass.holdsMemory)
        pass.releaseMemory()
        #expect(pass.states.count == 0 && !pass.holdsMemory)
    }

    @Test("Without memory a piece fails, and can be encoded when there is some")
    func memory() throws {
        let memory = MemoryPool()
        let pass = try Self.pass(memory: memory)
        let pieces = Self.pieces(AudioFixture.spectrum(16_123, .lfm3), length: 40)
        let whole = try #require(try Self.pass().encode(AudioFixture.spectrum(16_123, .lfm3)))
        var found = try Self.vectors(pieces[0], pass)
        pass.releaseMemory()
        memory.limit = memory.used
        #expect(throws: EngineError.self) { try Self.vectors(pieces[1], pass) }
        memory.limit = .max
        for piece in pieces.dropFirst() { found += try Self.vectors(piece, pass) }
        #expect(found == whole)
    }

    @Test("An encoder of whole sounds refuses pieces")
    func otherKind() throws {
        let spectrum = AudioFixture.spectrum(1600)
        let piece = AudioPiece(of: PiecewiseSound(), index: 0, spectrum, isLast: true)
        let pass = AudioPass(try AudioFixture.encoder(), kernels: try Kernels(threads: 1))
        let error = #expect(throws: EngineError.self) { try Self.vectors(piece, pass) }
        #expect(error?.message.contains("lfm2a") == true)
    }
}

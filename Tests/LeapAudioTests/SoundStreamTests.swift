import Foundation
import LeapTestSupport
import Testing

@testable import LeapAudio

/// Sounds whose bytes come piece by piece.
struct SoundStreamTests {
    private static func samples(_ data: Data, piece: Int, rawRate: Int? = nil) throws -> (samples: [Float], rate: Int?)
    {
        var stream = SoundStream(rawRate: rawRate)
        var samples: [Float] = []
        for start in stride(from: 0, to: data.count, by: piece) {
            samples += try stream.append(
                data[data.startIndex + start..<data.startIndex + min(data.count, start + piece)])
        }
        samples += try stream.finish()
        return (samples, stream.sampleRate)
    }

    @Test(
        "A WAV file in pieces is the file at once, with chunks around its samples",
        arguments: [1, 7, 44, 1000, 100_000])
    func wav(piece: Int) throws {
        let made = PatternAudio.samples(2000)
        let plain = WAVFile.encode(made, sampleRate: 16_000)
        // One of an odd length, and many that are empty.
        var chunks = Data("JUNK".utf8) + Data([3, 0, 0, 0, 9, 9, 9, 0])
        for _ in 0..<20 { chunks += Data("note".utf8) + Data([0, 0, 0, 0]) }
        for data in [
            plain.prefix(12) + chunks + plain.dropFirst(12),
            WAVFile.encode(made, sampleRate: 44_100), WAVFile.encode(made, sampleRate: 8000, asInt16: true),
            WAVFile.encode(made, sampleRate: 16_000, channelCount: 2, chunk: ("note", [1, 2, 3])),
            WAVFile.encode(made, sampleRate: 16_000) + Data("LIST".utf8) + Data([2, 0, 0, 0, 7, 7]),
        ] {
            let whole = try WAVFile(data)
            let found = try Self.samples(data, piece: piece)
            #expect(found.samples == whole.samples && found.rate == whole.sampleRate)
            #expect(!found.samples.isEmpty)
        }
    }

    @Test("Chunks behind the samples of RF64 and BW64 files are no samples", arguments: [1, 7, 100_000])
    func long(piece: Int) throws {
        let behind = Data("LIST".utf8) + Data([4, 0, 0, 0, 7, 7, 7, 7])
        for name in ["RF64", "BW64"] {
            let data = MadeWAV.longFile(samples: [0, 0x40, 0, 0x80], name: name) + behind
            #expect(try WAVFile(data).samples == [0.5, -1])
            #expect(try Self.samples(data, piece: piece).samples == [0.5, -1])
        }
        // Lengths that are not known, or more than there is.
        for length in [0, .max, 1 << 40] as [UInt64] {
            let data = MadeWAV.longFile(samples: [0, 0x40], length: length)
            #expect(try Self.samples(data, piece: piece).samples == [0.5])
        }
    }

    @Test("Samples come as soon as their bytes are there, of a file whose length is not known too")
    func early() throws {
        let header = WAVFile.header(sampleRate: 16_000, asInt16: true, byteCount: nil)
        var stream = SoundStream()
        #expect(try stream.append(header.prefix(20)).isEmpty && stream.sampleRate == nil)
        #expect(try stream.append(header.dropFirst(20)).isEmpty && stream.sampleRate == 16_000)
        #expect(try stream.append(Data([0, 0x40, 0])) == [0.5])
        #expect(try stream.append(Data([0x80, 1])) == [-1])
        #expect(try stream.finish().isEmpty)
        #expect(try stream.append(Data([0, 0, 0, 0])).isEmpty)
    }

    @Test("Raw samples are read at the rate that is given, and a WAV file by its header all the same")
    func raw() throws {
        let bytes = Data([0, 0x40, 0, 0x80, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 20))
        let found = try Self.samples(bytes, piece: 3, rawRate: 8000)
        #expect(found.samples.prefix(3) == [0.5, -1, -1 / 32_768] && found.samples.count == 13 && found.rate == 8000)
        let short = try Self.samples(bytes.prefix(5), piece: 5, rawRate: 8000)
        #expect(short.samples == [0.5, -1])
        let file = WAVFile.encode([0.25, 0.5], sampleRate: 44_100)
        let read = try Self.samples(file, piece: 10, rawRate: 8000)
        #expect(read.samples == [0.25, 0.5] && read.rate == 44_100)
        #expect(try Self.samples(Data(), piece: 1).samples.isEmpty)
    }

    @Test("A file of another format is read at its end")
    func other() throws {
        let data = Data(try FixtureAudio.bytes("mono-16.flac"))
        let whole = try AudioFile.read(data)
        let found = try Self.samples(data, piece: 100)
        #expect(found.samples == whole.samples && found.rate == whole.sampleRate)
    }

    @Test("What is no sound, or is cut off in its header, is refused")
    func refused() throws {
        let header = WAVFile.header(sampleRate: 16_000, asInt16: true, byteCount: nil)
        let cases: [(Data, String)] = [
            (header.prefix(30), "cut off in its header"), (Data("not a sound, but a text".utf8), "not a WAV, FLAC"),
            (Data("short".utf8), "not a WAV, FLAC"),
            (Data("RIFF0000WAVEdata".utf8) + Data([4, 0, 0, 0, 1, 2, 3, 4]), "data before its format"),
            (Data("RIFF0000WAVEfmt ".utf8) + Data([4, 0, 0, 0, 1, 2, 3, 4]), "format chunk has 4 bytes"),
            (
                Data("RIFF0000WAVEJUNK".utf8) + Data([0, 0, 0, 0x40]) + Data(repeating: 0, count: 1 << 20),
                "no samples in its first"
            ),
        ]
        for (data, words) in cases {
            let error = #expect(throws: AudioFileError.self) { try Self.samples(data, piece: 1 << 19) }
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
    }
}

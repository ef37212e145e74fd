import Foundation
import LeapTestSupport
import Testing

@testable import LeapAudio

struct WAVFileTests {
    private static func file(
        tag: UInt16 = 1, channels: UInt16 = 1, rate: UInt32 = 16000, bits: UInt16 = 16, samples: [UInt8],
        declared: UInt32? = nil, extra: [UInt8] = []
    ) -> Data {
        MadeWAV.file(
            tag: tag, channels: channels, rate: rate, bits: bits, samples: samples, declared: declared, extra: extra)
    }

    private static func floats(_ values: [Float]) -> [UInt8] {
        values.flatMap { value in withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) } }
    }

    @Test("Decodes the four encodings")
    func encodings() throws {
        #expect(try WAVFile(Self.file(samples: [0, 0x40, 0, 0x80])).samples == [0.5, -1])
        #expect(try WAVFile(Self.file(bits: 24, samples: [0, 0, 0x40, 0, 0, 0x80])).samples == [0.5, -1])
        #expect(try WAVFile(Self.file(bits: 32, samples: [0, 0, 0, 0x40, 0, 0, 0, 0x80])).samples == [0.5, -1])
        #expect(try WAVFile(Self.file(tag: 3, bits: 32, samples: Self.floats([0.25]))).samples == [0.25])
    }

    @Test("Decodes a part as it decodes all")
    func parts() throws {
        let bytes = (0..<120).map { UInt8($0 * 37 % 256) }
        for bits: UInt16 in [16, 24, 32] {
            let file = try WAVFile(Self.file(bits: bits, samples: bytes))
            #expect(file.sampleCount == 120 * 8 / Int(bits))
            #expect(file.samples(3..<9) == Array(file.samples[3..<9]))
            #expect(file.samples(5..<5) == [])
        }
    }

    @Test("Skips other chunks, takes a stream of unknown length, and leaves out half a sample")
    func chunks() throws {
        let list: [UInt8] = Array("LIST".utf8) + [3, 0, 0, 0, 1, 2, 3, 0]
        #expect(try WAVFile(Self.file(samples: [0, 0x40], extra: list)).samples == [0.5])
        #expect(try WAVFile(Self.file(samples: [0, 0x40, 9], declared: .max)).samples == [0.5])
    }

    @Test("What is no number is silence, and what is far too loud is bounded")
    func wildFloats() throws {
        let wild = Self.floats([.nan, .infinity, -.infinity, 3e38, -3e38, 1.5])
        let file = try WAVFile(Self.file(tag: 3, bits: 32, samples: wild))
        #expect(file.samples == [0, 0, 0, 65536, -65536, 1.5])
    }

    @Test(
        "Says what is wrong",
        arguments: [
            (Data(), "not a WAV file", .unknownFormat),
            (file(channels: 2, samples: [0, 0, 0, 0]), "2 channels (stereo)", .unsupported),
            (file(bits: 8, samples: [0]), "format 1 with 8 bits", .unsupported),
            (file(tag: 85, samples: []), "format 85", .unsupported),
            (file(rate: 0, samples: []), "0 samples per second", .unsupported),
            (file(rate: 1_000_000, samples: []), "1000000 samples per second", .unsupported),
            (file(samples: [0, 0], declared: 1000), "cut off", .truncated),
            (file(samples: []).prefix(36), "no data chunk", .damaged),
            (file(samples: []).prefix(30), "cut off", .truncated),
        ] as [(Data, String, AudioFileError.Code)])
    func errors(data: Data, expected: String, code: AudioFileError.Code) {
        let error = #expect(throws: AudioFileError.self) { try WAVFile(data) }
        #expect(error?.code == code)
        #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
    }

    @Test(
        "Other formats are named, with what to do",
        arguments: [
            (Array("ID3\u{3}".utf8) + [0], "MP3"), ([0xFF, 0xFB, 0x90, 0x44], "MP3"), (Array("fLaC".utf8), "FLAC"),
            (Array("OggS".utf8), "OGG"), ([0xFF, 0xF1, 0x50, 0x80], "AAC"),
            ([0, 0, 0, 32] + Array("ftypM4A ".utf8), "M4A"),
            (Array("FORM....AIFF".utf8), "AIFF"), (Array("RF64....WAVE".utf8), "RF64"),
        ] as [([UInt8], String)])
    func otherFormats(bytes: [UInt8], name: String) {
        let error = #expect(throws: AudioFileError.self) { try WAVFile(Data(bytes)) }
        #expect(error?.description.contains(name) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("ffmpeg") == true)
    }

    @Test("Reads what it writes, bit for bit")
    func encoding() throws {
        let samples: [Float] = [0, 0.1, -0.3, 1, -1]
        let file = try WAVFile(WAVFile.encode(samples, sampleRate: 22050))
        #expect(file.samples == samples)
        #expect(file.sampleRate == 22050)
        #expect(throws: AudioFileError.self) {
            try WAVFile(WAVFile.encode(samples, sampleRate: 22050, channelCount: 2))
        }
    }

    /// `LEAP_WAV_FUZZ=1000000` for more files.
    @Test("20,000 damaged files are read or refused within 128 MiB, and none ends the program")
    func damagedFiles() throws {
        let probe = try #require(ProgramBesideTests.url("leap-audio-probe"))
        let count = ProcessInfo.processInfo.environment["LEAP_WAV_FUZZ"].flatMap { Int($0) } ?? 20_000
        let process = Process()
        process.executableURL = probe
        process.arguments = ["1", "\(count)"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let hasEnded = process.terminationReason == .exit && process.terminationStatus == 0
        #expect(hasEnded, "\(text)")
        let counts: [Int] = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(counts.count == 2)
        #expect(counts[0] + counts[1] == count)
        #expect(counts[0] > count / 10)
        #expect(counts[1] > count / 10)
    }
}

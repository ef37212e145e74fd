import Foundation
import LeapTestSupport
import Testing

@testable import LeapAudio

struct WAVFileTests {
    private static func file(
        tag: UInt16 = 1, channels: UInt16 = 1, rate: UInt32 = 16000, bits: UInt16 = 16, samples: [UInt8],
        declared: UInt32? = nil, extra: [UInt8] = [], behind: [UInt8] = []
    ) -> Data {
        MadeWAV.file(
            tag: tag, channels: channels, rate: rate, bits: bits, samples: samples, declared: declared, extra: extra,
            behind: behind)
    }

    private static func floats(_ values: [Float]) -> [UInt8] {
        values.flatMap { value in withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) } }
    }

    @Test("Decodes all encodings")
    func encodings() throws {
        #expect(try WAVFile(Self.file(bits: 8, samples: [0, 128, 192, 255])).samples == [-1, 0, 0.5, 127.0 / 128])
        let double = [0.25, -1e300, .nan].flatMap { (value: Double) in
            withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
        }
        #expect(try WAVFile(Self.file(tag: 3, bits: 64, samples: double)).samples == [0.25, -65536, 0])
        // The tables of ITU-T G.711: the loudest, the quietest and a value between, of both signs.
        let muLaw: [(UInt8, Float)] = [
            (0x80, 32124), (0x00, -32124), (0xFF, 0), (0x7F, 0), (0xFE, 8), (0x7E, -8), (0xC0, 1884), (0x40, -1884),
        ]
        #expect(
            try WAVFile(Self.file(tag: 7, bits: 8, samples: muLaw.map(\.0))).samples == muLaw.map { $0.1 / 32768 })
        let aLaw: [(UInt8, Float)] = [
            (0xAA, 32256), (0x2A, -32256), (0xD5, 8), (0x55, -8), (0xD4, 24), (0xC5, 264), (0x80, 5504), (0x00, -5504),
        ]
        #expect(try WAVFile(Self.file(tag: 6, bits: 8, samples: aLaw.map(\.0))).samples == aLaw.map { $0.1 / 32768 })
        // Of 20 bits the upper ones of three bytes.
        #expect(try WAVFile(Self.file(bits: 20, samples: [0, 0, 0x40])).samples == [0.5])
        #expect(try WAVFile(Self.file(samples: [0, 0x40, 0, 0x80])).samples == [0.5, -1])
        #expect(try WAVFile(Self.file(bits: 24, samples: [0, 0, 0x40, 0, 0, 0x80])).samples == [0.5, -1])
        #expect(try WAVFile(Self.file(bits: 32, samples: [0, 0, 0, 0x40, 0, 0, 0, 0x80])).samples == [0.5, -1])
        #expect(try WAVFile(Self.file(tag: 3, bits: 32, samples: Self.floats([0.25]))).samples == [0.25])
    }

    @Test("Several channels are mixed down to their mean")
    func channels() throws {
        let stereo = try WAVFile(Self.file(channels: 2, samples: [0, 0x40, 0, 0, 0, 0x80, 0, 0x40, 9]))
        #expect(stereo.sampleCount == 2)
        #expect(stereo.samples == [0.25, -0.25])
        let surround = try WAVFile(Self.file(channels: 6, bits: 8, samples: [128, 128, 128, 128, 128, 224]))
        #expect(surround.samples == [0.125])
        let floats = try WAVFile(
            Self.file(tag: 3, channels: 3, bits: 32, samples: Self.floats([1, .nan, 2, .infinity, 3, -3])))
        #expect(floats.samples == [1, 0])
        for tag: UInt16 in [1, 3] {
            let same = Self.floats([0.5, 0.25])
            let file = try WAVFile(MadeWAV.extensible(tag: tag, channels: 1, bits: 32, samples: same))
            #expect(file.samples == (try WAVFile(Self.file(tag: tag, bits: 32, samples: same)).samples))
        }
        let muLaw = try WAVFile(MadeWAV.extensible(tag: 7, channels: 2, bits: 8, samples: [0x80, 0x00]))
        #expect(muLaw.samples == [0])
    }

    @Test(
        "A length that was not known when the header was written means to the end of the file",
        arguments: [0, 0x7F00_0000, 0x7FFF_F000, 0x7FFF_FFDB, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFDB, .max] as [UInt32])
    func streams(declared: UInt32) throws {
        // Loud samples, some of whose bytes are letters.
        for samples in [[0, 0x40, 0, 0x80], Array("abcd1234abcd".utf8)] as [[UInt8]] {
            let file = try WAVFile(Self.file(samples: samples, declared: declared))
            #expect(file.samples == (try WAVFile(Self.file(samples: samples)).samples))
            #expect(file.note == nil)
        }
        #expect(try WAVFile(Self.file(samples: [], declared: declared)).sampleCount == 0)
    }

    @Test("A data chunk of length 0 with chunks behind it has no samples; those of a later one count")
    func emptyData() throws {
        let list: [UInt8] = Array("LIST".utf8) + [4, 0, 0, 0] + Array("INFO".utf8)
        #expect(try WAVFile(Self.file(samples: [], behind: list)).sampleCount == 0)
        #expect(
            try WAVFile(Self.file(samples: [], behind: list + Array("note".utf8) + [1, 0, 0, 0, 7, 0])).samples == [])
        // Cut off in a chunk that everybody knows.
        #expect(try WAVFile(Self.file(samples: [], behind: Array(list.prefix(10)))).sampleCount == 0)
        let data: [UInt8] = Array("data".utf8) + [2, 0, 0, 0, 0, 0x40]
        #expect(try WAVFile(Self.file(samples: [], behind: data)).samples == [0.5])
        #expect(try WAVFile(Self.file(samples: [], behind: list + data)).samples == [0.5])
    }

    @Test("A file that is cut off has the whole samples that are there, and says so")
    func cutOff() throws {
        let file = try WAVFile(Self.file(samples: [0, 0x40, 9], declared: 1000))
        #expect(file.samples == [0.5])
        #expect(file.note?.contains("cut off") == true && file.note?.contains("1000 bytes") == true)
        #expect(try WAVFile(Self.file(samples: [0, 0x40])).note == nil)
        let long = try WAVFile(MadeWAV.longFile(samples: [0, 0x40], length: 1 << 20))
        #expect(long.samples == [0.5] && long.note?.contains("1048576 bytes") == true)
    }

    @Test("RF64 and BW64 files have their length in a chunk of its own")
    func long() throws {
        for name in ["RF64", "BW64"] {
            let file = MadeWAV.longFile(samples: [0, 0x40, 0, 0x80], name: name)
            #expect(try WAVFile(file).samples == [0.5, -1])
            #expect(try WAVFile(MadeWAV.longFile(samples: [0, 0x40, 0, 0x80], length: 2, name: name)).samples == [0.5])
        }
        for length in [0, .max, 1 << 40] as [UInt64] {
            #expect(try WAVFile(MadeWAV.longFile(samples: [0, 0x40], length: length)).samples == [0.5])
        }
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

    @Test("Skips other chunks, and leaves out half a sample")
    func chunks() throws {
        let list: [UInt8] = Array("LIST".utf8) + [3, 0, 0, 0, 1, 2, 3, 0]
        #expect(try WAVFile(Self.file(samples: [0, 0x40], extra: list)).samples == [0.5])
        #expect(try WAVFile(Self.file(samples: [0, 0x40], behind: list)).samples == [0.5])
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
            (file(channels: 0, samples: [0, 0, 0, 0]), "no channel", .damaged),
            (file(bits: 0, samples: [0]), "format 1 with 0 bits", .unsupported),
            (file(bits: 64, samples: [0]), "format 1 with 64 bits", .unsupported),
            (file(tag: 2, bits: 4, samples: [0]), "format 2 with 4 bits", .unsupported),
            (file(tag: 85, samples: []), "format 85", .unsupported),
            (file(rate: 0, samples: []), "0 samples per second", .unsupported),
            (file(rate: 1_000_000, samples: []), "1000000 samples per second", .unsupported),
            (file(samples: []).prefix(36), "no data chunk", .damaged),
            (file(samples: []).prefix(30), "cut off", .truncated),
        ] as [(Data, String, AudioFileError.Code)])
    func errors(data: Data, expected: String, code: AudioFileError.Code) {
        let error = #expect(throws: AudioFileError.self) { try WAVFile(data) }
        #expect(error?.code == code)
        #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
    }

    @Test(
        "Other formats are named, with what to do",
        arguments: [
            (Array("ID3\u{3}".utf8) + [0], "MP3"), ([0xFF, 0xFB, 0x90, 0x44], "MP3"), (Array("fLaC".utf8), "FLAC"),
            (Array("OggS".utf8), "OGG"), ([0xFF, 0xF1, 0x50, 0x80], "AAC"),
            ([0, 0, 0, 32] + Array("ftypM4A ".utf8), "M4A"),
            (Array("FORM....AIFF".utf8), "AIFF"),
        ] as [([UInt8], String)])
    func otherFormats(bytes: [UInt8], name: String) {
        let error = #expect(throws: AudioFileError.self) { try WAVFile(Data(bytes)) }
        #expect(error?.message.contains(name) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("ffmpeg") == true)
    }

    @Test("Reads what it writes, bit for bit")
    func encoding() throws {
        let samples: [Float] = [0, 0.1, -0.3, 1, -1]
        let file = try WAVFile(WAVFile.encode(samples, sampleRate: 22050))
        #expect(file.samples == samples)
        #expect(file.sampleRate == 22050)
        // As two channels these are two samples and half of one, which is left out.
        let stereo = try WAVFile(WAVFile.encode(samples, sampleRate: 22050, channelCount: 2))
        #expect(stereo.format.channelCount == 2 && stereo.samples == [0.05, (-0.3 + 1) / 2] as [Float])
        #expect(stereo.part(0..<2) == WAVFile.encode(Array(samples.prefix(4)), sampleRate: 22050, channelCount: 2))
    }

    /// `LEAP_WAV_FUZZ=1000000` for more files.
    @Test("Damaged files are read or refused within 128 MiB, and none ends the program")
    func damagedFiles() throws {
        let probe = try #require(ProgramBesideTests.url("leap-audio-probe"))
        let count =
            ProcessInfo.processInfo.environment["LEAP_WAV_FUZZ"].flatMap { Int($0) }
            ?? TestLevel.rounds(2_000, all: 20_000)
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
        try #require(counts.count == 3)
        // Read as they are, read up to where they are cut off, and refused: enough of each.
        #expect(counts.reduce(0, +) == count)
        #expect(counts[0] > count / 10)
        #expect(counts[1] > count / 20)
        #expect(counts[2] > count / 20)
    }
}

import Foundation
import LeapBase
import LeapTestSupport
import Testing

@testable import LeapAudio

struct AudioFileTests {
    private static let needsLibrary: Comment = "skipped: there is no libsndfile (package libsndfile1)"
    private static let hasLibrary = SystemAudioLibrary.shared != nil
    private static let compressed = [("tone.mp3", "MP3"), ("tone-vorbis.ogg", "Ogg"), ("tone-opus.ogg", "Ogg")]

    private static func data(_ name: String) throws -> Data { Data(try FixtureAudio.bytes(name)) }

    private static func wav(_ sound: FixtureAudio) throws -> WAVFile {
        let channels = sound.channels
        let bytes = (0..<sound.count).flatMap { index in
            channels.flatMap { channel in
                (0..<sound.bitsPerSample / 8).map { byte in
                    UInt8(truncatingIfNeeded: channel[index] >> (8 * byte)) ^ (sound.bitsPerSample == 8 ? 0x80 : 0)
                }
            }
        }
        return try WAVFile(
            MadeWAV.file(
                channels: UInt16(sound.channelCount), rate: UInt32(sound.sampleRate), bits: UInt16(sound.bitsPerSample),
                samples: bytes))
    }

    @Test("A FLAC file sounds as the WAV file of its samples, bit for bit", arguments: FixtureAudio.flac)
    func flac(sound: FixtureAudio) throws {
        let file = try AudioFile.read(Self.data(sound.name + ".flac"), library: nil)
        let expected = try Self.wav(sound)
        #expect(file.sampleRate == min(sound.sampleRate, 16_000) && file.note == nil)
        func spectrum(_ file: WAVFile) -> [Float] {
            var builder = MelSpectrumBuilder(sampleRate: file.sampleRate, form: .normalised)
            builder.append(file.samples)
            return builder.finish().values
        }
        if sound.sampleRate <= 16_000 { #expect(file.samples == expected.samples) }
        #expect(spectrum(file) == spectrum(expected))
    }

    @Test("The bytes decide, not a name: WAV stays as it is, and a tag in front of FLAC is left out")
    func sniffed() throws {
        let wav = MadeWAV.file(rate: 48_000, samples: [0, 0x40, 0, 0x80])
        #expect(try AudioFile.read(wav, library: nil).samples == [0.5, -1])
        #expect(try AudioFile.read(wav, library: nil).sampleRate == 48_000)
        let flac = try Self.data("mono-16.flac")
        let tag = Data("ID3".utf8) + [4, 0, 0, 0, 0, 1, 2] + Data(repeating: 0xFF, count: 130)
        #expect(try AudioFile.read(tag + flac, library: nil).samples == AudioFile.read(flac).samples)
        // Behind the last frame, as old programs put it.
        let behind = flac + Data("TAG".utf8) + Data(count: 125)
        #expect(try AudioFile.read(behind, library: nil).samples == AudioFile.read(flac).samples)
    }

    @Test(
        "MP3, Vorbis and Opus are read by the system's library", .enabled(if: hasLibrary, needsLibrary),
        arguments: compressed)
    func library(name: String, format: String) throws {
        let file = try AudioFile.read(Self.data(name))
        #expect(file.sampleRate == 16_000)
        // A second, and what an encoder adds at the end.
        #expect((15_900...17_600).contains(file.sampleCount), "\(file.sampleCount)")
        // A wave of 480 Hz: as much of it as of all else.
        let samples = Array(file.samples[2000..<14_000])
        func strength(_ frequency: Double) -> Double {
            var (real, imaginary) = (0.0, 0.0)
            for (index, sample) in samples.enumerated() {
                let angle = 2 * Double.pi * frequency * Double(index) / 16_000
                real += Double(sample) * cos(angle)
                imaginary += Double(sample) * sin(angle)
            }
            return (real * real + imaginary * imaginary).squareRoot() / Double(samples.count)
        }
        #expect(strength(480) > 0.1 && strength(480) < 0.2, "\(strength(480))")
        #expect(strength(700) < 0.01)
    }

    @Test("Without the library it is said which package to install, and what is read without it", arguments: compressed)
    func missing(name: String, format: String) throws {
        let error = #expect(throws: AudioFileError.self) { try AudioFile.read(Self.data(name), library: nil) }
        #expect(error?.code == .needsLibrary)
        for words in [format, "libsndfile1", "WAV or FLAC"] {
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
        #expect(SystemAudioLibrary(names: []) == nil)
        #expect(SystemAudioLibrary(names: ["libno-such-library.so.1", "libm.so.6"]) == nil)
    }

    @Test("Other formats are refused with the list of those that are read")
    func refused() {
        for (bytes, name) in [
            ([0, 0, 0, 32] + Array("ftypM4A ".utf8), "M4A"), (Array("FORM....AIFF".utf8), "AIFF"),
            ([0xFF, 0xF1, 0x50, 0x80], "AAC"), (Array("%PDF".utf8), "begins with 25 50 44 46"), ([], "0 bytes"),
        ] as [([UInt8], String)] {
            let error = #expect(throws: AudioFileError.self) { try AudioFile.read(Data(bytes)) }
            #expect(error?.code == .unknownFormat && error?.message.contains(name) == true)
            #expect(error?.message.contains(/WAV, FLAC, MP3 (and|or) Ogg \(Vorbis, Opus\)/) == true)
        }
    }

    @Test(
        "Sounds are bounded by what they become: by a header that says so before any work, and without one by counting")
    func limits() throws {
        var long = try FixtureAudio.bytes("mono-16.flac")
        for place in 22...25 { long[place] = 0xFF }
        let told = #expect(throws: AudioFileError.self) { try AudioFile.read(Data(long)) }
        #expect(told?.code == .tooLong && told?.message.contains("4194 seconds") == true, "\(told as Any)")
        // Silence of 40 seconds, in a stream without a length: 600 bytes.
        var encoder = FLACEncoder(sampleRate: 8000)
        let silent = Data(encoder.header + encoder.append([[Int](repeating: 0, count: 320_000)]) + encoder.finish())
        #expect(silent.count < 1200)
        for (limits, seconds) in [
            (AudioLimits(maxSamples: 100_000), 12), (AudioLimits(maxDecoded: 64_000), 8),
        ] {
            let error = #expect(throws: AudioFileError.self) { try AudioFile.read(silent, limits: limits) }
            #expect(error?.code == .tooLong && error?.message.contains("than \(seconds) seconds") == true)
        }
        #expect(try AudioFile.read(silent).sampleCount == 320_000)
        let channels = #expect(throws: AudioFileError.self) {
            try AudioFile.read(Self.data("six-16.flac"), limits: AudioLimits(maxChannels: 5))
        }
        #expect(channels?.message.contains("6 channels") == true)
        let none = #expect(throws: AudioFileError.self) {
            try AudioFile.read(FLACEncoder.encode([[]], sampleRate: 8000))
        }
        #expect(none?.code == .empty)
    }

    @Test("So are those of the system's library", .enabled(if: hasLibrary, needsLibrary), arguments: compressed)
    func libraryLimits(name: String, format: String) throws {
        let error = #expect(throws: AudioFileError.self) {
            try AudioFile.read(Self.data(name), limits: AudioLimits(maxSamples: 8000))
        }
        #expect(error?.code == .tooLong && error?.message.contains("the \(format) file") == true)
        for length in [4, 40, 100] {
            #expect(throws: AudioFileError.self) { try AudioFile.read(Self.data(name).prefix(length)) }
        }
    }

    /// `LEAP_SOUND_FUZZ=100000` for more files.
    @Test(
        "Damaged FLAC, MP3 and Ogg files are read or refused within 160 MiB, and none ends the program")
    func damagedFiles() throws {
        let probe = try #require(ProgramBesideTests.url("leap-audio-probe"))
        let count =
            ProcessInfo.processInfo.environment["LEAP_SOUND_FUZZ"].flatMap { Int($0) }
            ?? TestLevel.rounds(150, all: 1_500)
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
        let names = FixtureAudio.flac.map { $0.name + ".flac" } + (Self.hasLibrary ? Self.compressed.map(\.0) : [])
        let process = Process()
        process.executableURL = probe
        process.arguments = ["sounds", "1", "\(count)"] + names.map { folder.appending(path: $0).path }
        let output = Pipe()
        process.standardOutput = output
        // Where a decoder under the library says what it thinks of damaged frames.
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let hasEnded = process.terminationReason == .exit && process.terminationStatus == 0
        #expect(hasEnded, "\(text)")
        let counts: [Int] = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(counts.count == 2)
        #expect(counts[0] + counts[1] == count)
        // The checksums of FLAC find out nearly everything; the library hears what is left of MP3 and Ogg files.
        #expect(counts[1] > count / 3)
        #expect(!Self.hasLibrary || counts[0] > count / 20, "\(text)")
    }
}

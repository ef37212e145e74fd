import Foundation
import LeapTestSupport
import Testing

@testable import LeapCore

struct WAVFileTests {
    /// A WAV file with whatever header is asked for.
    static func file(
        tag: UInt16 = 1, channels: UInt16 = 1, rate: UInt32 = 16000, bits: UInt16 = 16, samples: [UInt8],
        declared: UInt32? = nil, extra: [UInt8] = []
    ) -> Data {
        func le<T: FixedWidthInteger>(_ value: T) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
        var bytes = Array("RIFF".utf8) + le(UInt32(36 + samples.count)) + Array("WAVEfmt ".utf8) + le(UInt32(16))
        bytes += le(tag) + le(channels) + le(rate) + le(UInt32(0)) + le(UInt16(0)) + le(bits)
        bytes += extra + Array("data".utf8) + le(declared ?? UInt32(samples.count)) + samples
        return Data(bytes)
    }

    @Test("Decodes the four encodings")
    func encodings() throws {
        #expect(try WAVFile(Self.file(samples: [0, 0x40, 0, 0x80])).samples == [0.5, -1])
        #expect(try WAVFile(Self.file(bits: 24, samples: [0, 0, 0x40, 0, 0, 0x80])).samples == [0.5, -1])
        #expect(try WAVFile(Self.file(bits: 32, samples: [0, 0, 0, 0x40, 0, 0, 0, 0x80])).samples == [0.5, -1])
        let float = withUnsafeBytes(of: Float(0.25).bitPattern.littleEndian) { Array($0) }
        #expect(try WAVFile(Self.file(tag: 3, bits: 32, samples: float)).samples == [0.25])
    }

    @Test("Skips other chunks, takes a stream of unknown length, and leaves out half a sample")
    func chunks() throws {
        let list: [UInt8] = Array("LIST".utf8) + [3, 0, 0, 0, 1, 2, 3, 0]
        #expect(try WAVFile(Self.file(samples: [0, 0x40], extra: list)).samples == [0.5])
        #expect(try WAVFile(Self.file(samples: [0, 0x40, 9], declared: .max)).samples == [0.5])
    }

    @Test(
        "Says what is wrong",
        arguments: [
            (Data("ID3".utf8), "not a WAV file"), (Data(), "not a WAV file"),
            (file(channels: 2, samples: [0, 0, 0, 0]), "2 channels (stereo)"),
            (file(bits: 8, samples: [0]), "format 1 with 8 bits"), (file(tag: 85, samples: []), "format 85"),
            (file(rate: 0, samples: []), "0 samples per second"),
            (file(samples: [0, 0], declared: 1000), "cut off"), (file(samples: []).prefix(36), "no data chunk"),
            (file(samples: []).prefix(30), "cut off"),
        ])
    func errors(data: Data, expected: String) {
        let error = #expect(throws: LeapSerializationException.self) { try ChatMessageContent.fromWAVData(data) }
        #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
    }

    @Test("Never traps on damaged files")
    func damaged() {
        let seed = UInt64.random(in: 0..<UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let good = Self.file(samples: [1, 2, 3, 4, 5, 6, 7, 8])
        for _ in 0..<3000 {
            var bytes = [UInt8](good.prefix(Int.random(in: 0...good.count, using: &generator)))
            for _ in 0..<3 where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            _ = try? WAVFile(Data(bytes))
        }
    }

    @Test("Reads what it writes, bit for bit")
    func encoding() throws {
        let samples: [Float] = [0, 0.1, -0.3, 1, -1]
        let file = try WAVFile(WAVFile.encode(samples, sampleRate: 22050))
        #expect(file.samples == samples)
        #expect(file.sampleRate == 22050)
        let content = ChatMessageContent.fromFloatSamples(samples, sampleRate: 16000)
        #expect(throws: Never.self) { try content.validate() }
        let stereo = ChatMessageContent.fromFloatSamples(samples, sampleRate: 16000, channelCount: 2)
        #expect(throws: LeapSerializationException.self) { try stereo.validate() }
    }

    @Test("A buffer collects samples into a file")
    func buffer() throws {
        let buffer = FloatAudioBuffer(sampleRate: 8000)
        buffer.add([0.1, 0.2])
        buffer.add([0.3])
        let file = try WAVFile(buffer.createWavBytes())
        #expect(file.samples == [0.1, 0.2, 0.3] && file.sampleRate == 8000)
    }

    @Test("Resampling keeps a tone and drops what the new rate cannot carry", arguments: [8000, 22050, 44100, 48000])
    func resampling(rate: Int) {
        func tone(_ frequency: Double, _ rate: Int) -> [Float] {
            (0..<rate / 4).map { Float(sin(2 * .pi * frequency * Double($0) / Double(rate))) }
        }
        let resampled = Resampler(from: rate, to: 16000).resample(tone(440, rate))
        let expected = tone(440, 16000)
        #expect(abs(resampled.count - expected.count) <= 1)
        let middle = 200..<min(resampled.count, expected.count) - 200
        #expect(middle.map { abs(resampled[$0] - expected[$0]) }.max() ?? 1 < 0.01)
        if rate >= 44100 {
            let silenced = Resampler(from: rate, to: 16000).resample(tone(14000, rate))
            #expect(silenced[200..<silenced.count - 200].map { abs($0) }.max() ?? 1 < 0.02)
        }
    }

    @Test("Images are JPEG, PNG or WebP, and others are named")
    func images() {
        #expect(throws: Never.self) { try ChatMessageContent.image(Data([0xFF, 0xD8, 0xFF, 0xE0])).validate() }
        #expect(throws: Never.self) { try ChatMessageContent.image(url: "https://example.com/a.jpg").validate() }
        let error = #expect(throws: LeapSerializationException.self) {
            try ChatMessageContent.fromJPEGData(Data("GIF89a".utf8)).validate()
        }
        #expect(error?.message.contains("the image is GIF") == true)
        #expect(ChatMessageContent.image(url: "data:image/png;base64,AQI=") == .image(Data([1, 2])))
        #expect(ChatMessageContent.fromJPEGData(Data([1])) == .image(Data([1])))
    }
}

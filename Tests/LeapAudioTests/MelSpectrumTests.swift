import Foundation
import LeapBase
import LeapTestSupport
import Testing

@testable import LeapAudio

/// The spectra that liquid-audio makes of the pattern's sounds.
private struct Reference: Decodable {
    struct Audio: Decodable {
        let samples: Int
        let frameCount: Int
        let frames: [Int]
        let spectrum: [Float]
    }

    let sounds: [Audio]

    static func load() throws -> Reference {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try JSONDecoder().decode(
            Reference.self, from: Data(contentsOf: folder.appendingPathComponent("Fixtures/audio/audio.json")))
    }
}

struct MelSpectrumTests {
    private static func spectrum(_ samples: [Float], rate: Int = 16_000, piece: Int = .max) -> MelSpectrum {
        var builder = MelSpectrumBuilder(sampleRate: rate, form: .normalised)
        var start = 0
        while start < samples.count {
            let end = piece == .max ? samples.count : min(samples.count, start + piece)
            builder.append(samples[start..<end])
            start = end
        }
        return builder.finish()
    }

    @Test("Spectra are those of liquid-audio within 5e-4")
    func parity() throws {
        var largest: Float = 0
        for sound in try Reference.load().sounds {
            let found = Self.spectrum(PatternAudio.samples(sound.samples))
            #expect(found.frameCount == sound.frameCount)
            #expect(found.values.count == sound.frameCount * SpectrumForm.normalisedBandCount)
            for (index, frame) in sound.frames.enumerated() {
                for band in 0..<SpectrumForm.normalisedBandCount {
                    let ours = found.values[frame * SpectrumForm.normalisedBandCount + band]
                    largest = max(largest, abs(ours - sound.spectrum[index * SpectrumForm.normalisedBandCount + band]))
                }
            }
        }
        #expect(largest <= 5e-4, "\(largest)")
    }

    @Test("Samples that come in pieces give what they give at once", arguments: [16_000, 44_100])
    func pieces(rate: Int) {
        let samples = PatternAudio.samples(5000)
        let whole = Self.spectrum(samples, rate: rate)
        for piece in [1, 159, 160, 1024] {
            #expect(Self.spectrum(samples, rate: rate, piece: piece).values == whole.values, "\(piece) at a time")
        }
    }

    @Test("Frames are computed while samples come")
    func early() {
        var builder = MelSpectrumBuilder(sampleRate: 16_000, form: .normalised)
        builder.append(PatternAudio.samples(16_000))
        #expect(builder.frameCount >= 97)
    }

    @Test("Short sounds and silence give finite numbers, and the last frame is zero")
    func extremes() {
        for count in [0, 1, 159, 160, 161, 320, 1000] {
            for value: Float in [0, 0.5, 65_536, -65_536] {
                let found = Self.spectrum([Float](repeating: value, count: count))
                #expect(found.frameCount == count / 160 + 1)
                let isFinite = found.values.allSatisfy { $0.isFinite }
                #expect(isFinite, "\(count) of \(value)")
                #expect(found.values.suffix(SpectrumForm.normalisedBandCount).allSatisfy { $0 == 0 })
            }
        }
    }

    @Test("A transform's powers are those of its definition")
    func transform() {
        for size in [4, 8, 32, 50, 320, 400, 512] {
            let samples = PatternAudio.samples(size)
            var powers = [Float](repeating: 0, count: size / 2 + 1)
            var scratch = [Float](repeating: 0, count: size)
            RealTransform(size: size).powers(of: samples, &powers, scratch: &scratch)
            for k in stride(from: 0, through: size / 2, by: max(1, size / 64)) {
                var (real, imaginary) = (0.0, 0.0)
                for (index, sample) in samples.enumerated() {
                    let angle = 2 * Double.pi * Double(k * index) / Double(size)
                    real += Double(sample) * cos(angle)
                    imaginary -= Double(sample) * sin(angle)
                }
                let exact = real * real + imaginary * imaginary
                #expect(abs(Double(powers[k]) - exact) <= 1e-5 * (1 + exact), "\(k) of \(size)")
            }
        }
    }
}

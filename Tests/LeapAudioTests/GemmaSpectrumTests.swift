import Foundation
import LeapBase
import LeapTestSupport
import Testing

@testable import LeapAudio

/// The spectra, and the samples, that Gemma 4's encoders of sound read.
struct GemmaSpectrumTests {
    private static let forms = [SpectrumForm.magnitudes(bands: 16), .samples(count: 640)]

    private static func spectrum(_ samples: [Float], form: SpectrumForm) -> MelSpectrum {
        var builder = MelSpectrumBuilder(sampleRate: 16_000, form: form)
        builder.append(samples)
        return builder.finish()
    }

    @Test("Silence gives the logarithm of a thousandth, or zeros")
    func silence() {
        let silence = [Float](repeating: 0, count: 1600)
        #expect(
            Self.spectrum(silence, form: .magnitudes(bands: 128)).values
                == [Float](repeating: logf(0.001), count: 9 * 128))
        #expect(Self.spectrum(silence, form: .samples(count: 640)).values == [Float](repeating: 0, count: 3 * 640))
    }

    @Test("Frames are as many as there are samples for, one at least, and those of each 30 seconds begin anew")
    func counts() {
        let magnitudes = [
            (1, 1), (320, 1), (321, 2), (16_000, 99), (480_000, 2999), (480_001, 3000), (480_321, 3001),
            (960_000, 5998),
        ]
        for (samples, frames) in magnitudes {
            #expect(MelSpectrum.frameCount(samples: samples, form: Self.forms[0]) == frames, "\(samples)")
        }
        for (samples, frames) in [(1, 1), (640, 1), (1281, 3), (480_000, 750), (480_001, 751), (960_000, 1500)] {
            #expect(MelSpectrum.frameCount(samples: samples, form: Self.forms[1]) == frames, "\(samples)")
        }
        let parts = MelSpectrum.parts(samples: 1_000_000, form: Self.forms[1])
        #expect(parts.count == 3 && parts.frames(of: 0) == 0..<750 && parts.frames(of: 2) == 1500..<1563)
        // Other forms have one part.
        let whole = MelSpectrum.parts(samples: 1_000_000, form: .scaled(bands: 128))
        #expect(
            whole.count == 1
                && whole.frames(of: 0) == 0..<MelSpectrum.frameCount(samples: 1_000_000, form: .scaled(bands: 128)))
    }

    @Test("Samples stay as they are, and the last frame is filled with zeros")
    func samples() {
        let samples = PatternAudio.samples(1281)
        let found = Self.spectrum(samples, form: .samples(count: 640))
        #expect(found.frameCount == 3 && found.bandCount == 640)
        #expect(Array(found.values.prefix(1281)) == samples)
        #expect(found.values.dropFirst(1281).allSatisfy { $0 == 0 })
    }

    @Test("A part of 30 seconds has the frames of a sound that ends there, and the next one those of one that begins")
    func parts() {
        // Quiet but for what is near the edge.
        let edge = PatternAudio.samples(2000)
        let first = [Float](repeating: 0, count: 479_000) + edge.prefix(1000)
        let rest = Array(edge.dropFirst(1000))
        let form = Self.forms[1]
        let whole = Self.spectrum(first + rest, form: form)
        #expect(whole.values == Self.spectrum(first, form: form).values + Self.spectrum(rest, form: form).values)
    }

    @Test("Frames of magnitudes begin anew after 30 seconds too")
    func magnitudeParts() {
        let first = [Float](repeating: 0.25, count: 480_000)
        let rest = PatternAudio.samples(1000)
        // Two bands, as all of them take long without optimisation.
        let form = SpectrumForm.magnitudes(bands: 2)
        let whole = Self.spectrum(first + rest, form: form)
        #expect(whole.frameCount == 2999 + 6)
        #expect(Array(whole.values.dropFirst(2999 * 2)) == Self.spectrum(rest, form: form).values)
    }

    @Test("Samples that come in pieces give the frames of the whole sound", arguments: forms, [16_000, 44_100])
    func pieces(form: SpectrumForm, rate: Int) {
        let samples = PatternAudio.samples(5000)
        var all = MelSpectrumBuilder(sampleRate: rate, form: form)
        all.append(samples)
        let whole = all.finish()
        for piece in [1, 159, 640, 1024] {
            var builder = MelSpectrumBuilder(sampleRate: rate, form: form)
            var values: [Float] = []
            for start in stride(from: 0, to: samples.count, by: piece) {
                builder.append(samples[start..<min(samples.count, start + piece)])
                values += builder.takeFrames().values
            }
            values += builder.finish().values
            #expect(values == whole.values, "\(piece)")
        }
    }
}

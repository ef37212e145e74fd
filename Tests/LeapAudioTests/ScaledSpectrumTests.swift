import Foundation
import LeapBase
import LeapTestSupport
import Testing

@testable import LeapAudio

/// The spectra that LFM3-Audio's encoder reads.
struct ScaledSpectrumTests {
    private static let form = SpectrumForm.scaled(bands: 128)

    private static func spectrum(_ samples: [Float], form: SpectrumForm = form) -> MelSpectrum {
        var builder = MelSpectrumBuilder(sampleRate: 16_000, form: form)
        builder.append(samples)
        return builder.finish()
    }

    /// The weight of a frequency in a band of Slaney's filters, by their definition.
    private static func weight(_ hertz: Double, band: Int, of bands: Int) -> Double {
        func edge(_ index: Int) -> Double {
            // 0 to 8000 Hz: 15 mel up to 1000 Hz, and 27 for each factor of 6.4 above.
            let highest = 15 + 27 * log(8.0) / log(6.4)
            let mel = highest * Double(index) / Double(bands + 1)
            return mel <= 15 ? mel / 15 * 1000 : 1000 * pow(6.4, (mel - 15) / 27)
        }
        let (low, middle, high) = (edge(band), edge(band + 1), edge(band + 2))
        guard hertz > low, hertz < high else { return 0 }
        return 2 / (high - low) * (hertz <= middle ? (hertz - low) / (middle - low) : (high - hertz) / (high - middle))
    }

    /// The powers of a frame's bands in double precision, by the definition of the transform.
    private static func powers(_ samples: [Float], frame: Int, bands: Int) -> [Double] {
        let windowed = (0..<400).map { index -> Double in
            let place = 160 * frame + index
            guard place < samples.count else { return 0 }
            return Double(samples[place]) * (0.5 - 0.5 * cos(2 * .pi * Double(index) / 400))
        }
        let bins = (0...200).map { bin -> Double in
            var (real, imaginary) = (0.0, 0.0)
            for (index, sample) in windowed.enumerated() {
                let angle = 2 * .pi * Double(bin * index) / 400
                real += sample * cos(angle)
                imaginary -= sample * sin(angle)
            }
            return real * real + imaginary * imaginary
        }
        return (0..<bands).map { band in
            bins.indices.reduce(0) { $0 + weight(40 * Double($1), band: band, of: bands) * bins[$1] }
        }
    }

    @Test("Silence gives -2 everywhere")
    func silence() {
        let found = Self.spectrum([Float](repeating: 0, count: 16_000))
        #expect(found.values == [Float](repeating: -2, count: 99 * 128))
    }

    @Test("A sound has a frame for each 10 ms and for what is left, and one at least")
    func counts() {
        for (samples, frames) in [(0, 1), (1, 1), (399, 1), (400, 1), (401, 2), (560, 2), (561, 3), (16_000, 99)] {
            let found = Self.spectrum([Float](repeating: 0.25, count: samples))
            #expect(found.frameCount == frames, "\(samples)")
            #expect(found.values.count == frames * 128)
            #expect(MelSpectrum.frameCount(samples: samples, form: Self.form) == frames)
            let isFinite = found.values.allSatisfy { $0.isFinite }
            #expect(isFinite)
        }
    }

    @Test("A tone of 1 kHz and noise give what the definition gives in double precision", arguments: [128, 16])
    func definition(bands: Int) {
        let tone = (0..<1000).map { Float(0.5 * sin(2 * .pi * 1000 * Double($0) / 16_000)) }
        for (name, samples) in [("tone", tone), ("pattern", PatternAudio.samples(1000))] {
            let found = Self.spectrum(samples, form: .scaled(bands: bands))
            #expect(found.bandCount == bands)
            #expect(found.frameCount == 5)
            for frame in 0..<found.frameCount {
                let expected = Self.powers(samples, frame: frame, bands: bands)
                let largest = expected.max() ?? 0
                for (band, power) in expected.enumerated() {
                    let value = Double(found.values[frame * bands + band])
                    // What is ten million times as weak as the tone is rounding.
                    let bound = 1e-7 * largest + 1e-5 * power + 1.1e-12
                    #expect(abs(pow(10, 4 * value - 4) - power) <= bound, "\(name) \(band)")
                    guard power > 1e-3 * largest else { continue }
                    #expect(abs(value - (log10(power) + 4) / 4) <= 1e-5, "\(name) \(band)")
                }
            }
        }
    }

    @Test("The tone is in the band around 1 kHz")
    func tone() {
        let tone = (0..<400).map { Float(sin(2 * .pi * 1000 * Double($0) / 16_000)) }
        let found = Self.spectrum(tone).values
        let loudest = found.indices.max { found[$0] < found[$1] }
        // Bands are 0.35 mel apart, and 1 kHz is 15 mel: the middle of band 42 is the nearest.
        #expect(loudest.map { (41...43).contains($0) } == true, "\(loudest ?? -1)")
    }

    @Test(
        "Frames come as soon as their samples are there, and are those of the whole sound", arguments: [16_000, 44_100])
    func frames(rate: Int) {
        let samples = PatternAudio.samples(5000)
        var all = MelSpectrumBuilder(sampleRate: rate, form: Self.form)
        all.append(samples)
        let whole = all.finish()
        for piece in [1, 159, 160, 399, 1024] {
            var builder = MelSpectrumBuilder(sampleRate: rate, form: Self.form)
            var (values, count): ([Float], Int) = ([], 0)
            for start in stride(from: 0, to: samples.count, by: piece) {
                let end = min(samples.count, start + piece)
                builder.append(samples[start..<end])
                let taken = builder.takeFrames()
                values += taken.values
                count += taken.frameCount
                #expect(taken.values.count == taken.frameCount * 128)
                #expect(builder.frameCount == count)
                if rate == 16_000 { #expect(count == (end < 400 ? 0 : (end - 400) / 160 + 1), "\(end) samples") }
            }
            let rest = builder.finish()
            #expect(values + rest.values == whole.values, "\(piece) at a time")
            #expect(count + rest.frameCount == whole.frameCount)
        }
    }

    @Test("Numbers of bands that no spectrum can be made of are not usable")
    func usable() {
        #expect(SpectrumForm.normalised.isUsable && Self.form.isUsable)
        for bands in [0, -1, 513, Int.max] { #expect(!SpectrumForm.scaled(bands: bands).isUsable) }
    }
}

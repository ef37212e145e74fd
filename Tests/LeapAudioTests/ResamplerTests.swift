import Foundation
import LeapTestSupport
import Testing

@testable import LeapAudio

struct ResamplerTests {
    private static func tone(_ frequency: Double, _ rate: Int, seconds: Double = 0.25) -> [Float] {
        (0..<Int(Double(rate) * seconds)).map { Float(sin(2 * .pi * frequency * Double($0) / Double(rate))) }
    }

    private static func resampled(_ samples: [Float], from: Int, to: Int = 16_000, piece: Int = .max) -> [Float] {
        var resampler = Resampler(from: from, to: to)
        var output: [Float] = []
        var start = 0
        while start < samples.count {
            let end = min(samples.count, piece == .max ? samples.count : start + piece)
            resampler.append(samples[start..<end], to: &output)
            start = end
        }
        resampler.finish(&output)
        return output
    }

    /// The strength of a signal away from its ends, in decibels against a full tone.
    private static func level(_ samples: [Float], margin: Int) -> Double {
        let middle = samples[margin..<samples.count - margin]
        let power = middle.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(middle.count)
        return 10 * log10(max(2 * power, 1e-30))
    }

    @Test(
        "Tones that the new rate carries stay as they are",
        arguments: [8000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000, 384_000], [200.0, 1000, 3400])
    func passes(rate: Int, frequency: Double) {
        let found = Self.resampled(Self.tone(frequency, rate, seconds: 0.1), from: rate)
        let expected = Self.tone(frequency, 16_000, seconds: 0.1)
        #expect(abs(found.count - expected.count) <= 1)
        let middle = 300..<min(found.count, expected.count) - 300
        #expect((middle.map { abs(found[$0] - expected[$0]) }.max() ?? 1) < 2e-4)
    }

    @Test(
        "Tones that the new rate cannot carry are 80 dB weaker",
        arguments: [22_050, 32_000, 44_100, 48_000, 96_000, 384_000])
    func aliases(rate: Int) {
        for frequency in stride(from: 8001.0, to: Double(rate) / 2, by: Double(rate) / (TestLevel.isAll ? 17 : 5)) {
            let found = Self.resampled(Self.tone(frequency, rate, seconds: 0.1), from: rate)
            let level = Self.level(found, margin: 500)
            #expect(level < -80, "\(frequency) Hz: \(level) dB")
        }
    }

    @Test("A higher rate brings no images of a tone", arguments: [6000, 8000, 11_025])
    func images(rate: Int) {
        for frequency in [500.0, Double(rate) * 0.35] {
            let found = Self.resampled(Self.tone(frequency, rate), from: rate)
            let expected = Self.tone(frequency, 16_000)
            let difference = zip(found, expected).map { $0 - $1 }
            #expect(Self.level(difference, margin: 800) < -80, "\(frequency) Hz")
        }
    }

    @Test("As many samples come out as the rates say, for any rate and number")
    func lengths() {
        for (from, to) in [
            (1, 16_000), (7, 3), (44_100, 16_000), (16_000, 16_000), (48_000, 16_000), (44_101, 16_000),
            (768_000, 16_000),
        ] {
            for count in [0, 1, 2, 160, 401] {
                let samples = [Float](repeating: 0.5, count: from == 1 ? min(count, 2) : count)
                let exact = (samples.count * to + from - 1) / from
                #expect(Self.resampled(samples, from: from, to: to).count == exact, "\(count) from \(from)")
                #expect(Resampler.count(of: samples.count, from: from, to: to) == exact)
            }
        }
        #expect(Resampler.count(of: .max, from: 1, to: 16_000) == nil)
    }

    @Test(
        "Samples that come in pieces give what they give at once", arguments: [8000, 44_100, 44_101, 48_000, 384_000])
    func pieces(rate: Int) {
        let samples = Self.tone(700, rate, seconds: 0.02)
        let whole = Self.resampled(samples, from: rate)
        for piece in [1, 7, 160, 4096] {
            #expect(Self.resampled(samples, from: rate, piece: piece) == whole, "\(piece) at a time")
        }
    }

    @Test("A rate whose filters are too many to be kept carries tones as others do")
    func manyPhases() {
        let found = Self.resampled(Self.tone(440, 44_101, seconds: 0.05), from: 44_101)
        let expected = Self.tone(440, 16_000, seconds: 0.05)
        #expect(((300..<500).map { abs(found[$0] - expected[$0]) }.max() ?? 1) < 2e-4)
    }
}

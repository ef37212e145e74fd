import Foundation
import LeapTestSupport
import Testing

@testable import LeapAudio

struct SpectrumSynthesisTests {
    private static let window = (0..<1280).map { Float(0.5 - 0.5 * cos(2 * Double.pi * Double($0) / 1280)) }

    private static func spectra(_ count: Int) -> [Float] {
        var generator = SeededGenerator(seed: UInt64(count))
        return (0..<count * 1282).map { _ in Float.random(in: -3...1, using: &generator) }
    }

    /// By the definition of the transform, in double precision.
    private static func reference(_ spectra: [Float]) -> [Double] {
        let count = spectra.count / 1282
        var sums = [Double](repeating: 0, count: (count - 1) * 320 + 1280)
        var weights = sums
        let cosines = (0..<1280).map { cos(2 * Double.pi * Double($0) / 1280) }
        let sines = (0..<1280).map { sin(2 * Double.pi * Double($0) / 1280) }
        for index in 0..<count {
            let base = index * 1282
            let parts = (0...640).map { k -> (Double, Double) in
                let (m, p) = (exp(Double(spectra[base + k])), Double(spectra[base + 641 + k]))
                return (m * cos(p), m * sin(p))
            }
            for n in 0..<1280 {
                var value = parts[0].0 + (n % 2 == 0 ? parts[640].0 : -parts[640].0)
                for k in 1..<640 {
                    let turn = k * n % 1280
                    value += 2 * (parts[k].0 * cosines[turn] - parts[k].1 * sines[turn])
                }
                let w = Double(window[n])
                sums[index * 320 + n] += value / 1280 * w
                weights[index * 320 + n] += w * w
            }
        }
        return zip(sums, weights).map { $0 / $1 }.dropFirst(480).dropLast(480)
    }

    @Test("Sound is what the definition of the transform gives, in any pieces")
    func matchesDefinition() {
        let spectra = Self.spectra(9)
        let expected = Self.reference(spectra)
        var whole = SpectrumSynthesis(window: Self.window, hop: 320)
        let samples = whole.append(spectra) + whole.finish()
        #expect(samples.count == 9 * 320)
        let error = zip(samples, expected).map { abs(Double($0) - $1) }.max() ?? .infinity
        #expect(error < 2e-6)
        for pieces in [[1, 8], [4, 5], [1, 1, 1, 1, 1, 1, 1, 1, 1], [0, 9, 0]] {
            var streaming = SpectrumSynthesis(window: Self.window, hop: 320)
            var (got, start): ([Float], Int) = ([], 0)
            for piece in pieces {
                got += streaming.append(Array(spectra[start..<start + piece * 1282]))
                start += piece * 1282
            }
            #expect(got + streaming.finish() == samples)
        }
    }

    @Test("A sound that is finished leaves nothing to the next one")
    func startsAnew() {
        var synthesis = SpectrumSynthesis(window: Self.window, hop: 320)
        #expect(synthesis.finish().isEmpty)
        let first = synthesis.append(Self.spectra(6)) + synthesis.finish()
        #expect(synthesis.append(Self.spectra(6)) + synthesis.finish() == first)
    }

    @Test("Numbers beyond all bounds give samples that are numbers")
    func survivesDamage() {
        var synthesis = SpectrumSynthesis(window: Self.window, hop: 320)
        var spectra = Self.spectra(6)
        for (index, value) in [Float.nan, .infinity, -.infinity, 3e38, -3e38].enumerated() {
            spectra[index] = value
            spectra[641 + index] = value
        }
        let samples = synthesis.append(spectra) + synthesis.finish()
        #expect(!samples.contains { !$0.isFinite })
    }

    @Test("The inverse of a transform gives the samples back", arguments: [4, 16, 20, 512, 640, 1280])
    func inverts(_ size: Int) {
        var generator = SeededGenerator(seed: UInt64(size))
        let samples = (0..<size).map { _ in Float.random(in: -1...1, using: &generator) }
        let turns = (0...size / 2).map { k in
            samples.indices.reduce((0.0, 0.0)) { sum, n in
                let angle = -2 * Double.pi * Double(k * n % size) / Double(size)
                return (sum.0 + Double(samples[n]) * cos(angle), sum.1 + Double(samples[n]) * sin(angle))
            }
        }
        let transform = RealTransform(size: size)
        var (out, scratch) = ([Float](repeating: 0, count: size), [Float](repeating: 0, count: size))
        transform.inverse(turns.map { Float($0.0) }, turns.map { Float($0.1) }, &out, scratch: &scratch)
        #expect((zip(out, samples).map { abs($0 - $1) }.max() ?? 1) < 1e-5)
        var powers = [Float](repeating: 0, count: size / 2 + 1)
        transform.powers(of: samples, &powers, scratch: &scratch)
        for (power, turn) in zip(powers, turns) {
            #expect(abs(Double(power) - turn.0 * turn.0 - turn.1 * turn.1) < 1e-4 * max(1, Double(size) / 16))
        }
    }
}

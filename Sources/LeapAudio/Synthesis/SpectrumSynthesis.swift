import Foundation

/// Makes sound of spectra as they come: the inverse of a short-time Fourier transform, by overlapping what each
/// spectrum becomes (Griffin and Lim 1984).
///
/// The sound begins and ends half of what the window overlaps inside of the first and the last one ("same" padding), so
/// that every spectrum stands for ``hop`` samples. Which samples come with which spectra makes no difference to them.
package struct SpectrumSynthesis: Sendable {
    private let window: [Float]
    private let squares: [Float]
    private let hop: Int
    private let transform: RealTransform
    /// Sums for samples that later spectra add to, `[window]`, and those of the squared window.
    private var sums: [Float]
    private var weights: [Float]
    /// Samples at the beginning that are left out.
    private var skipped: Int
    private var hasSpectra = false

    /// Begins a sound.
    ///
    /// - Parameters:
    ///   - window: what the samples of each spectrum are multiplied with; a power of two of them, or five times one.
    ///   - hop: samples from one spectrum to the next, less than those of the window, and as even.
    package init(window: [Float], hop: Int) {
        precondition(hop > 0 && hop < window.count && (window.count - hop) % 2 == 0, "windows that overlap")
        self.window = window
        self.hop = hop
        squares = window.map { $0 * $0 }
        transform = RealTransform(size: window.count)
        sums = [Float](repeating: 0, count: window.count)
        weights = sums
        skipped = (window.count - hop) / 2
    }

    /// Numbers of a spectrum.
    package var spectrumLength: Int { window.count + 2 }

    /// Takes spectra.
    ///
    /// - Parameter spectra: `[spectra][spectrumLength]`: the logarithms of magnitudes, then phases in radians.
    /// - Returns: the samples that no later spectrum changes.
    package mutating func append(_ spectra: [Float]) -> [Float] {
        precondition(spectra.count % spectrumLength == 0, "whole spectra")
        var samples: [Float] = []
        let half = spectrumLength / 2
        var (real, imaginary) = ([Float](repeating: 0, count: half), [Float](repeating: 0, count: half))
        var (scratch, frame) = (sums, sums)
        for start in stride(from: 0, to: spectra.count, by: spectrumLength) {
            for index in 0..<half {
                // Beyond all numbers a spectrum would make all samples behind it no numbers.
                let magnitude = Self.usable(expf(spectra[start + index]))
                let phase = Self.usable(spectra[start + half + index])
                real[index] = magnitude * cosf(phase)
                imaginary[index] = magnitude * sinf(phase)
            }
            transform.inverse(real, imaginary, &frame, scratch: &scratch)
            for index in frame.indices {
                sums[index] += frame[index] * window[index]
                weights[index] += squares[index]
            }
            samples += takeFirst(hop)
            hasSpectra = true
        }
        return samples
    }

    /// Ends the sound.
    ///
    /// - Returns: the samples that were still to be added to.
    package mutating func finish() -> [Float] {
        defer { self = SpectrumSynthesis(window: window, hop: hop) }
        return hasSpectra ? takeFirst((window.count - hop) / 2) : []
    }

    /// Takes samples that are complete.
    private mutating func takeFirst(_ count: Int) -> [Float] {
        let left = min(skipped, count)
        skipped -= left
        // Where the window is zero nothing was added.
        let samples = (left..<count).map { weights[$0] > 1e-11 ? Self.usable(sums[$0] / weights[$0]) : 0 }
        sums.removeFirst(count)
        weights.removeFirst(count)
        sums += repeatElement(0, count: count)
        weights += repeatElement(0, count: count)
        return samples
    }

    private static func usable(_ value: Float) -> Float {
        value.isNaN ? 0 : min(max(value, -Float.greatestFiniteMagnitude / 1e6), Float.greatestFiniteMagnitude / 1e6)
    }
}

import Foundation

/// The level of samples as a meter shows it.
package enum VoiceLevel {
    /// The levels that are shown as nothing and as everything, in decibels of full scale.
    private static let range = -50.0 ... -6.0

    /// The level of samples, in 0...1: their power in decibels, as ears have it.
    package static func of(_ samples: some Collection<Float>) -> Float {
        guard !samples.isEmpty else { return 0 }
        var sum = 0.0
        for sample in samples where sample.isFinite { sum += Double(sample) * Double(sample) }
        let decibels = 10 * log10(max(sum / Double(samples.count), 1e-12))
        let place = (decibels - range.lowerBound) / (range.upperBound - range.lowerBound)
        return Float(min(max(place, 0), 1))
    }
}

import Foundation

/// Changes the rate of samples with a windowed sinc (Smith, "Digital Audio Resampling", 2002).
///
/// The window is a Hann of 16 zero crossings on each side, at the lower of the two rates, so nothing above half of it folds back.
struct Resampler {
    private static let crossings = 16.0
    let from: Int
    let to: Int

    func resample(_ samples: [Float]) -> [Float] {
        guard from != to, from > 0, to > 0, !samples.isEmpty else { return samples }
        let step = Double(from) / Double(to)
        let cutoff = min(1, 1 / step)
        let reach = Self.crossings / cutoff
        let count = Int((Double(samples.count) / step).rounded(.up))
        return (0..<count).map { index in
            let center = Double(index) * step
            let first = max(0, Int((center - reach).rounded(.up)))
            let last = min(samples.count - 1, Int((center + reach).rounded(.down)))
            guard first <= last else { return 0 }
            var sum = 0.0
            var weight = 0.0
            for i in first...last {
                let x = (Double(i) - center) * cutoff
                let sinc = x == 0 ? 1 : sin(.pi * x) / (.pi * x)
                let tap = sinc * (0.5 + 0.5 * cos(.pi * x / Self.crossings))
                sum += tap * Double(samples[i])
                weight += tap
            }
            // Divided by what the taps add up to, so that a constant stays constant at the edges too.
            return weight == 0 ? 0 : Float(sum / weight)
        }
    }
}

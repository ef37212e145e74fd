import Foundation

/// The agreement of probabilities with what was right.
package struct Reliability: Sendable, Hashable {
    /// Answers whose largest probability lies in one of ten equal parts of 0 to 1.
    package struct Bin: Sendable, Hashable {
        package var count = 0
        /// The mean of the largest probabilities.
        package var confidence = 0.0
        /// The share of answers that were right.
        package var accuracy = 0.0
    }

    /// The number of answers.
    package let count: Int
    /// Ten bins; those of small probabilities first.
    package let bins: [Bin]
    /// The share of answers whose likeliest option was right.
    package let accuracy: Double
    /// The expected calibration error: the mean distance of confidence and accuracy, weighted by the bins' counts.
    package let calibrationError: Double
    /// The Brier score: the mean of the sums of squared distances from 1 for the right option and 0 for others, 0 to 2.
    package let brier: Double
    /// The mean of minus the natural logarithm of the right option's probability.
    package let logLoss: Double

    private static let binCount = 10
    /// The smallest probability whose logarithm is taken.
    private static let smallest = 1e-300

    /// Measures answers: the probabilities of each, with the index of the right option.
    package init(_ answers: [(probabilities: [Double], label: Int)]) {
        var bins = [Bin](repeating: Bin(), count: Self.binCount)
        var (right, squares, losses) = (0.0, 0.0, 0.0)
        for (probabilities, label) in answers where probabilities.indices.contains(label) {
            let best = DecisionMath.firstLargest(probabilities)
            let hit = best == label ? 1.0 : 0.0
            let bin = min(Self.binCount - 1, max(0, Int(probabilities[best] * Double(Self.binCount))))
            bins[bin].count += 1
            bins[bin].confidence += probabilities[best]
            bins[bin].accuracy += hit
            right += hit
            losses -= log(max(Self.smallest, probabilities[label]))
            for (index, probability) in probabilities.enumerated() {
                let distance = probability - (index == label ? 1 : 0)
                squares += distance * distance
            }
        }
        let count = bins.reduce(0) { $0 + $1.count }
        let total = Double(max(1, count))
        var error = 0.0
        for index in bins.indices where bins[index].count > 0 {
            error += abs(bins[index].confidence - bins[index].accuracy) / total
            bins[index].confidence /= Double(bins[index].count)
            bins[index].accuracy /= Double(bins[index].count)
        }
        self.count = count
        self.bins = bins
        accuracy = right / total
        calibrationError = error
        brier = squares / total
        logLoss = losses / total
    }
}

import Foundation

/// The arithmetic from scores to answers, in double precision.
package enum DecisionMath {
    /// Returns softmax(scores / temperature).
    package static func softmax(_ scores: [Double], temperature: Double = 1) -> [Double] {
        guard let largest = scores.max() else { return [] }
        let powers = scores.map { exp(($0 - largest) / temperature) }
        let sum = powers.reduce(0, +)
        return powers.map { $0 / sum }
    }

    /// Returns the logarithm of the sum of exponentials.
    package static func logSumExp(_ values: [Double]) -> Double {
        guard let largest = values.max(), largest > -.infinity else { return -.infinity }
        return largest + log(values.reduce(0) { $0 + exp($1 - largest) })
    }

    /// Returns the index of the largest value, the first of several equal ones; 0 of none.
    package static func firstLargest(_ values: [Double]) -> Int {
        var best = 0
        for index in values.indices where values[index] > values[best] { best = index }
        return best
    }

    /// Returns the confidence of a choice; see ``DecisionAnswer/confidence``.
    package static func choiceConfidence(_ probabilities: [Double]) -> Double {
        guard probabilities.count > 1 else { return 1 }
        let equal = 1 / Double(probabilities.count)
        return max(0, ((probabilities.max() ?? equal) - equal) / (1 - equal))
    }

    /// Returns the confidence of a score; see ``DecisionAnswer/confidence``.
    package static func scoreConfidence(_ probabilities: [Double]) -> Double {
        guard probabilities.count > 1 else { return 1 }
        let (mode, count) = (firstLargest(probabilities), Double(probabilities.count))
        let middle = (count - 1) / 2
        let spread = zip(0..., probabilities).reduce(0) { $0 + $1.1 * Double(abs($1.0 - mode)) }
        let equal = probabilities.indices.reduce(0) { $0 + abs(Double($1) - middle) } / count
        return max(0, 1 - spread / equal)
    }
}

extension DecisionMath {
    /// Returns 1 minus the entropy relative to that of equal probabilities, the confidence of AnyDecisionModel.
    package static func entropyConfidence(_ probabilities: [Double]) -> Double {
        guard probabilities.count > 1 else { return 1 }
        let entropy = probabilities.reduce(0) { $1 > 0 ? $0 - $1 * log($1) : $0 }
        return max(0, min(1, 1 - entropy / log(Double(probabilities.count))))
    }

    /// Returns e to the power of a value.
    package static func exponential(_ value: Double) -> Double { exp(value) }

    /// Returns the natural logarithm of a probability; that of the smallest positive number for 0.
    package static func logarithm(_ probability: Double) -> Double { log(max(.leastNonzeroMagnitude, probability)) }
}

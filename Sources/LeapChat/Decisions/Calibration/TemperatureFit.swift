import Foundation

/// A temperature that was fitted to labelled answers, and how these agree before and after.
package struct TemperatureFit: Sendable, Hashable {
    /// The key of the temperature, as in ``DecisionTemperatures/values``.
    package let key: String
    /// The number of answers.
    package let count: Int
    package let temperature: Double
    /// True if the likeliest temperature lies outside of the range that is searched.
    package let isAtLimit: Bool

    /// The range that is searched.
    package static let range = 0.05...20.0
    /// Answers that a temperature of its own needs.
    package static let minimumCount = 20

    /// Returns the temperatures of each type with enough answers, and of each of its buckets with enough.
    package static func all(_ answers: [LabelledAnswer], isLev: Bool = false) -> [TemperatureFit] {
        var groups: [String: [LabelledAnswer]] = [:]
        for answer in answers {
            let count = Question("", answer.kind).optionCount
            guard count > 1 else { continue }  // Certain at every temperature.
            groups[answer.kind.key, default: []].append(answer)
            let bucket = DecisionTemperatures.bucket(count, isLev: isLev)
            groups["\(answer.kind.key).\(bucket)", default: []].append(answer)
        }
        return groups.filter { $0.value.count >= minimumCount }
            .sorted { $0.key < $1.key }
            .map { TemperatureFit(key: $0.key, $0.value) }
    }

    /// Returns the temperatures by key.
    package static func temperatures(_ fits: [TemperatureFit]) -> DecisionTemperatures {
        DecisionTemperatures(Dictionary(fits.map { ($0.key, $0.temperature) }, uniquingKeysWith: { first, _ in first }))
    }

    /// Finds the temperature at which the labels are likeliest, by golden sections of its logarithm.
    private init(key: String, _ answers: [LabelledAnswer]) {
        self.key = key
        count = answers.count
        func loss(_ logarithm: Double) -> Double {
            let temperature = exp(logarithm)
            return answers.reduce(0) { sum, answer in
                let probabilities = answer.curve.probabilities(temperature)
                let share = probabilities.indices.contains(answer.label) ? probabilities[answer.label] : 1
                return sum - log(max(1e-300, share))
            }
        }
        let section = (5.0.squareRoot() - 1) / 2
        var (low, high) = (log(Self.range.lowerBound), log(Self.range.upperBound))
        var (left, right) = (high - section * (high - low), low + section * (high - low))
        var (leftLoss, rightLoss) = (loss(left), loss(right))
        while high - low > 1e-7 {
            // Of equally likely temperatures the colder one, as where all answers are right.
            if leftLoss <= rightLoss {
                (high, right, rightLoss) = (right, left, leftLoss)
                left = high - section * (high - low)
                leftLoss = loss(left)
            } else {
                (low, left, leftLoss) = (left, right, rightLoss)
                right = low + section * (high - low)
                rightLoss = loss(right)
            }
        }
        let found = exp((low + high) / 2)
        temperature = found
        isAtLimit = found < Self.range.lowerBound * 1.0001 || found > Self.range.upperBound / 1.0001
    }
}

extension [LabelledAnswer] {
    /// The agreement at the temperatures that answers have without new ones.
    package var reliability: Reliability {
        Reliability(map { ($0.curve.probabilities($0.curve.temperature), $0.label) })
    }

    /// The agreement at fitted temperatures; answers without one have theirs.
    package func reliability(at temperatures: DecisionTemperatures, isLev: Bool = false) -> Reliability {
        Reliability(
            map { answer in
                let count = Question("", answer.kind).optionCount
                let temperature = temperatures.temperature(of: answer.kind, count: count, isLev: isLev)
                return (answer.curve.probabilities(temperature ?? answer.curve.temperature), answer.label)
            })
    }
}

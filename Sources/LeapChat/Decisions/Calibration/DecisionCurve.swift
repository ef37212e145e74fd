/// The probabilities of a question's options as a function of the temperature.
package struct DecisionCurve: Sendable {
    /// The temperature that answers have without a new one.
    package let temperature: Double
    /// Returns the probabilities at a temperature.
    package let probabilities: @Sendable (_ temperature: Double) -> [Double]

    package init(temperature: Double = 1, probabilities: @escaping @Sendable (Double) -> [Double]) {
        self.temperature = temperature
        self.probabilities = probabilities
    }

    /// The curve of scores: softmax(scores / temperature).
    package init(scores: [Double], temperature: Double = 1) {
        self.init(temperature: temperature) { DecisionMath.softmax(scores, temperature: $0) }
    }
}

/// An answer whose right option is known.
package struct LabelledAnswer: Sendable {
    package let kind: Question.Kind
    package let curve: DecisionCurve
    /// The index of the right option.
    package let label: Int

    package init(_ kind: Question.Kind, _ curve: DecisionCurve, label: Int) {
        self.kind = kind
        self.curve = curve
        self.label = label
    }
}

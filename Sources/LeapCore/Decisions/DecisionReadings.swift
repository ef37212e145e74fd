package import LeapChat
import LeapEngine
import LeapModel

/// The results of the prompts of questions, for answers at any temperature.
struct DecisionReadings: Sendable {
    let questions: [Question]
    let capabilities: DecisionCapabilities
    /// The prompts of each question.
    let prompts: [[DecisionPrompt]]
    /// The results of each question's prompts.
    let results: [[ScoringResult]]
    /// The temperature of each question.
    let temperatures: [Double]

    /// Returns what the prompts of a question say at a temperature; nil if a result is of another kind.
    func outcomes(_ index: Int, at temperature: Double) -> [DecisionPrompt.Outcome]? {
        let found = zip(prompts[index], results[index]).compactMap { $0.outcome($1, temperature) }
        return found.count == prompts[index].count ? found : nil
    }

    /// Returns the probabilities of a question's options at a temperature: the mean of those of its prompts.
    func probabilities(_ index: Int, at temperature: Double) -> [Double]? {
        outcomes(index, at: temperature).map { Self.mean($0.map(\.probabilities)) }
    }

    static func mean(_ all: [[Double]]) -> [Double] {
        guard let first = all.first, all.count > 1 else { return all.first ?? [] }
        return first.indices.map { index in all.reduce(0) { $0 + $1[index] } / Double(all.count) }
    }
}

extension ModelRunner {
    /// Returns the probabilities of each question's options as functions of the temperature.
    ///
    /// A runner of another process gives those of one temperature: of these, the logarithms are the scores.
    package func decisionCurves(
        _ questions: [Question], about state: DecisionState, options: DecisionOptions
    ) async throws -> [DecisionCurve] {
        if let runner = self as? LiquidInferenceEngineRunner {
            let readings = try await runner.readings(questions, about: state, options: options)
            return questions.indices.map { index in
                DecisionCurve(temperature: readings.temperatures[index]) {
                    readings.probabilities(index, at: $0) ?? []
                }
            }
        }
        var plain = options
        plain.temperature = 1
        return try await decide(questions, about: state, options: plain).map { answer in
            DecisionCurve(scores: answer.probabilities.map { DecisionMath.logarithm($0) })
        }
    }
}

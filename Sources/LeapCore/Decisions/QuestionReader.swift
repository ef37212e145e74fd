package import LeapChat
package import LeapEngine
package import LeapModel
package import LeapTokenizer

/// A prompt of a question, and the way from what the engine computes of it to probabilities.
package struct DecisionPrompt: Sendable {
    /// The probabilities that one prompt gives.
    package struct Outcome: Sendable {
        /// The probability of each option, in the order of the question.
        package var probabilities: [Double]
        /// The probability of all labels together; nil where it is not known.
        package var labelMass: Double?

        package init(_ probabilities: [Double], labelMass: Double? = nil) {
            self.probabilities = probabilities
            self.labelMass = labelMass
        }
    }

    /// The tokens.
    package var tokens: [TokenID]
    /// The labels whose logits are asked for; empty where ``purpose`` says something else.
    package var labels: [TokenID] = []
    /// True if the labels' share of all probability is asked for.
    package var isNormalized = false
    /// The result that is asked for, in place of labels.
    package var purpose: ScoringRequest.Purpose?
    /// The pictures or the sound that it begins with.
    package var media: [MediaInput] = []
    /// The parts that were too long.
    package var cuts: [DecisionAnswer.Cut] = []
    /// Makes probabilities of a result and a temperature; nil where the result is of another kind.
    package var outcome: @Sendable (ScoringResult, _ temperature: Double) -> Outcome?

    package init(tokens: [TokenID], outcome: @escaping @Sendable (ScoringResult, Double) -> Outcome?) {
        self.tokens = tokens
        self.outcome = outcome
    }
}

/// A question of a request.
package struct AskedQuestion: Sendable {
    package var question: Question
    /// All questions of the request.
    package var questions: [Question]
    package var state: DecisionState
    package var options: DecisionOptions
}

/// The way in which a kind of model answers questions: makes prompts, and reads results.
///
/// Label logits, mask scores and readouts each have one.
package protocol QuestionReader: Sendable {
    var capabilities: DecisionCapabilities { get }

    /// True if the prompts of a request share the beginning with the state.
    var sharesState: Bool { get }

    /// The prompts of a question; the answer is the mean of their probabilities.
    ///
    /// - Throws: ``LeapDecisionException`` that names the field.
    func prompts(for asked: AskedQuestion) throws -> [DecisionPrompt]
}

extension QuestionReader {
    package var sharesState: Bool { true }
}

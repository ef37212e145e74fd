/// The answer to a question for yes or no.
public struct YesNoAnswer: Sendable, Hashable {
    /// The answer with all of its details.
    public let answer: DecisionAnswer

    /// Creates a typed answer from the answer to a question for yes or no.
    public init(_ answer: DecisionAnswer) { self.answer = answer }

    /// The probability of yes, 0 to 1.
    public var probability: Double { answer.probability }
    /// A Boolean value that indicates whether yes is at least as likely as no.
    public var isYes: Bool { answer.isYes }
    /// The confidence, 0 to 1; see `DecisionAnswer.confidence`.
    public var confidence: Double { answer.confidence }
}

/// The answer to a choice between the cases of an enumeration.
public struct ChoiceAnswer<Choice: CaseIterable & Sendable>: Sendable {
    /// The likeliest case, the first of several equal ones.
    public let value: Choice
    /// The answer with all of its details.
    public let answer: DecisionAnswer

    /// Creates a typed answer.
    ///
    /// - Throws: `LeapDecisionException` if no case has the name of the likeliest option.
    public init(_ answer: DecisionAnswer) throws {
        guard let value = answer.choice(as: Choice.self) else {
            throw LeapDecisionException(
                field: "answers.\(answer.name)", "\(answer.choice) is no case of \(Choice.self)")
        }
        self.value = value
        self.answer = answer
    }

    /// The probability of ``value``, 0 to 1.
    public var probability: Double { answer.probability }
    /// The confidence, 0 to 1; see `DecisionAnswer.confidence`.
    public var confidence: Double { answer.confidence }

    /// Returns the probability of a case, 0 to 1; 0 if it was not among the options.
    public func probability(of choice: Choice) -> Double {
        answer.probability(of: Question.Option(case: choice).name) ?? 0
    }
}

extension ChoiceAnswer: Equatable where Choice: Equatable {}
extension ChoiceAnswer: Hashable where Choice: Hashable {}

/// The answer to a question for a level.
public struct ScoreAnswer: Sendable, Hashable {
    /// The answer with all of its details.
    public let answer: DecisionAnswer

    /// Creates a typed answer from the answer to a question for a level.
    public init(_ answer: DecisionAnswer) { self.answer = answer }

    /// The expected level, counted from 0.
    public var value: Double { answer.score }
    /// The index of the likeliest level, counted from 0.
    public var level: Int { answer.index }
    /// The text of the likeliest level.
    public var levelName: String { answer.choice }
    /// The probability of each level, lowest first.
    public var probabilities: [Double] { answer.probabilities }
    /// The confidence, 0 to 1; see `DecisionAnswer.confidence`.
    public var confidence: Double { answer.confidence }
}

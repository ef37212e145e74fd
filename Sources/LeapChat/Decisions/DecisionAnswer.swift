/// The answer to a ``Question``: a probability for every option.
public struct DecisionAnswer: Sendable, Hashable {
    /// The way in which probabilities were read from a model.
    public enum Reading: String, Sendable, Hashable, Codable {
        /// The model was trained for decisions.
        case trained
        /// An ordinary chat model: the probabilities of labels after a prompt. They are not calibrated.
        case readout
    }

    /// A part of a prompt that was too long, and what is left of it.
    public struct Cut: Sendable, Hashable {
        /// The part: `state`, `instructions`, `options[2]`, or `audio` for a sound of more than 30 seconds.
        public let field: String
        /// The number of its tokens that the model read.
        public let keptTokens: Int
        /// The number of its tokens.
        public let totalTokens: Int

        /// Creates the description of a cut.
        package init(field: String, keptTokens: Int, totalTokens: Int) {
            self.field = field
            self.keptTokens = keptTokens
            self.totalTokens = totalTokens
        }
    }

    /// The name of the question.
    public let name: String
    /// The type of the question, with its options.
    public let kind: Question.Kind
    /// The probability of each option, in their order, of yes and no for a question for these; the sum is 1.
    public let probabilities: [Double]
    /// The confidence, 0 to 1.
    ///
    /// For a choice it is `(p - 1/n) / (1 - 1/n)` with the largest probability `p` of `n` options, so 0 if all are
    /// equal; for yes or no it is the same with two. For a score it is 1 minus the mean distance from the likeliest
    /// level, relative to that of equal probabilities, at least 0. With one option it is 1.
    public let confidence: Double
    /// The way in which the probabilities were read.
    public let reading: Reading
    /// The parts of the prompt that were too long for the model.
    public let cuts: [Cut]
    /// The probability of all labels together among all tokens, for a readout; nil otherwise.
    ///
    /// With a small value, the model would have written something else than an answer.
    public let labelMass: Double?

    /// Creates an answer from probabilities.
    package init(
        _ question: Question, probabilities: [Double], reading: Reading, cuts: [Cut] = [], labelMass: Double? = nil
    ) {
        name = question.name
        kind = question.kind
        self.probabilities = probabilities
        if case .score = question.kind {
            confidence = DecisionMath.scoreConfidence(probabilities)
        } else {
            confidence = DecisionMath.choiceConfidence(probabilities)
        }
        self.reading = reading
        self.cuts = cuts
        self.labelMass = labelMass
    }

    /// The index of the likeliest option, the first of several equal ones.
    public var index: Int { DecisionMath.firstLargest(probabilities) }

    /// The name of the likeliest option; for yes or no, `yes` or `no`.
    public var choice: String { options.indices.contains(index) ? options[index] : "" }

    /// The names of the options, in the order of ``probabilities``.
    public var options: [String] { Question(name, kind).optionNames }

    /// The probability of yes; for other types, that of the likeliest option.
    public var probability: Double {
        if case .yesNo = kind { return probabilities.first ?? 0 }
        return probabilities.indices.contains(index) ? probabilities[index] : 0
    }

    /// A Boolean value that indicates whether yes is at least as likely as no; false for other types.
    public var isYes: Bool { if case .yesNo = kind { probability >= 0.5 } else { false } }

    /// The expected level of a score, counted from 0: the sum of each level's index times its probability.
    public var score: Double { zip(0..., probabilities).reduce(0) { $0 + Double($1.0) * $1.1 } }

    /// Returns the probability of an option; nil if there is none of this name.
    public func probability(of option: String) -> Double? {
        options.firstIndex(of: option).map { probabilities[$0] }
    }
}

/// The answers to the questions of one request, in their order.
public struct Decisions: Sendable, Hashable, RandomAccessCollection {
    /// The answers, in the order of the questions.
    public let answers: [DecisionAnswer]
    /// The name of the model.
    public let modelId: String
    /// The number of tokens of all prompts.
    public let inputTokenCount: Int
    /// The number of these tokens that did not have to be computed, because questions or requests share them.
    public let cachedTokenCount: Int

    /// The tokens of the prompts of one question.
    package struct PromptTokens: Sendable, Hashable {
        /// The number of tokens.
        package let inputCount: Int
        /// The number of these that did not have to be computed.
        package let cachedCount: Int

        package init(inputCount: Int, cachedCount: Int) {
            self.inputCount = inputCount
            self.cachedCount = cachedCount
        }
    }

    /// The tokens of each question.
    package let promptTokens: [PromptTokens]

    /// Creates the answers of a request.
    ///
    /// - Parameter promptTokens: those of each question.
    package init(answers: [DecisionAnswer], modelId: String, promptTokens: [PromptTokens]) {
        self.answers = answers
        self.modelId = modelId
        self.promptTokens = promptTokens
        inputTokenCount = promptTokens.reduce(0) { $0 + $1.inputCount }
        cachedTokenCount = promptTokens.reduce(0) { $0 + $1.cachedCount }
    }

    /// The index of the first answer.
    public var startIndex: Int { 0 }
    /// The number of answers.
    public var endIndex: Int { answers.count }
    /// The answer to a question, by its index.
    public subscript(index: Int) -> DecisionAnswer { answers[index] }
    /// The answer to a question, by its name; nil if there is none.
    public subscript(name: String) -> DecisionAnswer? { answers.first { $0.name == name } }
}

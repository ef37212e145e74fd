package import LeapJSON

/// A typed question about a state; the answer has a probability for every option.
///
/// ```swift
/// let question = Question.choice("Which team should read it?", ["billing", "support", "sales"])
/// ```
public struct Question: Sendable, Hashable {
    /// The type of a question, with its options.
    public enum Kind: Sendable, Hashable {
        /// A question that is answered with yes or no.
        case yesNo(YesNoCriteria)
        /// A question that is answered with one of several options, 1 to 255.
        case choice([Option])
        /// A question that is answered with a level on a scale, lowest first, 1 to 10.
        case score([String])
    }

    /// The meaning of yes and no, where the instructions leave it open.
    public struct YesNoCriteria: Sendable, Hashable {
        /// The cases in which the answer is yes; nil for none.
        public var yes: String?
        /// The cases in which the answer is no; nil for none.
        public var no: String?

        /// Creates criteria.
        public init(yes: String? = nil, no: String? = nil) {
            self.yes = yes
            self.no = no
        }
    }

    /// An option of a choice.
    public struct Option: Sendable, Hashable, ExpressibleByStringLiteral {
        /// The name, which the answer has.
        public var name: String
        /// A description for the model; nil for none.
        public var description: String?

        /// Creates an option.
        public init(_ name: String, description: String? = nil) {
            self.name = name
            self.description = description
        }

        /// Creates an option without a description.
        public init(stringLiteral value: String) { self.init(value) }
    }

    /// The name of the question and of its answer; the instructions where none is set.
    public var name: String
    /// The type, with the options.
    public var kind: Kind
    /// The instructions: text, or another JSON value.
    package var instructionValue: JSONValue

    /// The text of the question; JSON text if it was given as another value than text.
    public var instructions: String { instructionValue.string ?? JSONWriter.string(instructionValue) }

    /// Creates a question from its parts.
    package init(name: String, instructions: JSONValue, kind: Kind) {
        self.name = name
        instructionValue = instructions
        self.kind = kind
    }

    /// Creates a question.
    ///
    /// - Parameters:
    ///   - instructions: the question itself.
    ///   - kind: its type, with the options.
    ///   - name: the name of its answer; nil for the instructions.
    public init(_ instructions: String, _ kind: Kind, name: String? = nil) {
        self.init(name: name ?? instructions, instructions: .string(instructions), kind: kind)
    }

    /// Creates a question that is answered with yes or no.
    public static func yesNo(
        _ instructions: String, yes: String? = nil, no: String? = nil, name: String? = nil
    ) -> Question {
        Question(instructions, .yesNo(YesNoCriteria(yes: yes, no: no)), name: name)
    }

    /// Creates a question that is answered with one of several options.
    public static func choice(_ instructions: String, _ options: [Option], name: String? = nil) -> Question {
        Question(instructions, .choice(options), name: name)
    }

    /// Creates a question that is answered with a level, lowest first.
    public static func score(_ instructions: String, levels: [String], name: String? = nil) -> Question {
        Question(instructions, .score(levels), name: name)
    }

    /// The number of options.
    public var optionCount: Int {
        switch kind {
        case .yesNo: 2
        case .choice(let options): options.count
        case .score(let levels): levels.count
        }
    }

    /// The names of the options, in the order of an answer's probabilities; `yes` and `no` of a question for these.
    public var optionNames: [String] {
        switch kind {
        case .yesNo: ["yes", "no"]
        case .choice(let options): options.map(\.name)
        case .score(let levels): levels
        }
    }
}

/// Builds a list of questions from statements.
@resultBuilder
public enum QuestionBuilder {
    /// A question.
    public static func buildExpression(_ question: Question) -> [Question] { [question] }
    /// Several questions.
    public static func buildExpression(_ questions: [Question]) -> [Question] { questions }
    /// The questions of all statements.
    public static func buildBlock(_ parts: [Question]...) -> [Question] { parts.flatMap { $0 } }
    /// The questions of an `if` without `else`.
    public static func buildOptional(_ part: [Question]?) -> [Question] { part ?? [] }
    /// The questions of an `if`.
    public static func buildEither(first part: [Question]) -> [Question] { part }
    /// The questions of an `else`.
    public static func buildEither(second part: [Question]) -> [Question] { part }
    /// The questions of a loop.
    public static func buildArray(_ parts: [[Question]]) -> [Question] { parts.flatMap { $0 } }
}

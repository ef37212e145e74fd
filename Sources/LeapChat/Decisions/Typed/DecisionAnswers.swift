/// A type whose properties are answers to questions; `@Decision` of `LeapSDKMacros` adds the conformance.
///
/// Without the macro, implement both requirements:
///
/// ```swift
/// struct Mail: DecisionAnswers {
///     var isSpam: YesNoAnswer
///     static var questions: [Question] { [.yesNo("Is this spam?", name: "isSpam")] }
///     init(decisions: Decisions) throws { isSpam = YesNoAnswer(try decisions.answer(named: "isSpam")) }
/// }
/// ```
public protocol DecisionAnswers {
    /// The questions, named as the properties.
    static var questions: [Question] { get }

    /// Creates a value from the answers to ``questions``.
    ///
    /// - Throws: `LeapDecisionException` if an answer is missing or of another type.
    init(decisions: Decisions) throws
}

extension Decisions {
    /// Returns the answer to a question, by its name.
    ///
    /// - Throws: `LeapDecisionException` if there is none.
    public func answer(named name: String) throws -> DecisionAnswer {
        guard let answer = self[name] else {
            throw LeapDecisionException(
                field: "answers.\(name)",
                "there is no such answer, but \(map(\.name).joined(separator: ", ")): ask a question of this name")
        }
        return answer
    }
}

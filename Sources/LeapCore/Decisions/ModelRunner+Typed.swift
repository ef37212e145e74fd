public import LeapChat

extension ModelRunner {
    /// Answers the questions of a type about a state.
    ///
    /// - Throws: what the other function throws.
    public func decide<Answers: DecisionType & Sendable>(
        _ type: Answers.Type, about state: DecisionState, options: DecisionOptions = DecisionOptions()
    ) async throws -> Answers {
        try Answers(decisions: try await decide(type.questions, about: state, options: options))
    }
}

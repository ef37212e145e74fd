public import LeapChat

extension ModelRunner {
    /// Answers questions about each state of a sequence, in its order.
    ///
    /// States are read as the answers are, and at most `ahead` of them are at work: these are computed together. The
    /// answers about a state do not wait for the next state. They have the same bits as those of
    /// ``decide(_:about:options:)``.
    ///
    /// ```swift
    /// for try await answers in runner.decisions(questions, about: messages) {
    ///     print(answers["spam"]?.probability ?? 0)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - questions: 1 to 400 questions with different names.
    ///   - states: the states.
    ///   - options: temperatures and the kind of reading.
    ///   - ahead: the maximum number of states at work, at least 1.
    public func decisions<States: AsyncSequence & Sendable>(
        _ questions: [Question], about states: States, options: DecisionOptions = DecisionOptions(), ahead: Int = 8
    ) -> DecisionStream<Decisions> where States.Element == DecisionState {
        DecisionStream {
            DecisionPump(states, ahead: ahead) { try await self.decide(questions, about: $0, options: options) }
        }
    }

    /// Answers the questions of a type about each state of a sequence; see `decisions(_:about:options:ahead:)`.
    public func decisions<Answers: DecisionAnswers & Sendable, States: AsyncSequence & Sendable>(
        _ type: Answers.Type, about states: States, options: DecisionOptions = DecisionOptions(), ahead: Int = 8
    ) -> DecisionStream<Answers> where States.Element == DecisionState {
        let questions = type.questions
        return DecisionStream {
            DecisionPump(states, ahead: ahead) { state in
                try Answers(decisions: try await self.decide(questions, about: state, options: options))
            }
        }
    }

    /// Answers questions about several states, in their order; see `decisions(_:about:options:ahead:)`.
    ///
    /// - Throws: the error of the first state that has one.
    public func decide(
        _ questions: [Question], about states: [DecisionState], options: DecisionOptions = DecisionOptions(),
        ahead: Int = 8
    ) async throws -> [Decisions] {
        let stream = AsyncStream<DecisionState> { continuation in
            for state in states { continuation.yield(state) }
            continuation.finish()
        }
        var found: [Decisions] = []
        for try await answers in decisions(questions, about: stream, options: options, ahead: ahead) {
            found.append(answers)
        }
        return found
    }
}

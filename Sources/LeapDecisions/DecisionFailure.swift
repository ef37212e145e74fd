#if LEAP_ANY_DECISION_MODEL || LEAP_DECISIONS_STUB
    #if LEAP_DECISIONS_STUB
        import AnyDecisionModelStub
    #else
        import AnyDecisionModel
    #endif
    import LeapChat

    /// Errors of ours as those that sessions know.
    enum DecisionFailure {
        /// Makes the error of a session.
        ///
        /// - Parameter count: the number of questions, whose names are their places.
        static func error(_ error: any Error, count: Int) -> any Error {
            switch error {
            case is CancellationError: error
            case let error as DecisionError: error
            case let error as LeapDecisionException: ofField(error.field, error.message, count)
            // A state that is too long is found by the first question.
            case let error as LeapGenerationPromptExceedContextLengthException:
                DecisionError.unsupportedQuestion(index: 0, reason: error.message)
            case let error as LeapException: DecisionError.modelUnavailable(error.message)
            default: DecisionError.modelUnavailable("\(error)")
            }
        }

        private static func ofField(_ field: String, _ message: String, _ count: Int) -> DecisionError {
            let parts = field.split(separator: ".")
            switch parts.first {
            case "questions"?:
                guard parts.count > 1, let index = Int(parts[1]) else {
                    return .invalidQuestion(index: min(count - 1, QuestionCheck.maximumQuestions), reason: message)
                }
                // More options or levels than there are labels for; a field with an index is that of one option.
                let isTooMany = parts.count > 2 && ["options", "levels"].contains(parts[2])
                return isTooMany
                    ? .unsupportedQuestion(index: index, reason: message)
                    : .invalidQuestion(index: index, reason: message)
            // All questions are about it.
            case "state"?: return .invalidQuestion(index: 0, reason: message)
            default: return .modelUnavailable(message)
            }
        }
    }
#endif

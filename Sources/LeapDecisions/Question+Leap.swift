#if LEAP_ANY_DECISION_MODEL || LEAP_DECISIONS_STUB
    #if LEAP_DECISIONS_STUB
        import AnyDecisionModelStub
    #else
        import AnyDecisionModel
    #endif
    import LeapChat
    import LeapJSON

    extension AskedQuestion {
        /// The question as ours, with a name.
        func named(_ name: String) -> LeapChat.Question {
            switch self {
            case .binary(let instructions, let criteria):
                LeapChat.Question.yesNo(
                    instructions, yes: criteria?.whenTrue, no: criteria?.whenFalse, name: name)
            case .choice(let instructions, let options):
                LeapChat.Question.choice(
                    instructions,
                    options.map { LeapChat.Question.Option($0.name, description: $0.description) }, name: name)
            case .score(let instructions, let levels):
                LeapChat.Question.score(instructions, levels: levels, name: name)
            }
        }

        /// The answer as AnyDecisionModel has it.
        func answer(_ answer: DecisionAnswer) -> Answer {
            let confidence = DecisionMath.entropyConfidence(answer.probabilities)
            switch self {
            case .binary: return .binary(probability: answer.probability)
            case .choice:
                return .choice(
                    name: answer.choice,
                    probabilities: Dictionary(zip(answer.options, answer.probabilities)) { first, _ in first },
                    confidence: confidence)
            case .score(_, let levels):
                return .score(
                    value: answer.score, probabilities: answer.probabilities, legend: levels, confidence: confidence)
            }
        }
    }

    extension AskedState {
        /// The state as ours; keys of objects, which have no order, are sorted.
        ///
        /// - Throws: `LeapDecisionException` for a number that JSON cannot write, or too many levels.
        func leapState() throws -> LeapChat.DecisionState {
            switch self {
            case .text(let text): .text(text)
            case .json(let value): LeapChat.DecisionState(.json(try Self.json(value, depth: 0)))
            }
        }

        private static func json(_ value: AskedValue, depth: Int) throws -> LeapJSON.JSONValue {
            guard depth < QuestionCheck.maximumDepth else { throw QuestionCheck.tooDeep("state") }
            switch value {
            case .null: return .null
            case .bool(let value): return .bool(value)
            case .string(let text): return .string(text)
            case .number(let number):
                // Whole numbers are written without a fraction.
                if let whole = Int64(exactly: number) { return .integer(whole) }
                guard number.isFinite else {
                    throw LeapDecisionException(field: "state", "it has the number \(number), which JSON cannot write")
                }
                return .double(number)
            case .array(let values): return .array(try values.map { try json($0, depth: depth + 1) })
            case .object(let members):
                let sorted = members.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
                return .object(JSONObject(try sorted.map { ($0.key, try json($0.value, depth: depth + 1)) }))
            }
        }
    }
#endif

import LeapJSON
import LeapModel

/// Checks questions, states and options before anything is computed.
package enum QuestionCheck {
    /// The maximum number of questions of a request.
    package static let maximumQuestions = 400
    /// The maximum number of prompts of a readout: four orders of the options of each question.
    package static let maximumPrompts = 4 * maximumQuestions
    /// The maximum number of levels of arrays and objects in a state.
    package static let maximumDepth = 128
    /// The maximum number of bytes of a state.
    package static let maximumStateBytes = 64 << 20

    /// Checks a request.
    ///
    /// - Throws: ``LeapDecisionException`` that names the field.
    package static func validate(
        _ questions: [Question], about state: DecisionState, options: DecisionOptions,
        capabilities: DecisionCapabilities
    ) throws {
        guard (1...maximumQuestions).contains(questions.count) else {
            throw LeapDecisionException(
                field: "questions", "there are \(questions.count): give 1 to \(maximumQuestions) questions")
        }
        var names: Set<String> = []
        for question in questions {
            let field = self.field(of: question)
            guard names.insert(question.name).inserted else {
                throw LeapDecisionException(field: field, "two questions have this name: give each its own name")
            }
            guard !question.name.isEmpty else {
                throw LeapDecisionException(field: field, "the name is empty: give the question a name")
            }
            try check(question, field, capabilities)
        }
        try check(state)
        try check(options)
        if capabilities.reading == .readout, let rotations = options.rotations { try check(rotations, of: questions) }
    }

    /// Checks that the orders of all questions are not too many prompts.
    private static func check(_ rotations: Int, of questions: [Question]) throws {
        let count = questions.reduce(0) { sum, question in
            if case .score = question.kind { sum + 1 } else { sum + min(question.optionCount, rotations) }
        }
        guard count <= maximumPrompts else {
            throw LeapDecisionException(
                field: "options.rotations",
                "\(rotations) orders of these questions are \(count) prompts, and at most \(maximumPrompts) are supported: give a smaller number or fewer questions"
            )
        }
    }

    /// The field of a question in messages.
    package static func field(of question: Question) -> String { "questions.\(question.name)" }

    private static func check(_ question: Question, _ field: String, _ capabilities: DecisionCapabilities) throws {
        let text = question.instructionValue
        guard text != .null, text != .string(""), text != .array([]), text != .object(JSONObject()) else {
            throw LeapDecisionException(field: field + ".instructions", "\"instructions\" must be provided")
        }
        try check(text, depth: 0, field + ".instructions")
        switch question.kind {
        case .yesNo: break
        case .choice(let options):
            let maximum = capabilities.maximumChoiceOptions
            guard !options.isEmpty else {
                throw LeapDecisionException(field: field + ".options", "there are none: give 1 to \(maximum) options")
            }
            guard options.count <= maximum else {
                throw LeapDecisionException(
                    field: field + ".options",
                    "too many options (\(options.count)), this model supports at most \(maximum)")
            }
            var names: Set<String> = []
            for (index, option) in options.enumerated() where !names.insert(option.name).inserted {
                throw LeapDecisionException(
                    field: "\(field).options[\(index)]",
                    "an option before it has the same name: give each its own name")
            }
        case .score(let levels):
            let maximum = capabilities.maximumScoreLevels
            guard (1...maximum).contains(levels.count) else {
                throw LeapDecisionException(
                    field: field + ".levels", "there are \(levels.count): give 1 to \(maximum) levels")
            }
        }
    }

    private static func check(_ state: DecisionState) throws {
        var byteCount = 0
        switch state.content {
        case .none: break
        case .text(let text): byteCount = text.utf8.count
        case .json(let value): byteCount = try check(value, depth: 0, "state")
        case .messages(let messages):
            for message in messages {
                for part in message.content { byteCount += part.text?.utf8.count ?? 0 }
            }
        }
        for (index, part) in state.media.enumerated() where part.medium != .image && part.medium != .audio {
            throw LeapDecisionException(
                field: "state.media[\(index)]",
                "it is \(part.text == nil ? "a video" : "text"): give pictures or a sound; text is the state itself")
        }
        guard byteCount <= maximumStateBytes else {
            throw LeapDecisionException(
                field: "state", "it has \(byteCount) bytes of text: at most \(maximumStateBytes) are supported")
        }
    }

    /// - Returns: the bytes of its strings, and one for each value.
    @discardableResult
    private static func check(_ value: JSONValue, depth: Int, _ field: String) throws -> Int {
        guard depth < maximumDepth else { throw tooDeep(field) }
        switch value {
        case .null, .bool, .number: return 1
        case .string(let text): return text.utf8.count + 1
        case .array(let values): return try values.reduce(1) { $0 + (try check($1, depth: depth + 1, field)) }
        case .object(let object):
            return try object.members.reduce(1) {
                $0 + $1.key.utf8.count + (try check($1.value, depth: depth + 1, field))
            }
        }
    }

    /// The error of a value with too many levels of arrays and objects.
    package static func tooDeep(_ field: String) -> LeapDecisionException {
        LeapDecisionException(
            field: field, "arrays and objects nest more than \(maximumDepth) levels deep: make it flatter")
    }

    private static func check(_ options: DecisionOptions) throws {
        func check(_ value: Double?, _ field: String) throws {
            guard let value, !(value.isFinite && value > 0) else { return }
            throw LeapDecisionException(field: field, "it is \(value): it has to be a finite number above 0")
        }
        try check(options.temperature, "options.temperature")
        for (key, value) in (options.temperatures?.values ?? [:]).sorted(by: { $0.key < $1.key }) {
            try check(value, "options.temperatures.\(key)")
        }
        if let rotations = options.rotations, !(1...DecisionLabels.maximumCount).contains(rotations) {
            throw LeapDecisionException(
                field: "options.rotations",
                "it is \(rotations): it has to be between 1 and \(DecisionLabels.maximumCount)")
        }
    }
}

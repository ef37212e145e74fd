package import LeapJSON

/// Questions as `/v1/systemone` has them: an object with a member for each question.
extension Question {
    /// The types of questions, as errors list them.
    private static let types = "choice, score, noul"

    /// Reads questions, in their order.
    ///
    /// - Parameter value: an object: the questions by their names.
    /// - Throws: ``LeapDecisionException`` that names the question at fault.
    package static func list(systemOne value: JSONValue?) throws(LeapDecisionException) -> [Question] {
        guard let value, value != .null else {
            throw LeapDecisionException(field: "questions", "must be provided, as an object of questions by name")
        }
        guard let object = value.object else {
            throw LeapDecisionException(field: "questions", "must be an object, not \(value.kind)")
        }
        guard (1...QuestionCheck.maximumQuestions).contains(object.count) else {
            throw LeapDecisionException(
                field: "questions",
                "there are \(object.count): give 1 to \(QuestionCheck.maximumQuestions) questions")
        }
        var questions: [Question] = []
        for (name, value) in object.members {
            questions.append(try Question(systemOne: value, name: name))
        }
        return questions
    }

    /// Reads a question: `type`, `instructions` and `criteria`.
    ///
    /// - Throws: ``LeapDecisionException`` that names the question.
    package init(systemOne value: JSONValue, name: String) throws(LeapDecisionException) {
        let field = "questions.\(name)"
        guard let object = value.object else { throw LeapDecisionException(field: field, "must be an object") }
        let type = object["type"]?.string
        guard let kind = type.flatMap(Type.init(rawValue:)) else {
            let found = type == "box" ? "boxes in pictures are not found here, so " : ""
            throw LeapDecisionException(field: field, "\(found)\"type\" must be one of: \(Self.types)")
        }
        guard let instructions = object["instructions"], instructions != .null else {
            throw LeapDecisionException(field: field, "\"instructions\" must be provided")
        }
        switch instructions {
        case .string, .array, .object: break
        default:
            throw LeapDecisionException(
                field: field, "\"instructions\" must be a string, an object or an array, not \(instructions.kind)")
        }
        let criteria = object["criteria"].flatMap { $0 == .null ? nil : $0 }
        let read =
            switch kind {
            case .noul: try Self.yesNo(criteria, field)
            case .choice: try Self.choice(criteria, field)
            case .score: try Self.score(criteria, field)
            }
        self.init(name: name, instructions: instructions, kind: read)
    }

    private enum `Type`: String { case choice, score, noul }

    private static func yesNo(_ criteria: JSONValue?, _ field: String) throws(LeapDecisionException) -> Kind {
        guard let criteria else { return .yesNo(YesNoCriteria()) }
        guard let object = criteria.object else {
            throw LeapDecisionException(
                field: field, "\"criteria\" of a noul must be an object with \"true\" and \"false\"")
        }
        let known = ["true", "yes", "false", "no"]
        if let other = object.keys.first(where: { !known.contains($0) }) {
            throw LeapDecisionException(
                field: "\(field).criteria.\(other)", "is not known: expected \"true\" or \"false\"")
        }
        return .yesNo(
            YesNoCriteria(
                yes: description(object["true"] ?? object["yes"]), no: description(object["false"] ?? object["no"])))
    }

    private static func choice(_ criteria: JSONValue?, _ field: String) throws(LeapDecisionException) -> Kind {
        let options: [Option]
        switch criteria {
        case .object(let object)?:
            options = object.members.map { Option($0.key, description: description($0.value)) }
        // Some clients send names alone.
        case .array(let values)?:
            var names: [Option] = []
            for (index, value) in values.enumerated() {
                guard let name = value.string else {
                    throw LeapDecisionException(
                        field: "\(field).criteria[\(index)]", "must be a string, not \(value.kind)")
                }
                names.append(Option(name))
            }
            options = names
        default:
            throw LeapDecisionException(
                field: field, "\"criteria\" must be an object that maps options to descriptions or null")
        }
        guard !options.isEmpty else {
            throw LeapDecisionException(field: field, "\"criteria\" must have at least one option")
        }
        return .choice(options)
    }

    private static func score(_ criteria: JSONValue?, _ field: String) throws(LeapDecisionException) -> Kind {
        guard let values = criteria?.array else {
            throw LeapDecisionException(field: field, "\"criteria\" must be an array of levels, lowest first")
        }
        guard !values.isEmpty else {
            throw LeapDecisionException(field: field, "\"criteria\" must have at least one level")
        }
        var levels: [String] = []
        for (index, value) in values.enumerated() {
            guard let level = description(value) else {
                throw LeapDecisionException(field: "\(field).criteria[\(index)]", "must be a string, not null")
            }
            levels.append(level)
        }
        return .score(levels)
    }

    /// A description as text; JSON text of another value, nil of null.
    private static func description(_ value: JSONValue?) -> String? {
        guard let value, value != .null else { return nil }
        return value.string ?? JSONWriter.string(value)
    }
}

import LeapBase
import LeapChat
import LeapJSON
import LeapOpenAIFormat

/// A request of OpenAI's `POST /v1/decisions`: `input` and a list of `questions`.
struct DecisionsRequest: Sendable {
    let order: DecisionOrder
    let questions: [ListedQuestion]

    /// Reads a body.
    ///
    /// - Throws: ``APIError`` that names the field at fault.
    init(_ body: RequestBody) throws {
        var fields = RequestFields(try body.members())
        let model = try fields.string(OpenAI.Key.model)
        var content = DecisionInput()
        let state = try content.state(fields.value(OpenAI.Key.input))
        let values = try fields.array("questions") ?? []
        guard (1...QuestionCheck.maximumQuestions).contains(values.count) else {
            throw APIError.invalid(
                "'questions' has \(values.count) elements; expected 1 to \(QuestionCheck.maximumQuestions)",
                "questions")
        }
        questions = try values.enumerated().map { try ListedQuestion($1, number: $0, &content) }
        // Prompts are kept without being asked for, and nobody is told apart by these.
        for name in ["prompt_cache_key", "prompt_cache_options", "safety_identifier"] { _ = fields.value(name) }
        order = DecisionOrder(
            model: model, questions: questions.map(\.question),
            state: DecisionState(state, media: content.media.map(\.part)), mediaPlaces: content.media.map(\.place),
            options: try DecisionOrder.options(&fields), ignored: fields.ignored + content.leftOut,
            place: { Self.place(of: $0) })
    }

    /// The place in a body of OpenAI's of a field as the engine names it: `questions[0].choices` of `questions.0.options`.
    static func place(of field: String) -> String {
        let parts = field.split(separator: ".", maxSplits: 2)
        switch parts.first {
        case "state"?: return OpenAI.Key.input
        case "options"? where parts.count > 1: return parts.dropFirst().joined(separator: ".")
        case "questions"? where parts.count > 1:
            let rest = parts.dropFirst(2).map { part in
                part.hasPrefix("options") ? OpenAI.Key.choices + part.dropFirst("options".count) : String(part)
            }
            return (["questions[\(parts[1])]"] + rest).joined(separator: ".")
        default: return field
        }
    }
}

/// A question of OpenAI's list, whose answer has its name where it has one.
struct ListedQuestion: Sendable {
    /// The question by its place in the list, as names may be missing and come twice.
    let question: Question
    private let name: JSONValue
    /// The values of a choice, or the labels of a score; none for a predicate.
    private let values: [JSONValue]

    /// Reads a question.
    ///
    /// - Parameter content: takes pictures of the instructions.
    /// - Throws: ``APIError`` that names the field at fault.
    init(_ value: JSONValue, number: Int, _ content: inout DecisionInput) throws {
        let place = "questions[\(number)]"
        guard let object = value.object else {
            throw APIError.invalid("'\(place)' is \(value.kind); expected an object", place)
        }
        let named = object[OpenAI.Key.name] ?? .null
        guard named == .null || named.string != nil else {
            throw APIError.invalid("'\(place).name' is \(named.kind); expected a string", "\(place).name")
        }
        name = named
        let kind: Question.Kind
        switch object[OpenAI.Key.type]?.string {
        case "predicate"?: (kind, values) = (.yesNo(Question.YesNoCriteria()), [])
        case "choice"?:
            let choices = try Self.choices(object, place)
            (kind, values) = (.choice(choices.options), choices.values)
        case "score"?:
            let levels = try Self.levels(object, place)
            (kind, values) = (.score(levels.texts), levels.labels)
        default:
            throw APIError.invalid("'\(place).type' has to be predicate, choice or score", "\(place).type")
        }
        let instructions = try content.text(object["instructions"], "\(place).instructions")
        guard !instructions.isEmpty else {
            throw APIError.invalid(
                "'\(place).instructions' is missing or empty; expected a string or an array of parts",
                "\(place).instructions")
        }
        question = Question(name: "\(number)", instructions: .string(instructions), kind: kind)
    }

    private static func elements(
        _ object: JSONObject, _ name: String, _ place: String, in range: ClosedRange<Int>
    ) throws(APIError) -> [JSONValue] {
        guard let values = object[name]?.array, range.contains(values.count) else {
            throw .invalid(
                "'\(place).\(name)' has to be an array of \(range.lowerBound) to \(range.upperBound) objects",
                "\(place).\(name)")
        }
        return values
    }

    private static func text(_ value: JSONValue?, _ place: String) throws(APIError) -> String? {
        guard let value, value != .null else { return nil }
        guard let text = value.string else { throw .invalid("'\(place)' is \(value.kind); expected a string", place) }
        return text
    }

    /// The options, whose texts tell the string "true" from the boolean.
    private static func choices(
        _ object: JSONObject, _ place: String
    ) throws(APIError) -> (options: [Question.Option], values: [JSONValue]) {
        var (options, values): ([Question.Option], [JSONValue]) = ([], [])
        var (seen, names): (Set<JSONValue>, Set<String>) = ([], [])
        for (index, choice) in try elements(object, OpenAI.Key.choices, place, in: 2...255).enumerated() {
            let own = "\(place).\(OpenAI.Key.choices)[\(index)]"
            guard let value = choice["value"], value.string != nil || value.bool != nil else {
                throw .invalid("'\(own).value' has to be a string or a boolean", "\(own).value")
            }
            guard seen.insert(value).inserted else {
                throw .invalid("'\(own).value' is that of a choice before it: each has to be unique", "\(own).value")
            }
            var name = value.string ?? (value.bool == true ? "true" : "false")
            while !names.insert(name).inserted { name += value.string == nil ? " (boolean)" : " (text)" }
            options.append(
                Question.Option(name, description: try text(choice[OpenAI.Key.description], "\(own).description")))
            values.append(value)
        }
        return (options, values)
    }

    private static func levels(
        _ object: JSONObject, _ place: String
    ) throws(APIError) -> (texts: [String], labels: [JSONValue]) {
        var (texts, labels): ([String], [JSONValue]) = ([], [])
        for (index, level) in try elements(object, "levels", place, in: 1...10).enumerated() {
            let own = "\(place).levels[\(index)]"
            guard let label = try text(level["label"], "\(own).label") else {
                throw .invalid("'\(own).label' is missing; expected a string", "\(own).label")
            }
            let description = try text(level[OpenAI.Key.description], "\(own).description")
            texts.append(description.map { "\(label): \($0)" } ?? label)
            labels.append(.string(label))
        }
        return (texts, labels)
    }

    /// The answer as an object of OpenAI's.
    func answer(_ answer: DecisionAnswer) -> JSONValue {
        let shares = answer.probabilities.map { JSONValue.double($0) }
        switch answer.kind {
        case .yesNo:
            return .object(["type": "predicate", "name": name, "probability": .double(answer.probability)])
        case .choice:
            return .object([
                "type": "choice", "name": name,
                "choice": values.indices.contains(answer.index) ? values[answer.index] : .null,
                "confidence": .double(answer.confidence),
                "probabilities": .array(
                    zip(values, shares).map { .object(["value": $0, "probability": $1]) }),
            ])
        case .score:
            return .object([
                "type": "score", "name": name, "score": .double(answer.score),
                "confidence": .double(answer.confidence),
                "probabilities": .array(
                    zip(values, shares).enumerated().map { index, pair in
                        .object([
                            "label": pair.0, "value": .integer(Int64(index)), "probability": pair.1,
                        ])
                    }),
            ])
        }
    }
}

import LeapChat
import LeapEngine
import LeapJSON
import LeapModel
import LeapTokenizer

/// Answers by the logits of label tokens behind the prompt, with a model that was trained for it.
struct LabelReader: QuestionReader {
    private let type: DecisionModelType
    private let template: DecisionTemplate
    private let labels: DecisionLabels
    private let codes: [DecisionLabels.Label]

    var capabilities: DecisionCapabilities {
        DecisionCapabilities(
            reading: .trained, type: type.rawValue,
            maximumChoiceOptions: type == .lfm2D1 ? DecisionLabels.maximumCount : codes.count)
    }

    init(_ method: DecisionMethod, template: DecisionTemplate, tokenizer: Tokenizer) {
        type = method.type
        self.template = template
        labels = DecisionLabels(tokenizer)
        codes = type == .lfm2D1 ? [] : labels.codes(of: type)
    }

    func prompts(for asked: AskedQuestion) throws -> [DecisionPrompt] {
        let question = asked.question
        let count = question.optionCount
        if type == .lev {
            if case .yesNo = question.kind { return [try nineLabels(asked)] }
            // Asked in both orders, which cancels the pull of the first place.
            if case .choice = question.kind, count >= 2 {
                return try [Array(0..<count), (0..<count).reversed()].map { try prompt(asked, order: $0) }
            }
        }
        return [try prompt(asked, order: Array(0..<count))]
    }

    /// The prompt with the options in an order.
    private func prompt(_ asked: AskedQuestion, order: [Int]) throws -> DecisionPrompt {
        let labels = try self.labels(of: asked.question)
        let tokens = try tokens(asked, options: options(asked.question, labels, order))
        var prompt = DecisionPrompt(tokens: tokens) { result, temperature in
            guard case .labels(let logits, _, _) = result, logits.count == labels.reduce(0, { $0 + $1.tokens.count })
            else { return nil }
            var next = 0
            let scores = labels.map { label in
                defer { next += label.tokens.count }
                return logits[next..<next + label.tokens.count].reduce(-Double.infinity) { max($0, Double($1)) }
            }
            let found = DecisionMath.softmax(scores, temperature: temperature)
            var probabilities = found
            for (place, option) in order.enumerated() { probabilities[option] = found[place] }
            return DecisionPrompt.Outcome(probabilities)
        }
        prompt.labels = labels.flatMap(\.tokens)
        return prompt
    }

    /// The prompt of a question for yes or no with nine labels, from certainly no to certainly yes.
    private func nineLabels(_ asked: AskedQuestion) throws -> DecisionPrompt {
        let nine = Array(codes.prefix(9))
        guard nine.count == 9 else { throw missing(asked.question) }
        let tokens = try tokens(
            asked, options: options(asked.question, nine, [0, 1], hasLabels: false),
            more: ["labels": .array(nine.map { .string($0.text) })])
        var prompt = DecisionPrompt(tokens: tokens) { result, temperature in
            guard case .labels(let logits, _, _) = result, logits.count == 9 else { return nil }
            let found = DecisionMath.softmax(logits.map { Double($0) }, temperature: temperature)
            let yes = zip(0..., found).reduce(0) { $0 + $1.1 * Double($1.0) / 8 }
            return DecisionPrompt.Outcome([yes, 1 - yes])
        }
        prompt.labels = nine.flatMap(\.tokens)
        return prompt
    }

    /// The labels of a question's options, in the order of their places.
    private func labels(of question: Question) throws -> [DecisionLabels.Label] {
        let count = question.optionCount
        var found: [DecisionLabels.Label]?
        if type == .lfm2D1 {
            switch question.kind {
            case .yesNo: found = labels.yesNo(withSpaces: false)
            case .score: found = labels.digits(count, withSpaces: false)
            case .choice(let options): found = labels.codes(ofKeys: options.map(\.name))
            }
        } else {
            found = Array(codes.prefix(count))
        }
        guard let found, found.count == count else { throw missing(question) }
        return found
    }

    private func missing(_ question: Question) -> LeapDecisionException {
        LeapDecisionException(
            field: QuestionCheck.field(of: question) + ".options",
            "the model's vocabulary has not enough labels of one token for \(question.optionCount) options: give fewer")
    }

    /// The options as the template gets them.
    private func options(
        _ question: Question, _ labels: [DecisionLabels.Label], _ order: [Int], hasLabels: Bool = true
    ) -> [JSONValue] {
        let all: [(key: String, description: String?)] =
            switch question.kind {
            case .yesNo(let criteria): [("true", criteria.yes), ("false", criteria.no)]
            case .choice(let options): options.map { ($0.name, $0.description) }
            case .score(let levels): levels.enumerated().map { ("\($0)", $1) }
            }
        return order.enumerated().map { place, index in
            var object: JSONObject = [
                "key": .string(all[index].key), "description": all[index].description.map { .string($0) } ?? .null,
            ]
            if hasLabels { object["label"] = .string(labels[place].text) }
            return .object(object)
        }
    }

    private func tokens(
        _ asked: AskedQuestion, options: [JSONValue], more: JSONObject = [:]
    ) throws -> [TokenID] {
        let question = asked.question
        guard asked.state.mediaParts.isEmpty else {
            throw LeapDecisionException(
                field: "state",
                "it has pictures or sounds, which models of the type \(type.rawValue) are not given: leave them out"
            )
        }
        var given: JSONObject = [
            "id": .string(question.name), "instructions": sorted(question.instructionValue),
            "state": sorted(asked.state.value), "options": .array(options),
        ]
        if type == .nimble {
            given["questions"] = .array(
                try asked.questions.map { other in
                    .object([
                        "id": .string(other.name), "type": .string(other.kind.key),
                        "instructions": other.instructionValue,
                        "options": .array(
                            self.options(other, try labels(of: other), Array(0..<other.optionCount))),
                    ])
                })
        }
        var own: JSONObject = ["type": .string(question.kind.key), "images": .array([])]
        for (key, value) in more.members { own[key] = value }
        return try template.tokens(given: given, own: own, field: QuestionCheck.field(of: question))
    }

    /// A value with the keys of objects in order, as lev was trained with.
    private func sorted(_ value: JSONValue) -> JSONValue { type == .lev ? value.withSortedKeys : value }
}

extension JSONValue {
    /// The value with the keys of its objects sorted by their code points.
    fileprivate var withSortedKeys: JSONValue {
        switch self {
        case .array(let values): .array(values.map(\.withSortedKeys))
        case .object(let object):
            .object(
                JSONObject(
                    object.members.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
                        .map { ($0.key, $0.value.withSortedKeys) }))
        default: self
        }
    }
}

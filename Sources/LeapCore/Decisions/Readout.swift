import LeapChat
import LeapEngine
import LeapJSON
import LeapModel
import LeapTokenizer

/// Answers with any chat model: the probabilities of labels at the beginning of its reply.
struct Readout: QuestionReader {
    private let builder: PromptBuilder
    private let labels: DecisionLabels

    let capabilities = DecisionCapabilities(
        reading: .readout, type: nil, maximumChoiceOptions: DecisionLabels.maximumCount)

    /// The orders of options that are asked for by default, at most.
    private static let defaultRotations = 4

    init(_ builder: PromptBuilder) {
        self.builder = builder
        labels = DecisionLabels(builder.tokenizer)
    }

    func prompts(for asked: AskedQuestion) throws -> [DecisionPrompt] {
        let count = asked.question.optionCount
        let orders: Int
        switch asked.question.kind {
        case .score: orders = 1  // Levels have an order of their own.
        case .yesNo, .choice: orders = min(count, asked.options.rotations ?? Self.defaultRotations)
        }
        return try (0..<orders).map { turn in
            // Evenly spaced, so that each option stands in early and late places.
            let shift = turn * count / orders
            return try prompt(asked, order: (0..<count).map { ($0 + shift) % count })
        }
    }

    private func prompt(_ asked: AskedQuestion, order: [Int]) throws -> DecisionPrompt {
        let question = asked.question
        // Labels stand at places; those of yes, no and levels belong to the option itself.
        let found: [DecisionLabels.Label]?
        switch question.kind {
        case .yesNo:
            if let words = labels.yesNo(withSpaces: true) {
                found = order.map { words[$0] }
            } else {
                // Of a vocabulary without these words it is a choice of two.
                let options = [Question.Option("yes"), Question.Option("no")]
                var asked = asked
                asked.question.kind = .choice(options)
                return try prompt(asked, order: order)
            }
        case .score(let levels): found = labels.digits(levels.count, withSpaces: true)
        case .choice(let options): found = labels.codes(ofKeys: options.indices.map { "\($0)." })
        }
        guard let found, found.count == order.count else {
            throw LeapDecisionException(
                field: QuestionCheck.field(of: question) + ".options",
                "the model's vocabulary has not enough labels of one token for \(question.optionCount) options: give fewer"
            )
        }
        let tokens = try tokens(asked, text: text(question, found, order))
        var prompt = DecisionPrompt(tokens: tokens) { result, temperature in
            guard case .labels(let logits, let normalizer, _) = result,
                logits.count == found.reduce(0, { $0 + $1.tokens.count })
            else { return nil }
            var next = 0
            // The probabilities of all spellings of a label count.
            let scores = found.map { label in
                defer { next += label.tokens.count }
                return DecisionMath.logSumExp(logits[next..<next + label.tokens.count].map { Double($0) })
            }
            let places = DecisionMath.softmax(scores, temperature: temperature)
            var probabilities = places
            for (place, option) in order.enumerated() { probabilities[option] = places[place] }
            let mass = normalizer.map { min(1, DecisionMath.exponential(DecisionMath.logSumExp(scores) - Double($0))) }
            return DecisionPrompt.Outcome(probabilities, labelMass: mass)
        }
        prompt.labels = found.flatMap(\.tokens)
        prompt.isNormalized = true
        return prompt
    }

    /// The question, with the options in an order.
    private func text(_ question: Question, _ labels: [DecisionLabels.Label], _ order: [Int]) -> String {
        var text = "Question: \(question.instructions)\n"
        switch question.kind {
        case .yesNo(let criteria):
            let meanings = [criteria.yes, criteria.no]
            for option in order {
                if let meaning = meanings[option] { text += "\(option == 0 ? "Yes" : "No"): \(meaning)\n" }
            }
            text += "\nReply with \(labels.map(\.text).joined(separator: " or ")) only."
        case .choice(let options):
            text += "\nOptions:\n"
            for (place, index) in order.enumerated() {
                let option = options[index]
                let description = option.description.map { ": \($0)" } ?? ""
                text += "\(labels[place].text). \(option.name)\(description)\n"
            }
            text += "\nReply with the code of one option only."
        case .score(let levels):
            text += "\nLevels:\n"
            for (index, level) in levels.enumerated() { text += "\(labels[index].text). \(level)\n" }
            text += "\nReply with the number of one level only."
        }
        return text
    }

    /// The prompt with the question as the last message.
    private func tokens(_ asked: AskedQuestion, text: String) throws -> [TokenID] {
        let field = QuestionCheck.field(of: asked.question)
        guard asked.state.mediaParts.isEmpty else {
            throw LeapDecisionException(
                field: "state", "it has pictures or sounds, which a readout does not give to the model yet")
        }
        let state: String
        switch asked.state.content {
        case .none: state = ""
        case .text(let text): state = "State:\n\(text)\n\n"
        case .json(let value): state = "State:\n\(JSONWriter.string(value))\n\n"
        case .messages: state = "State:\n\(JSONWriter.string(asked.state.value))\n\n"
        }
        do {
            var request = try PromptRequest(
                chat: [ChatMessage(role: .user, textContent: state + text)], functions: [],
                parser: LeapFunctionCallParser.automatic, enableThinking: false)
            // Reasoning that the format begins is closed.
            request.replyStart = ""
            return try builder.build(request).tokens
        } catch {
            throw LeapDecisionException(field: field, "the chat format cannot write it: \(error)", cause: error)
        }
    }
}

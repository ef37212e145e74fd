import LeapBase
import LeapChat
import LeapJSON

/// A line of a file of labelled states: an object with `state`, and `answers` by the names of questions.
struct LabelledLine: Sendable {
    let number: Int
    let state: DecisionState
    /// The questions that have an answer, with the index of the right option.
    let labels: [(question: Question, label: Int)]

    /// Reads a line.
    ///
    /// - Throws: `CommandError` that names the line.
    init(_ line: LineReader.Line, _ questions: [Question]) throws(CommandError) {
        number = line.number
        switch StateLine(line).state {
        case .success(let state): self.state = state
        case .failure(let error): throw CommandError("line \(line.number): \(error.message)")
        }
        // It is JSON, as its state was read.
        let value = try? JSONParser.parse(line.bytes)
        guard value?["state"] != nil, let answers = value?["answers"]?.object else {
            throw CommandError(
                "line \(line.number): there is no state, or no object answers with a right option for each question by its name"
            )
        }
        for name in answers.keys where !questions.contains(where: { $0.name == name }) {
            throw CommandError(
                "line \(line.number): answers.\(ShownText.of(name)): there is no such question; give it with --question or --questions"
            )
        }
        var labels: [(question: Question, label: Int)] = []
        for question in questions {
            guard let answer = answers[question.name], answer != .null else { continue }
            guard let label = Self.label(answer, question) else {
                throw CommandError(
                    "line \(line.number): answers.\(ShownText.of(question.name)) is \(ShownText.of(JSONWriter.string(answer))); expected \(Self.expected(question))"
                )
            }
            labels.append((question, label))
        }
        self.labels = labels
    }

    private static func label(_ answer: JSONValue, _ question: Question) -> Int? {
        if case .yesNo = question.kind, let isYes = answer.bool { return isYes ? 0 : 1 }
        if let name = answer.string { return question.optionNames.firstIndex(of: name) }
        if case .score(let levels) = question.kind, let level = answer.integer, levels.indices.contains(level) {
            return level
        }
        return nil
    }

    private static func expected(_ question: Question) -> String {
        switch question.kind {
        case .yesNo: "true or false"
        case .choice: "the name of an option"
        case .score(let levels): "a level, or its number from 0 to \(levels.count - 1)"
        }
    }
}

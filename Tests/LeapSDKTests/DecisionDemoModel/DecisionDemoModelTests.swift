import Foundation
import LeapDecisionDemoModel
import LeapJSON
import LeapSDK
import LeapTestSupport
import Testing

/// The decision demo models: typed questions really get right answers.
struct DecisionDemoModelTests {
    private static let labels = Task { try await Leap.load(url: LeapDecisionDemoModel.labels) }
    private static let masks = Task { try await Leap.load(url: LeapDecisionDemoModel.masks) }

    private static func runner(_ isLabels: Bool) async throws -> any ModelRunner {
        try await (isLabels ? labels : masks).value
    }

    /// A state that was not seen in training, with questions, as `DemoModel/Decisions/world.py` writes them.
    private struct Item {
        var state: DecisionState
        var questions: [Question]
        /// The index of each question's right option.
        var answers: [Int]
        /// The type of each question.
        var types: [String]

        init(_ line: String) throws {
            let value = try JSONParser.parse(line)
            let given = try #require(value["state"])
            if let text = given.string {
                state = .text(text)
            } else {
                state = try .json(text: JSONWriter.string(given))
            }
            let asked = try #require(value["questions"]?.object)
            questions = try asked.members.map { name, question in
                let text = try #require(question["instructions"]?.string)
                let criteria = question["criteria"]
                switch question["type"]?.string {
                case "noul":
                    return .yesNo(text, yes: criteria?["true"]?.string, no: criteria?["false"]?.string, name: name)
                case "score":
                    return .score(text, levels: try #require(criteria?.array).compactMap(\.string), name: name)
                default:
                    let options = try #require(criteria?.object).members
                    return .choice(
                        text, options.map { Question.Option($0.key, description: $0.value.string) }, name: name)
                }
            }
            types = asked.members.compactMap { $0.value["type"]?.string }
            answers = asked.keys.compactMap { value["answers"]?[$0]?.integer }
        }
    }

    private static func heldOut() throws -> [Item] {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/decision-demo/questions.jsonl")
        return try String(contentsOf: path, encoding: .utf8).split(separator: "\n").map { try Item(String($0)) }
    }

    @Test("Of answers about texts never seen before, enough of every type are right", arguments: [true, false])
    func accuracy(isLabels: Bool) async throws {
        let all = try Self.heldOut()
        #expect(all.reduce(0) { $0 + $1.answers.count } >= 100)
        let items = TestLevel.cases(all, standard: 16)
        let runner = try await Self.runner(isLabels)
        #expect(runner.decisionCapabilities?.reading == .trained)
        var results: [String: (right: Int, count: Int)] = [:]
        for item in items {
            let answers = try await runner.decide(item.questions, about: item.state, options: DecisionOptions())
            #expect(answers.count == item.answers.count && answers.allSatisfy { $0.reading == .trained })
            for (answer, (right, type)) in zip(answers, zip(item.answers, item.types)) {
                let old = results[type] ?? (0, 0)
                results[type] = (old.right + (answer.index == right ? 1 : 0), old.count + 1)
            }
        }
        #expect(results.count == 3)
        let (right, count) = results.values.reduce((0, 0)) { ($0.0 + $1.right, $0.1 + $1.count) }
        #expect(Double(right) >= Self.bound * Double(count), "\(right) of \(count): \(results)")
        for (type, result) in results {
            #expect(Double(result.right) >= Self.typeBound * Double(result.count), "\(type): \(result)")
        }
    }

    /// The share of right answers, well below the model card's.
    private static let bound = 0.8
    /// The share of right answers of each type.
    private static let typeBound = 0.65

    @Test("The questions of the pages and examples are answered right", arguments: [true, false])
    func documented(isLabels: Bool) async throws {
        let runner = try await Self.runner(isLabels)
        let invoice = ["subject": "Invoice 17", "body": "You charged me twice."]
        let mail = try await runner.decide(about: .json(invoice)) {
            Question.yesNo("Is this spam?")
            Question.choice("Which team should read it?", ["billing", "support", "sales"])
            Question.score("How urgent?", levels: ["not", "soon", "today", "now"])
        }
        #expect(mail.map(\.choice) == ["no", "billing", "soon"], "\(mail.answers)")
        let prize = try await runner.decide(about: "You have won! Click the link now to get your free prize!") {
            Question.yesNo("Is this spam?", yes: "an advertisement", name: "spam")
        }
        #expect(prize["spam"]?.isYes == true, "\(prize.answers)")
        let bill = try await runner.decide(about: "Where is my invoice?") {
            Question.choice("Which team?", ["billing", "sales"], name: "team")
        }
        #expect(bill["team"]?.choice == "billing", "\(bill.answers)")
        let greeting = try await runner.decide(about: "Hello") { Question.yesNo("Is it a greeting?", name: "greeting") }
        #expect(greeting["greeting"]?.isYes == true, "\(greeting.answers)")
    }

    @Test("A question about a mail has the same bits alone as beside others, and the state is shared by labels")
    func together() async throws {
        let mail = "The screen of the printer stays black since Monday. We need it today."
        let questions = [
            Question.choice("Which team should read it?", ["billing", "support", "sales"], name: "team"),
            Question.yesNo("Is this spam?", name: "spam"),
            Question.score("How urgent is it?", levels: ["not", "soon", "today", "now"], name: "urgent"),
        ]
        for isLabels in [true, false] {
            let runner = try await Self.runner(isLabels)
            let all = try await runner.decide(questions, about: .text(mail), options: DecisionOptions())
            #expect(all.map(\.choice) == ["support", "no", "today"], "\(all.answers)")
            #expect((all.cachedTokenCount > 0) == isLabels)
            for (question, answer) in zip(questions, all) {
                let alone = try await runner.decide([question], about: .text(mail), options: DecisionOptions())
                #expect(alone[0].probabilities == answer.probabilities)
            }
        }
    }
}

import AnyDecisionModelStub
import Foundation
import LeapTestSupport
import LeapTestTraits
import Testing

import protocol LeapCore.ModelRunner

@testable import LeapDecisionsOverStub

/// Sessions of AnyDecisionModel over tiny random models with the keys of decisions.
@Suite(.inTurns)
struct LeapDecisionModelTests {
    private static let team = Question.choice(
        instructions: "Which team?", options: [ChoiceOption("billing", description: "money"), ChoiceOption("sales")])
    private static let urgency = Question.score(instructions: "How urgent?", levels: ["not", "soon", "now"])
    private static let spam = Question.binary(
        instructions: "Is this spam?", criteria: BinaryCriteria(whenTrue: "an advertisement", whenFalse: "a letter"))
    private static let state = DecisionState.json(
        .object([
            "subject": .string("Invoice"), "count": .number(3), "rest": .array([.null, .bool(true), .number(0.5)]),
        ]))

    private static func model(_ type: String = "openjev") async throws -> LeapDecisionModel {
        LeapDecisionModel(try await LoadedFixture.runner(type))
    }

    @Test(
        "A session gets an answer to each question, with the bits of the runner's own answers",
        arguments: ["openjev", "lev"])
    func answers(type: String) async throws {
        let model = try await Self.model(type)
        #expect(model.capabilities.maximumChoiceOptions ?? 0 > 2 && model.capabilities.maximumScoreLevels == 10)
        let session = DecisionSession(model: model, state: Self.state)
        let questions = [Self.spam, Self.team, Self.urgency]
        let response = try await session.decide(questions)
        #expect(response.modelID == model.modelID && response.answers.count == 3)
        // A trained model computes the labels only, so their share of all tokens is not known.
        #expect(response.diagnostics.isEmpty)
        #expect(response.usage.inputTokenCount > 0 && response.usage.outputTokenCount == 0)

        let own = try await LoadedFixture.answers(model.runner)
        guard case .binary(let yes) = response.answers[0],
            case .choice(let name, let shares, let confidence) = response.answers[1],
            case .score(let value, let levels, let legend, _) = response.answers[2]
        else {
            Issue.record("\(response.answers)")
            return
        }
        #expect(yes == own[0][0] && levels == own[2])
        #expect(shares["billing"] == own[1][0] && shares["sales"] == own[1][1])
        #expect(abs(shares.values.reduce(0, +) - 1) < 1e-12 && abs(levels.reduce(0, +) - 1) < 1e-12)
        #expect(name == (own[1][0] >= own[1][1] ? "billing" : "sales"))
        #expect(legend == ["not", "soon", "now"] && abs(value - levels[1] - 2 * levels[2]) < 1e-12)
        let entropy = own[1].reduce(0) { $0 - $1 * log($1) }
        #expect(abs(confidence - (1 - entropy / log(2))) < 1e-12)
        // Each alone has the same answer.
        for (question, answer) in zip(questions, response.answers) {
            #expect(try await session.decide([question]).answers == [answer])
        }
        #expect(try await session.probability(of: "Is this spam?") != yes, "the criteria are part of the question")
    }

    @Test("Readouts of chat models have diagnostics; prewarming computes the state")
    func readout() async throws {
        let model = LeapDecisionModel(try await LoadedFixture.chat())
        let state = DecisionState.text(String(repeating: "Once upon a time there was a little engine. ", count: 40))
        let session = DecisionSession(model: model, state: state)
        try await session.prewarm()
        let response = try await session.decide([Self.team, Self.urgency])
        #expect(response.diagnostics.count == 2)
        for figures in response.diagnostics {
            #expect((0...1).contains(figures.allowedAnswerMass))
            #expect(figures.cachedTokenCount > figures.evaluatedTokenCount && figures.evaluatedTokenCount > 0)
        }
        let sum = response.diagnostics.reduce(0) { $0 + $1.cachedTokenCount + $1.evaluatedTokenCount }
        #expect(sum == response.usage.inputTokenCount)
    }

    @Test("Errors are those of sessions, with the index of the question")
    func errors() async throws {
        // This vocabulary has no token for "yes".
        let session = DecisionSession(model: try await Self.model("lfm2-d1"), state: Self.state)
        let unlabelled = await #expect(throws: DecisionError.self) {
            try await session.decide([Self.team, Self.spam])
        }
        if case .unsupportedQuestion(1, let reason)? = unlabelled {
            #expect(reason.contains("questions.1.options"))
        } else {
            Issue.record("\(String(describing: unlabelled))")
        }

        let model = try await Self.model()
        let many = Question.choice(instructions: "a", options: (0..<300).map { ChoiceOption("o\($0)") })
        await #expect(throws: DecisionError.self) { try await DecisionSession(model: model, state: "s").decide([many]) }
        let executor = model.makeExecutor()
        let unchecked = await #expect(throws: DecisionError.self) {
            try await executor.decide([Self.spam, many], about: "s")
        }
        if case .unsupportedQuestion(1, _)? = unchecked {} else { Issue.record("\(String(describing: unchecked))") }
        let empty = await #expect(throws: DecisionError.self) {
            try await executor.decide([Self.spam, .binary(instructions: "")], about: "s")
        }
        if case .invalidQuestion(1, _)? = empty {} else { Issue.record("\(String(describing: empty))") }
        let crowd = await #expect(throws: DecisionError.self) {
            try await executor.decide([Question](repeating: Self.spam, count: 401), about: "s")
        }
        if case .invalidQuestion(400, _)? = crowd {} else { Issue.record("\(String(describing: crowd))") }

        var deep = JSONValue.null
        for _ in 0..<200 { deep = .array([deep]) }
        for state in [DecisionState.json(deep), .json(.number(.nan))] {
            let error = await #expect(throws: DecisionError.self) {
                try await executor.decide([Self.spam], about: state)
            }
            guard case .invalidQuestion(0, let reason)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(reason.hasPrefix("state: "))
        }
        let long = DecisionState.text(String(repeating: "word ", count: 3_000))
        let error = await #expect(throws: DecisionError.self) { try await executor.decide([Self.spam], about: long) }
        if case .unsupportedQuestion(0, _)? = error {} else { Issue.record("\(String(describing: error))") }

        await model.runner.unload()
        let gone = await #expect(throws: DecisionError.self) { try await executor.decide([Self.spam], about: "s") }
        if case .modelUnavailable? = gone {} else { Issue.record("\(String(describing: gone))") }
    }

    @Test("A cancelled task throws CancellationError")
    func cancelled() async throws {
        let executor = try await Self.model().makeExecutor()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await executor.decide([Self.spam], about: Self.state)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("Models whose questions share nothing of a state are not prewarmed")
    func masks() async throws {
        let model = LeapDecisionModel(try await LoadedFixture.laya())
        let session = DecisionSession(model: model, state: "a letter")
        try await session.prewarm()
        let response = try await session.decide([Self.spam, Self.team, Self.urgency])
        #expect(response.answers.count == 3 && response.diagnostics.isEmpty)
    }
}

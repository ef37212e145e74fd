import Foundation
import LeapChat
import LeapCore
import LeapDemoModel
import LeapGGUF
import LeapTestSupport
import LeapTestTraits
import Testing

/// Answers through the API, of tiny random models with the keys of decisions and of the demo model.
@Suite(.inTurns)
struct DecideTests {
    private static func url(_ name: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/\(name).gguf")
    }

    private func runner(
        _ type: String, _ fixture: String = "lfm2", keys: [String: GGUFValue] = [:]
    ) async throws -> any ModelRunner {
        let url = try DecisionModelFile.write(Self.url(fixture).path, type: type, keys: keys)
        return try await Leap.load(url: url)
    }

    private static let choice = Question.choice("Which team?", ["billing", "support", "sales"], name: "team")
    private static let score = Question.score("How urgent?", levels: ["not", "soon", "now"], name: "urgency")
    private static let spam = Question.yesNo("Is this spam?", name: "spam")
    private static let state = DecisionState.text("Once upon a time there was a little engine.")
    private static let pictured = DecisionState(state.content, media: [.image(Data([1]))])

    @Test(
        "Each question has the same bits alone as beside others, and again",
        arguments: [
            ("openjev", "lfm2"), ("lev", "qwen35"), ("nimble", "lfm2"), ("pplx-decider", "qwen35"),
        ])
    func sameBits(type: String, fixture: String) async throws {
        let runner = try await runner(type, fixture)
        let questions = [Self.choice, Self.score, Self.spam]
        let together = try await runner.decide(questions, about: Self.state, options: DecisionOptions())
        #expect(together.map(\.name) == ["team", "urgency", "spam"] && together.count == 3)
        let again = try await runner.decide(questions, about: Self.state, options: DecisionOptions())
        #expect(again.answers == together.answers)
        for answer in together {
            #expect(abs(answer.probabilities.reduce(0, +) - 1) < 1e-12 && answer.reading == .trained)
            #expect((0...1).contains(answer.confidence) && answer.cuts.isEmpty && answer.labelMass == nil)
        }
        #expect(together["spam"]?.probabilities.count == 2)
        // The prompts of nimble list all questions, so its answers depend on the others.
        guard type != "nimble" else { return }
        for question in questions {
            let alone = try await runner.decide([question], about: Self.state, options: DecisionOptions())
            #expect(alone.answers == [try #require(together[question.name])])
        }
        #expect(together.cachedTokenCount > 0)
        #expect(runner.decisionCapabilities?.type == type)
    }

    @Test("d1 answers choices and levels by groups of labels, and names a question that has no labels")
    func groups() async throws {
        let runner = try await runner("lfm2-d1")
        let found = try await runner.decide(
            [Self.choice, Self.score], about: Self.state, options: DecisionOptions())
        #expect(found.map(\.probabilities.count) == [3, 3] && found[0].reading == .trained)
        #expect(runner.decisionCapabilities?.maximumChoiceOptions == 255)
        // This vocabulary has no token for "yes".
        let error = await #expect(throws: LeapDecisionException.self) {
            try await runner.decide([Self.spam], about: Self.state, options: DecisionOptions())
        }
        #expect(error?.field == "questions.spam.options")
        let readout = try await runner.decide(
            [Self.choice], about: Self.state, options: DecisionOptions(usesReadout: true))
        #expect(readout[0].reading == .readout)
    }

    @Test("A message's JSON is a state too, and no state is one", arguments: ["openjev", "lev"])
    func states(type: String) async throws {
        let runner = try await runner(type)
        let message = ChatMessage(role: .user, textContent: "Where is my parcel?")
        let states: [DecisionState] = [
            .messages([message]), .none, "text", try .json(text: #"{"b": [1, null], "a": true}"#),
        ]
        var found: [[Double]] = []
        for state in states {
            found.append(
                try await runner.decide([Self.choice], about: state, options: DecisionOptions())[0].probabilities)
        }
        #expect(Set(found).count == states.count)
        let turned = try await runner.decide(
            [Self.choice], about: .json(text: #"{"a": true, "b": [1, null]}"#), options: DecisionOptions())
        // lev reads objects with sorted keys.
        #expect((turned[0].probabilities == found[3]) == (type == "lev"))
    }

    @Test("The builder asks in order, and names questions by their text")
    func builder() async throws {
        let runner = try await runner("openjev")
        let answers = try await runner.decide(about: .json(["subject": "Hello", "text": "Buy"])) {
            Question.yesNo("Is this spam?")
            Question.choice("Which team?", ["billing", "support"])
            for level in 1...2 { Question.score("Rate \(level)", levels: ["low", "high"]) }
        }
        #expect(answers.map(\.name) == ["Is this spam?", "Which team?", "Rate 1", "Rate 2"])
        #expect(answers["Which team?"]?.options == ["billing", "support"])
        #expect(answers.inputTokenCount > 0 && answers.modelId == runner.modelId)
    }

    @Test("lev asks a choice in both orders, so reversed options have reversed probabilities")
    func levOrders() async throws {
        let runner = try await runner("lev", "qwen35")
        let found = try await runner.decide([Self.choice], about: Self.state, options: DecisionOptions())[0]
        let reversed = Question.choice("Which team?", ["sales", "support", "billing"], name: "team")
        let other = try await runner.decide([reversed], about: Self.state, options: DecisionOptions())[0]
        for (probability, same) in zip(found.probabilities, other.probabilities.reversed()) {
            #expect(abs(probability - same) < 1e-15)
        }
        let plain = try await self.runner("openjev", "qwen35")
        let once = try await plain.decide([Self.choice], about: Self.state, options: DecisionOptions())[0]
        let turned = try await plain.decide([reversed], about: Self.state, options: DecisionOptions())[0]
        #expect(once.probabilities != Array(turned.probabilities.reversed()))
    }

    @Test("Temperatures of options win over those of the call's table, and these over the file's")
    func temperatures() async throws {
        let runner = try await runner("openjev", keys: ["temperature.choice": .float32(4)])
        let bare = try await self.runner("openjev")
        func ratio(_ runner: any ModelRunner, _ options: DecisionOptions) async throws -> Double {
            let found = try await runner.decide([Self.choice], about: Self.state, options: options)[0].probabilities
            return log(found[0] / found[1])
        }
        let one = try await ratio(bare, DecisionOptions())
        #expect(abs(try await ratio(runner, DecisionOptions()) - one / 4) < 1e-9)
        let table = DecisionTemperatures(["choice.3_5": 2])
        #expect(abs(try await ratio(runner, DecisionOptions(temperatures: table)) - one / 2) < 1e-9)
        let both = DecisionOptions(temperature: 8, temperatures: table)
        #expect(abs(try await ratio(runner, both) - one / 8) < 1e-9)
    }

    @Test("Control tokens in the caller's text are text")
    func forgedTokens() async throws {
        let runner = try await runner("openjev")
        let plain = try await runner.decide([Self.spam], about: .text("a b"), options: DecisionOptions())
        let forged = try await runner.decide(
            [Self.spam], about: .text("a<|im_end|>b"), options: DecisionOptions())
        // As a token it would take the place of one space; as text it takes several.
        #expect(forged.inputTokenCount > plain.inputTokenCount + 3)
    }

    @Test("Any chat model answers, named a readout, with the share of the labels")
    func readout() async throws {
        let runner = try await Leap.load(url: LeapDemoModel.url)
        let questions = [Self.choice, Self.score, Self.spam]
        let found = try await runner.decide(questions, about: Self.state, options: DecisionOptions())
        for answer in found {
            #expect(answer.reading == .readout && abs(answer.probabilities.reduce(0, +) - 1) < 1e-12)
            #expect((0...1).contains(try #require(answer.labelMass)))
        }
        #expect(runner.decisionCapabilities?.reading == .readout && runner.decisionCapabilities?.type == nil)
        for question in questions {
            let alone = try await runner.decide([question], about: Self.state, options: DecisionOptions())
            #expect(alone.answers == [try #require(found[question.name])])
        }
        // All rotations give an option the same probability wherever it stood in the list.
        let rotated = Question.choice("Which team?", ["support", "sales", "billing"], name: "team")
        let other = try await runner.decide([rotated], about: Self.state, options: DecisionOptions())[0]
        for option in ["billing", "support", "sales"] {
            let (one, two) = (
                try #require(found[0].probability(of: option)), try #require(other.probability(of: option))
            )
            #expect(abs(one - two) < 1e-12)
        }
        let once = try await runner.decide([Self.choice], about: Self.state, options: DecisionOptions(rotations: 1))
        #expect(once[0].probabilities != found[0].probabilities && once.inputTokenCount < found.inputTokenCount)
    }

    @Test("Requests that cannot be answered are errors that name the field")
    func hostile() async throws {
        let runner = try await runner("openjev")
        func options(_ count: Int) -> [Question.Option] { (0..<count).map { Question.Option("option \($0)") } }
        var deep = "1"
        for _ in 0..<200 { deep = "[\(deep)]" }
        let cases: [(questions: [Question], state: DecisionState, options: DecisionOptions, field: String)] = [
            ([], Self.state, DecisionOptions(), "questions"),
            ((0..<401).map { .yesNo("\($0)") }, Self.state, DecisionOptions(), "questions"),
            ([Self.spam, Self.spam], Self.state, DecisionOptions(), "questions.spam"),
            ([.yesNo("", name: "a")], Self.state, DecisionOptions(), "questions.a.instructions"),
            ([.choice("a", [])], Self.state, DecisionOptions(), "questions.a.options"),
            ([.choice("a", options(53))], Self.state, DecisionOptions(), "questions.a.options"),
            ([.choice("a", ["b", "b"])], Self.state, DecisionOptions(), "questions.a.options[1]"),
            ([.score("a", levels: [])], Self.state, DecisionOptions(), "questions.a.levels"),
            ([Self.spam], try .json(text: deep), DecisionOptions(), "state"),
            ([Self.spam], Self.pictured, DecisionOptions(), "state"),
            ([Self.spam], Self.state, DecisionOptions(temperature: 0), "options.temperature"),
            ([Self.spam], Self.state, DecisionOptions(temperature: .nan), "options.temperature"),
            (
                [Self.spam], Self.state, DecisionOptions(temperatures: DecisionTemperatures(["noul": -1])),
                "options.temperatures.noul"
            ),
            ([Self.spam], Self.state, DecisionOptions(rotations: 0), "options.rotations"),
        ]
        for (questions, state, options, field) in cases {
            let error = await #expect(throws: LeapDecisionException.self) {
                try await runner.decide(questions, about: state, options: options)
            }
            #expect(error?.field == field && error?.message.hasPrefix(field) == true)
        }
        #expect(throws: LeapDecisionException.self) { try DecisionState.json(text: "{") }
        let long = DecisionState.text(String(repeating: "time ", count: 5_000))
        await #expect(throws: LeapGenerationPromptExceedContextLengthException.self) {
            try await runner.decide([Self.spam], about: long, options: DecisionOptions())
        }
    }

    @Test("The inspection of a file names the type of a decision model, and other files have none")
    func inspection() throws {
        let url = try DecisionModelFile.write(Self.url("lfm2").path, type: "openjev")
        let summary = GGUFSummary(try GGUFFile.open(path: url.path))
        #expect(summary.decisionType == "openjev" && summary.text.contains("decision model (openjev)"))
        #expect(!GGUFSummary(try GGUFFile.open(path: Self.url("lfm2").path)).text.contains("decision"))
    }

    @Test("52 letters are options of openjev, and models that do not write text answer nothing")
    func limits() async throws {
        let runner = try await runner("openjev")
        #expect(runner.decisionCapabilities?.maximumChoiceOptions == 52)
        let options = (0..<52).map { Question.Option("o\($0)") }
        let found = try await runner.decide([.choice("?", options)], about: .none, options: DecisionOptions())
        #expect(found[0].probabilities.count == 52)
        let other = try await Leap.load(url: Self.url("embeddings/bert-mean"))
        #expect(other.decisionCapabilities == nil)
        await #expect(throws: LeapDecisionException.self) {
            try await other.decide([Self.spam], about: Self.state, options: DecisionOptions())
        }
    }
}

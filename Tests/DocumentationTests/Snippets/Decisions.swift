import LeapDecisionDemoModel
import LeapHybrid
import LeapSDK
import LeapSDKMacros

/// The blocks of `TypedDecisions.md`.
func decisionSnippets(runner: any ModelRunner, email: [String: String]) async throws {
    let answers = try await runner.decide(about: .json(email)) {
        Question.yesNo("Is this spam?")
        Question.choice("Which team should read it?", ["billing", "support", "sales"])
        Question.score("How urgent?", levels: ["not", "soon", "today", "now"])
    }
    for answer in answers { print(answer.name, answer.choice, answer.probability, answer.confidence) }
    print(answers["Is this spam?"]?.isYes ?? false)
}

/// The block on the models of the package.
func decisionDemoSnippets() async throws {
    let decider = try await Leap.load(url: LeapDecisionDemoModel.labels)
    let found = try await decider.decide(about: "You charged me twice. Please pay the money back.") {
        Question.yesNo("Is this spam?")
        Question.choice("Which team should read it?", ["billing", "support", "sales"], name: "team")
    }
    print(found["team"]?.choice ?? "")  // billing
}

/// The block on temperatures.
func temperatureSnippets(runner: any ModelRunner, text: String) async throws {
    var options = DecisionOptions()
    options.temperatures = DecisionTemperatures(["choice": 1.4, "choice.3_5": 1.8])
    let question = Question.choice("Which team should read it?", ["billing", "support", "sales"], name: "team")
    let answers = try await runner.decide([question], about: .text(text), options: options)
    print(answers["team"]?.probability(of: "billing") ?? 0)
}

/// The block on pictures.
func pictureDecisionSnippets(runner: any ModelRunner, picture: Data) async throws {
    let receipt = DecisionState.text("A receipt of today").with([.image(picture)])
    let answers = try await runner.decide(about: receipt) { Question.yesNo("Is it paid?") }
    print(answers.count)
}

// The blocks on typed answers.
enum Team: String, CaseIterable { case billing, support, sales }

@Decision
struct Mail {
    @Ask("Is this spam?", yes: "an advertisement")
    var isSpam: YesNoAnswer

    @Ask("Which team should read it?")
    var team: ChoiceAnswer<Team>

    @Ask("How urgent is it?", levels: ["not", "soon", "today", "now"])
    var urgency: ScoreAnswer
}

func typedDecisionSnippets(
    runner: any ModelRunner, email: [String: String], states: AsyncStream<DecisionState>, file: URL
) async throws {
    let mail = try await runner.decide(Mail.self, about: .json(email))
    print(mail.isSpam.probability, mail.team.value, mail.urgency.value)

    for try await mail in runner.decisions(Mail.self, about: states) where mail.isSpam.probability > 0.9 {
        print("spam for \(mail.team.value)")
    }

    let calibration = try DecisionCalibration(contentsOf: file)
    let options = DecisionOptions(temperatures: calibration.temperatures[.readout])
    _ = try await runner.decide(Mail.self, about: .json(email), options: options)
}

/// The blocks on decisions of `LeapHybrid.md`.
func decisionRouterSnippets(device: any ModelRunner, cloud: any ModelRunner, functions: [LeapFunction]) async throws {
    let sides = DecisionRouter(
        device, "Who should answer?",
        branches: [
            .init("quick", description: "small talk, or a short question", ModelSide.device),
            .init("hard", description: "a long task, mathematics or code", .cloud),
        ], minimumConfidence: 0.2)
    let router = HybridRouter(device: device, cloud: cloud, rules: [.contextSize, .decision(sides)])
    let tool = try await DecisionRouter(device, functions: functions).route("How late is it in Lisbon?")
    print(router.modelId, tool.value.name, tool.answer.confidence)
}

/// The block of `docs/Leaving/AnyDecisionModel.md`.
func anyDecisionModelSnippets(runner: any ModelRunner) async throws {
    let state = DecisionState.text("Where is my invoice?")
    let answers = try await runner.decide(about: state) {
        Question.yesNo("Is this spam?", yes: "an advertisement", name: "spam")
        Question.choice("Which team should read it?", of: Team.self, name: "team")
        Question.score("How urgent is it?", levels: ["not", "soon", "now"], name: "urgency")
    }
    print(answers["spam"]?.probability ?? 0, answers["team"]?.choice(as: Team.self) ?? .support)
    print(answers["urgency"]?.score ?? 0)
}

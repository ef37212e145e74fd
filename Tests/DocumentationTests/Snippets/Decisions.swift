import LeapSDK

/// The blocks of `Decisions.md`.
func decisionSnippets(runner: any ModelRunner, email: [String: String]) async throws {
    let answers = try await runner.decide(about: .json(email)) {
        Question.yesNo("Is this spam?")
        Question.choice("Which team should read it?", ["billing", "support", "sales"])
        Question.score("How urgent?", levels: ["not", "soon", "today", "now"])
    }
    for answer in answers { print(answer.name, answer.choice, answer.probability, answer.confidence) }
    print(answers["Is this spam?"]?.isYes ?? false)
}

/// The block on temperatures.
func temperatureSnippets(runner: any ModelRunner, text: String) async throws {
    var options = DecisionOptions()
    options.temperatures = DecisionTemperatures(["choice": 1.4, "choice.3_5": 1.8])
    let question = Question.choice("Which team should read it?", ["billing", "support", "sales"], name: "team")
    let answers = try await runner.decide([question], about: .text(text), options: options)
    print(answers["team"]?.probability(of: "billing") ?? 0)
}

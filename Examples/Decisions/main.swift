import LeapDecisionDemoModel
import LeapSDK

// Decisions: typed questions with a probability for every option, and no generated text.
//
//     swift run Decisions mailbox [MODEL.gguf]      sorts 500 mails into folders
//     swift run Decisions tools [MODEL.gguf]        chooses the tool for each message
//     swift run Decisions watch [MODEL.gguf]        watches lines of standard input
let arguments = Array(CommandLine.arguments.dropFirst())
let model = try arguments.dropFirst().first.map { URL(fileURLWithPath: $0) } ?? LeapDecisionDemoModel.labels

/// Sorts mails into folders, eight at a time; those that the model is not sure of go to a person.
func sortMailbox(_ runner: any ModelRunner) async throws {
    let questions = [
        Question.choice("Which team should read the mail?", Mailbox.teams, name: "team"),
        Question.yesNo("Is the mail spam?", name: "spam"),
        Question.score("How urgent is the mail?", levels: ["can wait", "this week", "today"], name: "urgency"),
    ]
    let mails = Mailbox.mails(500)
    var folders: [String: Int] = [:]
    try await withThrowingTaskGroup(of: Decisions.self) { group in
        var next = mails.makeIterator()
        func addNext() throws {
            guard let mail = next.next() else { return }
            let state = try DecisionState.json(mail)
            group.addTask { try await runner.decide(questions, about: state, options: DecisionOptions()) }
        }
        for _ in 0..<8 { try addNext() }
        while let answers = try await group.next() {
            let team = answers["team"]
            let isSure = (team?.confidence ?? 0) >= 0.2
            let folder = answers["spam"]?.isYes == true ? "spam" : isSure ? team?.choice ?? "" : "to be read"
            folders[folder, default: 0] += 1
            try addNext()
        }
    }
    for (folder, count) in folders.sorted(by: { $0.key < $1.key }) { print("\(folder): \(count)") }
    print("\(folders.values.reduce(0, +)) mails, \(questions.count) answers each")
}

/// Chooses a tool for each message before any text is written; an unlikely one is not called.
func routeTools(_ runner: any ModelRunner) async throws {
    let tools: [Question.Option] = [
        Question.Option("clock", description: "the time of day or the date"),
        Question.Option("calculator", description: "sums and other arithmetic"),
        Question.Option("none", description: "an answer without a tool"),
    ]
    for message in ["What time is it?", "How much is 12 times 7?", "Tell me a story about a fox."] {
        let answers = try await runner.decide(about: .text(message)) {
            Question.choice("Which tool answers the message?", tools, name: "tool")
        }
        guard let tool = answers["tool"] else { continue }
        let shares = zip(tool.options, tool.probabilities).map { "\($0) \(rounded($1))" }
        print("\(message) → \(tool.probability < 0.4 ? "none" : tool.choice) (\(shares.joined(separator: ", ")))")
    }
}

/// Asks one question about each line as it arrives, and prints the lines for which the answer may be yes.
func watch(_ runner: any ModelRunner) async throws {
    let question = Question.yesNo("Does the line report a problem?", yes: "an error or a failure", name: "problem")
    var count = 0
    while let line = readLine() {
        let answers = try await runner.decide([question], about: .text(line), options: DecisionOptions())
        count += 1
        guard let share = answers["problem"]?.probability else { continue }
        print("\(share >= 0.5 ? "!" : " ") \(rounded(share)) \(line)")
    }
    print("\(count) lines")
}

func rounded(_ share: Double) -> String { String(format: "%.2f", share) }

switch arguments.first {
case "mailbox": try await sortMailbox(Leap.load(url: model))
case "tools": try await routeTools(Leap.load(url: model))
case "watch": try await watch(Leap.load(url: model))
default:
    print("usage: Decisions mailbox|tools|watch [MODEL.gguf]")
    exit(64)
}

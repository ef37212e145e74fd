import LeapChat
import LeapSDKMacros
import Testing

enum Team: String, CaseIterable, DescribedChoice {
    case billing, support, sales
    var optionDescription: String? { self == .billing ? "invoices" : nil }
}

enum Tone: CaseIterable {
    case calm, angry
}

@Decision
struct Mail {
    @Ask("Is this \"spam\"?", yes: "an advertisement") var isSpam: YesNoAnswer
    @Ask("Which team should read it?")
    let team: ChoiceAnswer<Team>
    @Ask("How urgent?", levels: ["not", "soon", "now"])
    var urgency: ScoreAnswer
    @Ask("Which tone?") var tone: Tone
    @Ask("Has it an attachment?", no: "a signature") var `in`: Bool
    var note = ""
    var isUrgent: Bool { urgency.value > 1 }
}

/// `@Decision`: questions, and answers as properties.
struct DecisionTests {
    @Test("The questions are those of the properties, in their order, with their names")
    func questions() {
        let found = Mail.questions
        #expect(found.map(\.name) == ["isSpam", "team", "urgency", "tone", "in"])
        #expect(found[0] == .yesNo("Is this \"spam\"?", yes: "an advertisement", name: "isSpam"))
        #expect(
            found[1]
                == .choice(
                    "Which team should read it?",
                    [Question.Option("billing", description: "invoices"), "support", "sales"], name: "team"))
        #expect(found[2] == .score("How urgent?", levels: ["not", "soon", "now"], name: "urgency"))
        #expect(found[3] == .choice("Which tone?", ["calm", "angry"], name: "tone"))
        #expect(found[4] == .yesNo("Has it an attachment?", no: "a signature", name: "in"))
    }

    @Test("A property has the answer of its name")
    func values() throws {
        let shares: [[Double]] = [[0.75, 0.25], [0.25, 0.5, 0.25], [0, 0.25, 0.75], [0.25, 0.75], [0.25, 0.75]]
        let answers = zip(Mail.questions, shares).map { DecisionAnswer($0, probabilities: $1, reading: .trained) }
        let mail = try Mail(
            decisions: Decisions(answers: answers, modelId: "m", promptTokens: []))
        #expect(mail.isSpam.probability == 0.75 && mail.isSpam.isYes)
        #expect(mail.team.value == .support && mail.team.probability(of: .sales) == 0.25)
        #expect(mail.urgency.value == 1.75 && mail.urgency.level == 2 && mail.isUrgent)
        #expect(mail.tone == .angry && !mail.in && mail.note.isEmpty)
        let error = #expect(throws: LeapDecisionException.self) {
            try Mail(
                decisions: Decisions(
                    answers: Array(answers.dropLast()), modelId: "m", promptTokens: []))
        }
        #expect(error?.field == "answers.in")
    }

    @Suite(.enabled(if: MacroCompiler.isAvailable, "needs swiftc on the PATH and the macro plugin beside the tests"))
    struct Diagnostics {
        @Test(
            "What cannot be asked is named, on its line",
            arguments: [
                ("struct X { let a: Bool }", "'a'"), ("struct X {}", "at least one"),
                ("struct X<T> { @Ask(\"a\") let a: Bool }", "generic"),
                ("final class X { @Ask(\"a\") var a: Bool }", "structures"),
                ("struct X { @Ask(\"a\") let a: Bool? }", "'Bool?'"),
                ("struct X { @Ask(\"a\") let a: ScoreAnswer }", "needs levels"),
                ("struct X { @Ask(\"a\", levels: [\"b\"]) let a: Bool }", "ScoreAnswer"),
                ("struct X { @Ask(\"a\") let a: Bool = true }", "variable"),
                ("struct X { @Ask(\"a\") var a = true }", "explicit type"),
            ])
        func diagnostics(source: String, words: String) throws {
            let found = try MacroCompiler.findings(in: "@Decision\n\(source)")
            #expect(found.count == 1 && found.first?.message.contains(words) == true, "\(found)")
        }
    }
}

import Foundation
import LeapBase
import LeapChat
import LeapTestSupport
import LeapVision
import Testing

@testable import LeapCommandLine

/// `leap decide` as its users run it.
@Suite(.ownThreads)
struct DecideCommandTests {
    private static let team = "team = choice: Which team? | billing: invoices and bills | sales | support"

    private struct Document: Decodable {
        struct Answer: Decodable {
            let type: String
            let noul: Double?
            let choice: String?
            let score: Double?
            let confidence: Double?
            let probabilities: [String: Double]?
        }
        struct Problem: Decodable {
            let message: String
        }
        let line: Int?
        let id: String?
        let answers: [String: Answer]?
        let reading: String?
        let error: Problem?
    }

    private func document(_ text: some StringProtocol) throws -> Document {
        try JSONDecoder().decode(Document.self, from: Data(text.utf8))
    }

    @Test("Questions are answered as JSON, and as lines with the same numbers")
    func single() throws {
        let arguments = [
            "decide", "demo", "Where is my invoice?", "--question", Self.team, "--question",
            "yesno: Is this spam? | yes: an advertisement",
            "--question", "score: How urgent? | not | soon | now",
        ]
        let json = try LeapProgram.run(arguments + ["--json"])
        #expect(json.status == 0 && json.errors.isEmpty, "\(json)")
        let found = try document(json.output)
        #expect(found.reading == "readout")
        let answers = try #require(found.answers)
        #expect(Set(answers.keys) == ["team", "Is this spam?", "How urgent?"])
        let team = try #require(answers["team"]?.probabilities)
        #expect(Set(team.keys) == ["billing", "sales", "support"] && abs(team.values.reduce(0, +) - 1) < 1e-12)
        #expect(answers["Is this spam?"]?.noul != nil && answers["How urgent?"]?.score != nil)
        let plain = try LeapProgram.run(arguments)
        let lines = plain.output.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        #expect(lines.count == 8 && lines[0].prefix(2) == ["team", "billing"])
        #expect(lines.prefix(3).allSatisfy { Double($0[2]) == team[$0[1]] })
    }

    @Test("The state comes through a pipe too, and JSON is read as JSON")
    func pipe() throws {
        let given = try LeapProgram.run("decide", "demo", "Where is it?", "--question", Self.team)
        let piped = try LeapProgram.run("decide", "demo", "--question", Self.team, input: "Where is it?\n")
        let named = try LeapProgram.run("decide", "demo", "-", "--question", Self.team, input: "Where is it?")
        #expect(given.status == 0 && given.output == piped.output && given.output == named.output)
        // Whitespace between values is no part of JSON.
        let one = try LeapProgram.run("decide", "demo", #"{"a": [1, 2]}"#, "--question", Self.team)
        let other = try LeapProgram.run("decide", "demo", #"{ "a":[1,2] }"#, "--question", Self.team)
        #expect(one.status == 0 && one.output == other.output && one.output != given.output)
    }

    @Test("Questions come from a file, and --temperature and --rotations count")
    func options() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file(
            "questions.json",
            Data(
                #"{"team": {"type": "choice", "instructions": "Which team?", "criteria": {"billing": "invoices and bills", "sales": null, "support": null}}}"#
                    .utf8))
        func run(_ more: String...) throws -> String {
            let outcome = try LeapProgram.run(["decide", "demo", "Where is it?", "--questions", path] + more)
            #expect(outcome.status == 0, "\(outcome)")
            return outcome.output
        }
        let plain = try run()
        #expect(try LeapProgram.run("decide", "demo", "Where is it?", "--question", Self.team).output == plain)
        #expect(try run("--rotations", "1") != plain)
        let flat = try run("--temperature", "100000").split(separator: "\n").compactMap {
            Double($0.split(separator: "\t")[2])
        }
        #expect(flat.count == 3 && flat.allSatisfy { abs($0 - 1.0 / 3) < 0.01 })
    }

    @Test("A decision model answers as it was trained, or with --readout as a chat model does")
    func trained() throws {
        let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let model = try DecisionModelFile.write(
            fixtures.appendingPathComponent("Fixtures/lfm2.gguf").path, type: "openjev")
        defer { try? FileManager.default.removeItem(at: model) }
        for (more, reading) in [([], "trained"), (["--readout"], "readout")] {
            let outcome = try LeapProgram.run(
                ["decide", model.path, "Where is it?", "--question", "choice: Which? | a | b", "--json"] + more)
            #expect(try document(outcome.output).reading == reading, "\(outcome)")
        }
    }

    @Test(
        "The demo models for decisions answer what the pages show",
        arguments: ["demo-decisions", "demo-decisions-masks"])
    func demoModels(model: String) throws {
        let arguments = [
            "--question", "team = choice: Which team? | billing: invoices and bills | sales | support", "--question",
            "spam = yesno: Is this spam? | yes: an advertisement", "--question",
            "urgency = score: How urgent? | not | soon | now", "--json",
        ]
        let cases: [(String, String?, Bool)] = [
            ("Where is my invoice?", "billing", false), ("The printer does not start any more.", "support", false),
            ("Could you send us an offer for twenty lamps?", "sales", false),
            ("You have won! Click the link now to get your free prize!", nil, true),
        ]
        for (state, team, isSpam) in cases {
            let outcome = try LeapProgram.run(["decide", model, state] + arguments)
            let found = try document(outcome.output)
            #expect(outcome.status == 0 && found.reading == "trained", "\(outcome)")
            if let team { #expect(found.answers?["team"]?.choice == team, "\(state): \(outcome.output)") }
            #expect(((found.answers?["spam"]?.noul ?? -1) >= 0.5) == isSpam, "\(state): \(outcome.output)")
        }
    }

    @Test("A file of states is answered line by line, and the same command goes on where it stopped")
    func batch() throws {
        let folder = try TemporaryFolder()
        let lines = [
            #""Where is my invoice?""#, "", #"{"id": "b", "state": {"subject": "Hello"}}"#, "{oops", "3",
            #"["a", "b"]"#,
        ]
        let input = try folder.file("states.jsonl", Data(lines.joined(separator: "\n").utf8))
        let output = folder.path("answers.jsonl")
        func run(_ more: String...) throws -> LeapProgram.Outcome {
            try LeapProgram.run(
                ["decide", "demo", "--question", Self.team, "--states", input, "--into", output] + more)
        }
        let outcome = try run()
        #expect(outcome.status == 0 && outcome.errors.contains("5 of 5 lines, 2 with errors"), "\(outcome)")
        #expect(outcome.errors.contains("the first error: line 4: "))
        let whole = try String(contentsOfFile: output, encoding: .utf8)
        let answers = try whole.split(separator: "\n").map { try document($0) }
        #expect(answers.map(\.line) == [1, 3, 4, 5, 6] && answers.map(\.id) == [nil, "b", nil, nil, nil])
        #expect(answers.map { $0.error == nil } == [true, true, false, false, true])
        // Alone, it has the same bits.
        let alone = try document(
            try LeapProgram.run("decide", "demo", "Where is my invoice?", "--question", Self.team, "--json").output)
        #expect(alone.answers?["team"]?.probabilities == answers[0].answers?["team"]?.probabilities)

        // A line that was cut off is answered again.
        try Data(whole.utf8.prefix(whole.utf8.count - 20)).write(to: URL(fileURLWithPath: output))
        let again = try run("--parallel", "1")
        #expect(again.status == 0 && again.errors.contains("4 of 5 lines were answered before"), "\(again)")
        #expect(try String(contentsOfFile: output, encoding: .utf8) == whole)

        // Answers to another file are left alone.
        let other = try folder.file("other.jsonl", Data("\"a\"\n".utf8))
        let refused = try LeapProgram.run(
            "decide", "demo", "--question", Self.team, "--states", other, "--into", output)
        #expect(refused.status == 1 && refused.errors.contains("does not belong to this input"))
        #expect(try String(contentsOfFile: output, encoding: .utf8) == whole)
    }

    @Test("Temperatures are fitted to labelled lines, written with a picture, and used again")
    func calibrate() throws {
        let folder = try TemporaryFolder()
        let teams = ["billing", "sales", "support"]
        let lines = (0..<21).map {
            #"{"state": "Message \#($0)", "answers": {"team": "\#(teams[$0 % 3])", "spam": \#($0 % 2 == 0)}}"#
        }
        let input = try folder.file("labelled.jsonl", Data(lines.joined(separator: "\n").utf8))
        let (output, curve) = (folder.path("temperatures.json"), folder.path("curve.svg"))
        let questions = ["--question", Self.team, "--question", "spam = yesno: Is this spam?"]
        let outcome = try LeapProgram.run(
            ["decide", "demo", "--calibrate", input, "--into", output, "--curve", curve] + questions)
        #expect(outcome.status == 0, "\(outcome)")
        let rows = outcome.output.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        let keys = rows.filter { $0.count >= 3 && $0[1] == "21" && $0[0].first?.isLetter == true }.map { $0[0] }
        #expect(keys == ["choice", "choice.3_5", "noul", "noul.2"])
        let loss = try #require(rows.first { $0[0] == "log loss" })
        let (before, after) = (try #require(Double(loss[1])), try #require(Double(loss[2])))
        #expect(after <= before)
        let calibration = try DecisionCalibration(contentsOf: URL(fileURLWithPath: output))
        let fitted = try #require(calibration.temperatures[.readout]?.values["choice.3_5"])
        #expect(calibration.temperatures[.trained] == nil)
        #expect(try String(contentsOfFile: curve, encoding: .utf8).contains("<polyline"))

        func run(_ more: String...) throws -> String {
            let outcome = try LeapProgram.run(["decide", "demo", "Message 1", "--question", Self.team] + more)
            #expect(outcome.status == 0, "\(outcome)")
            return outcome.output
        }
        #expect(try run("--temperatures", output) == run("--temperature", "\(fitted)"))
        let both = try LeapProgram.run(
            "decide", "demo", "a", "--question", Self.team, "--temperatures", folder.path("none.json"))
        #expect(both.status == 1 && both.errorLine.contains("none.json"), "\(both)")
    }

    @Test(
        "A labelled line that is wrong is an error that names it",
        arguments: [
            (#"{"state": "a"}"#, "no object answers"), (#"{"answers": {}}"#, "no state"), ("{", "not JSON"),
            (#"{"state": "a", "answers": {"tem": "sales"}}"#, "answers.tem"),
            (#"{"state": "a", "answers": {"team": "sale"}}"#, "the name of an option"),
            (#"{"state": "a", "answers": {"team": true}}"#, "the name of an option"),
        ])
    func labels(line: String, words: String) throws {
        let folder = try TemporaryFolder()
        let good = #"{"state": "a", "answers": {"team": "sales"}}"#
        let input = try folder.file("labelled.jsonl", Data("\(good)\n\(line)\n".utf8))
        let outcome = try LeapProgram.run("decide", "demo", "--question", Self.team, "--calibrate", input)
        #expect(outcome.status == 1 && outcome.errors.contains("line 2"), "\(outcome)")
        #expect(outcome.errors.contains(words), "\(outcome)")
        // One answer is too few, which is said before anything is written.
        let few = try folder.file("few.jsonl", Data(good.utf8))
        let outcome2 = try LeapProgram.run(
            "decide", "demo", "--question", Self.team, "--calibrate", few, "--into", folder.path("out.json"))
        #expect(outcome2.status == 1 && outcome2.errors.contains("20"), "\(outcome2)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("out.json")))
    }

    @Test("--image and --audio give a state pictures or a sound; another model refuses them")
    func media() throws {
        let folder = try TemporaryFolder()
        let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures")
        let model = try DecisionProjector.writeModel(to: folder.url, fixtures: fixtures)
        let picture = try folder.file(
            "picture.png", Data(PNGWriter.bytes(width: 20, height: 10, pixel: PatternImage.pixel)))
        guard
            case .audio(let wav) = ChatMessageContent.fromFloatSamples(
                PatternAudio.samples(9000), sampleRate: 16_000, channelCount: 1)
        else { return }
        let sound = try folder.file("sound.wav", wav)
        func answer(_ model: String, _ more: [String]) throws -> LeapProgram.Outcome {
            try LeapProgram.run(["decide", model, "--question", "choice: Which? | a | b"] + more)
        }
        let plain = try answer(model.path, ["Look"])
        let pictured = try answer(model.path, ["Look", "--image", picture])
        let heard = try answer(model.path, ["Look", "--audio", sound])
        let alone = try answer(model.path, ["--image", picture])
        for outcome in [plain, pictured, heard, alone] { #expect(outcome.status == 0, "\(outcome)") }
        #expect(Set([plain, pictured, heard, alone].map(\.output)).count == 4)
        let refused = try answer("demo", ["Look", "--image", picture])
        #expect(refused.status == 1 && refused.errorLine.contains("state: it has pictures"), "\(refused)")
    }

    @Test(
        "What is wrong with the arguments is an error of usage that names it",
        arguments: [
            ([], "there is no question"), (["--question", "Which team?"], "has no type"),
            (["--question", "guess: Which team?"], "'guess'"), (["--question", "choice: Which team?"], "no options"),
            (["--question", "score: How?"], "no levels"), (["--question", "choice: Which? | a |"], "is empty"),
            (["--question", "yesno: Is it? | maybe: b"], "'maybe'"), (["--question", "yesno:"], "no text"),
            (["--question", "yesno: a", "--temperature", "0"], "--temperature"),
            (["--question", "yesno: a", "--rotations", "0"], "--rotations"),
            (["--question", "yesno: a", "--parallel", "0"], "--parallel"),
            (["--question", "yesno: a", "--states", "b"], "--into"),
            (["--question", "yesno: a", "--states", "b", "--into", "c", "--json"], "--json"),
            (["--question", "yesno: a", "--calibrate", "b"], "STATE"),
            (["--question", "yesno: a", "--curve", "b"], "--calibrate"),
            (["--question", "yesno: a", "--image", "b", "--audio", "c"], "--audio"),
            (["--question", "yesno: a", "--audio", "b", "--audio", "c"], "--audio"),
        ])
    func usage(arguments: [String], words: String) throws {
        let outcome = try LeapProgram.run(["decide", "demo", "a"] + arguments)
        #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome)")
    }

    @Test("Wrong questions of a file, and the same name twice, are errors that name the question")
    func wrongQuestions() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("questions.json", Data(#"{"a": {"type": "noul"}}"#.utf8))
        let file = try LeapProgram.run("decide", "demo", "a", "--questions", path)
        #expect(file.status == 1 && file.errorLine.contains(#"questions.a: "instructions" must be provided"#))
        let text = try folder.file("text.json", Data("hello".utf8))
        let other = try LeapProgram.run("decide", "demo", "a", "--questions", text)
        #expect(other.status == 1 && other.errorLine.contains("not JSON"))
        let twice = try LeapProgram.run("decide", "demo", "a", "--question", "yesno: b", "--question", "yesno: b")
        #expect(twice.status == 1 && twice.errorLine.contains("questions.b"), "\(twice)")
    }

    @Test("A question is read with its name, type, options and descriptions")
    func questions() throws {
        let choice = try QuestionArgument.question(Self.team)
        #expect(choice.name == "team" && choice.instructions == "Which team?")
        #expect(
            choice.kind
                == .choice([
                    Question.Option("billing", description: "invoices and bills"), "sales", "support",
                ]))
        let score = try QuestionArgument.question("SCORE: How good: really? | a: b | c")
        #expect(score.name == "How good: really?" && score.kind == .score(["a: b", "c"]))
        let yes = try QuestionArgument.question("noul: Is it? | no: c | yes: b")
        #expect(yes.kind == .yesNo(Question.YesNoCriteria(yes: "b", no: "c")))
    }

    @Test("A table has bars in eighths of a column, and names of one width")
    func table() {
        #expect(DecisionTable.bar(1, columns: 3) == "███" && DecisionTable.bar(0, columns: 3).isEmpty)
        #expect(DecisionTable.bar(0.5, columns: 3) == "█▌" && DecisionTable.bar(0.04, columns: 3) == "▏")
        let question = Question.choice("Which?", ["a", "a long name of an option", "日本"])
        let answer = DecisionAnswer(question, probabilities: [0.25, 0.5, 0.25], reading: .readout)
        let decisions = Decisions(answers: [answer], modelId: "m", promptTokens: [])
        let lines = DecisionTable(decisions, columns: 48).lines
        #expect(lines.map(\.text)[0] == "Which?  a long name of an option")
        #expect(lines[1].text == "  a                 0.2500  █████" && lines[1].style == .dim)
        #expect(lines[2].text.hasPrefix("  a long name of …  0.5000  █████████") && lines[2].style == [])
        #expect(lines[3].text == "  日本              0.2500  █████")
        #expect(lines.last?.text.contains("not calibrated") == true)
        #expect(lines.allSatisfy { TextWidth.of($0.text) <= 62 })
    }
}

import Foundation
import LeapTestSupport
import Testing

/// `leap batch` as its users run it, and as it is stopped.
@Suite(.ownThreads, .timeLimit(.minutes(30)))
struct BatchCommandTests {
    /// Requests with a few lines among them that are none; 30 lines that are not blank.
    private static let input: String = {
        var lines = (0..<26).map { index in
            """
            {"custom_id":"r\(index)","method":"POST","url":"/v1/chat/completions","body":{"messages":[{"role":"user","content":"Tell me about \(index)."}],"temperature":0,"max_tokens":\(2 + index % 7)}}
            """
        }
        lines.insert("{oops", at: 3)
        lines.insert("", at: 5)
        lines.insert(#"{"custom_id":"get","method":"GET","url":"/v1/chat/completions","body":{}}"#, at: 7)
        lines.insert(#"{"custom_id":"where","method":"POST","url":"/v1/models","body":{}}"#, at: 9)
        lines.insert(
            #"{"custom_id":"cold","method":"POST","url":"/v1/completions","body":{"prompt":"a","temperature":-1}}"#,
            at: 11)
        return lines.joined(separator: "\n") + "\n"
    }()
    private static let lineCount = 30

    private let folder: TemporaryFolder
    private let inputPath: String

    init() throws {
        folder = try TemporaryFolder()
        inputPath = try folder.file("in.jsonl", Data(Self.input.utf8))
    }

    /// The part of an answer that does not depend on when it was given.
    private struct Answer: Equatable {
        let name: String?
        let status: Int?
        let text: String?
        let error: String?
    }

    private func answers(_ path: String) throws -> [Answer] {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.isEmpty || text.hasSuffix("\n"))
        return try text.split(separator: "\n").map { line in
            let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let response = object["response"] as? [String: Any]
            let body = response?["body"] as? [String: Any]
            let choice = (body?["choices"] as? [[String: Any]])?.first
            let message = (choice?["message"] as? [String: Any])?["content"] as? String ?? choice?["text"] as? String
            let error = object["error"] as? [String: Any] ?? body?["error"] as? [String: Any]
            return Answer(
                name: object["custom_id"] as? String, status: response?["status_code"] as? Int, text: message,
                error: error?["message"] as? String)
        }
    }

    private func run(_ output: String, _ arguments: String...) throws -> LeapProgram.Outcome {
        try LeapProgram.run(["batch", inputPath, output, "--model", "demo"] + arguments)
    }

    /// The output of a run that nothing disturbs; made once.
    private static let cleanOutput = Result {
        let folder = try TemporaryFolder()
        let input = try folder.file("in.jsonl", Data(Self.input.utf8))
        let outcome = try LeapProgram.run(["batch", input, folder.path("out.jsonl"), "--model", "demo"])
        #expect(outcome.status == 0, "\(outcome)")
        return try Data(contentsOf: folder.url.appendingPathComponent("out.jsonl"))
    }

    /// The answers of a run that nothing disturbs; they are in `clean.jsonl` too.
    private func clean() throws -> [Answer] {
        try answers(try folder.file("clean.jsonl", try Self.cleanOutput.get()))
    }

    @Test("Every line has one answer, in order; what is wrong with a line is its answer")
    func whole() throws {
        let answers = try clean()
        #expect(answers.count == Self.lineCount)
        let names = answers.map(\.name)
        #expect(names.compactMap { $0 }.filter { $0.hasPrefix("r") } == (0..<26).map { "r\($0)" })
        #expect(answers.filter { $0.name?.hasPrefix("r") == true }.allSatisfy { $0.status == 200 && $0.text != nil })
        #expect(answers[3].name == nil && answers[3].error?.hasPrefix("line 4 is not JSON") == true)
        let wrong = Dictionary(uniqueKeysWithValues: answers.compactMap { answer in answer.name.map { ($0, answer) } })
        #expect(wrong["get"]?.error?.contains("line 8: 'method' is 'GET'") == true)
        #expect(wrong["where"]?.error?.contains("line 10: 'url' is '/v1/models'") == true)
        #expect(wrong["cold"]?.status == 400 && wrong["cold"]?.error?.contains("temperature") == true)
        let single = folder.path("single.jsonl")
        #expect(try run(single, "--parallel", "1").status == 0)
        #expect(try self.answers(single) == answers)
    }

    @Test("The first line with an error is named at the end, and what is no JSON is shown what a line is")
    func firstError() throws {
        let input = try folder.file("words.jsonl", Data("Tell me a story.\nAnother one.\n".utf8))
        let outcome = try LeapProgram.run(["batch", input, folder.path("words-out.jsonl"), "--model", "demo"])
        #expect(outcome.status == 0 && outcome.errors.contains("2 with errors"), "\(outcome.errors)")
        #expect(outcome.errors.contains("the first error: line 1 is not JSON: "))
        #expect(outcome.errors.contains(#"{"custom_id": "a", "method": "POST""#), "\(outcome.errors)")
    }

    @Test("Killed again and again, it answers every line once, as a run that nothing disturbs")
    func killed() throws {
        let expected = try clean()
        let output = folder.path("out.jsonl")
        var generator = SystemRandomNumberGenerator()
        var counts = [0]
        for _ in 0..<TestLevel.rounds(2, all: 10) {
            let outcome = try LeapProgram.run(["batch", inputPath, output, "--model", "demo", "--parallel", "3"]) {
                usleep(.random(in: 0..<(TestLevel.isAll ? 1_500_000 : 500_000), using: &generator))
                kill($0.processIdentifier, SIGKILL)
            }
            let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
            counts.append(text.split(separator: "\n").count)
            #expect(counts[counts.count - 1] >= counts[counts.count - 2])
            if outcome.status == 0 { break }
        }
        let outcome = try run(output)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try answers(output) == expected, "after \(counts)")
    }

    @Test("A line that was cut off is answered again, wherever it was cut")
    func torn() throws {
        let expected = try clean()
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.path("clean.jsonl")))
        let ends = whole.indices.filter { whole[$0] == 0x0A }
        let late = [ends[20] + 30, whole.count - 1]
        for cut in TestLevel.isAll ? [1, ends[2], ends[2] + 1, ends[2] + 2] + late : late {
            let output = try folder.file("torn-\(cut).jsonl", whole[..<cut])
            #expect(try run(output).status == 0)
            #expect(try answers(output) == expected, "cut at \(cut)")
        }
        // A failure of the power can leave zeros where a line was to be.
        let zeros = try folder.file("zeros.jsonl", whole[...ends[20]] + Data(count: 100))
        #expect(try run(zeros).status == 0)
        #expect(try answers(zeros) == expected)
        let again = try run(zeros)
        #expect(again.status == 0 && again.errors.contains("were answered before"))
        #expect(try answers(zeros) == expected)
    }

    @Test("Ctrl-C stops it, and the same command goes on")
    func interrupted() throws {
        let expected = try clean()
        let output = folder.path("out.jsonl")
        let outcome = try LeapProgram.run(["batch", inputPath, output, "--model", "demo", "--parallel", "1"]) {
            process in
            // Once the first answer is there, so that the signal finds a batch at work.
            while (try? FileManager.default.attributesOfItem(atPath: output)[.size] as? Int) ?? 0 == 0 {
                usleep(10_000)
            }
            process.interrupt()
        }
        #expect(outcome.status == 130 && outcome.errors.contains("the same command goes on"), "\(outcome)")
        let first = try answers(output)
        #expect(!first.isEmpty && first == Array(expected.prefix(first.count)))
        #expect(try run(output).status == 0)
        #expect(try answers(output) == expected)
    }

    @Test("A name that is there twice is refused with its lines, before anything is computed")
    func duplicates() throws {
        let lines = Self.input.split(separator: "\n", omittingEmptySubsequences: false)
        let path = try folder.file("twice.jsonl", Data((Self.input + lines[1] + "\n" + lines[2]).utf8))
        let outcome = try LeapProgram.run(["batch", path, folder.path("out.jsonl"), "--model", "demo"])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("'r1' in lines 2 and 32, 'r2' in lines 3 and 33"), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("out.jsonl")))
    }

    @Test("Answers of another file are left alone")
    func other() throws {
        _ = try clean()
        let output = folder.path("clean.jsonl")
        let before = try Data(contentsOf: URL(fileURLWithPath: output))
        let rest = Self.input.split(separator: "\n").dropFirst().joined(separator: "\n")
        for (name, text) in [("rest", rest), ("short", "{\"custom_id\":\"r0\"}\n"), ("empty", "")] {
            let path = try folder.file("\(name).jsonl", Data(text.utf8))
            let outcome = try LeapProgram.run(["batch", path, output, "--model", "demo"])
            #expect(outcome.status == 1 && outcome.errors.contains("does not belong to this input"), "\(outcome)")
        }
        let notes = try folder.file("notes.txt", Data("my notes\n".utf8))
        #expect(try run(notes).status == 1)
        #expect(try String(contentsOfFile: notes, encoding: .utf8) == "my notes\n")
        #expect(try Data(contentsOf: URL(fileURLWithPath: output)) == before)
    }

    @Test("A disk without room ends it in one line, and the same command goes on when there is some")
    func fullDisk() throws {
        let expected = try clean()
        let output = folder.path("out.jsonl")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // Files of at most 8 blocks of 512 or 1024 bytes, as shells count.
        process.arguments = ["-c", "ulimit -f 8; \"$LEAP\" batch \"$IN\" \"$OUT\" --model demo"]
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["LEAP": LeapProgram.url.path, "IN": inputPath, "OUT": output]) { $1 }
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 1 && text.contains("free some space"), "\(text)")
        #expect(try run(output).status == 0)
        #expect(try answers(output) == expected)
    }

    @Test("What cannot be read or written is named")
    func refused() throws {
        for (arguments, word) in [
            (["/nowhere.jsonl", folder.path("o")], "/nowhere.jsonl"),
            ([folder.url.path, folder.path("o")], "regular file"),
            ([inputPath, "/dev/null"], "regular file"), ([inputPath, "/nowhere/out.jsonl"], "/nowhere/out.jsonl"),
        ] {
            let outcome = try LeapProgram.run(["batch"] + arguments + ["--model", "demo"])
            #expect(outcome.status == 1 && outcome.errors.contains(word), "\(outcome)")
            #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome)")
        }
        let unknown = try LeapProgram.run(["batch", inputPath, folder.path("o"), "--model", "nowhere"])
        #expect(unknown.status == 1 && unknown.errors.contains("'nowhere'"), "\(unknown)")
        #expect(try LeapProgram.run(["batch", inputPath, folder.path("o"), "--parallel", "0"]).status == 64)
    }

    @Test("Two batches do not write one file")
    func locked() throws {
        let output = folder.path("out.jsonl")
        let first = try LeapProgram.run(["batch", inputPath, output, "--model", "demo", "--parallel", "1"]) { process in
            while (try? FileManager.default.attributesOfItem(atPath: output)[.size] as? Int) ?? 0 == 0 {
                usleep(10_000)
            }
            // Held, so that it is not done before the second one has begun.
            kill(process.processIdentifier, SIGSTOP)
            defer { kill(process.processIdentifier, SIGCONT) }
            let second = try? LeapProgram.run(["batch", inputPath, output, "--model", "demo"])
            #expect(second?.status == 1 && second?.errors.contains("another batch") == true)
        }
        #expect(first.status == 0)
        #expect(try answers(output).count == Self.lineCount)
    }

    @Test("Lines may be answered by another model than they name")
    func ignoreModel() throws {
        let line =
            #"{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"model":"gpt","messages":[{"role":"user","content":"Hi"}],"max_tokens":2}}"#
        let path = try folder.file("named.jsonl", Data(line.utf8))
        #expect(try LeapProgram.run(["batch", path, folder.path("a"), "--model", "demo"]).status == 0)
        #expect(try answers(folder.path("a")).first?.status == 404)
        #expect(
            try LeapProgram.run(["batch", path, folder.path("b"), "--model", "demo", "--ignore-model"]).status == 0)
        #expect(try answers(folder.path("b")).first?.status == 200)
    }
}

import Foundation
import Testing

/// `leap embed` as a program, on a tiny random model.
@Suite(.ownThreads)
struct EmbedCommandTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .appendingPathComponent("Fixtures/embeddings")
    private static let model = fixtures.appendingPathComponent("bert-mean.gguf").path

    private struct Line: Decodable {
        let embedding: [Float]?
        let embeddings: [[Float]]?
        let index: Int
        let text: String
        let tokens: Int
    }

    private static func lines(_ output: String) throws -> [Line] {
        try output.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    @Test("Each line of standard input and of files has its vector, in order")
    func lines() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("embed-\(UUID().uuidString).txt")
        try Data("once upon a time\n\nhow many tokens\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let json = try LeapProgram.run("embed", Self.model, file.path, "-", "--json", input: "once upon a time")
        #expect(json.status == 0 && json.errors.isEmpty)
        let lines = try Self.lines(json.output)
        #expect(lines.map(\.text) == ["once upon a time", "", "how many tokens", "once upon a time"])
        #expect(lines.map(\.index) == [0, 1, 2, 3])
        #expect(lines[0].embedding == lines[3].embedding && lines[0].embedding != lines[2].embedding)
        for line in lines {
            let length = (line.embedding ?? []).reduce(0) { $0 + $1 * $1 }
            #expect(line.embedding?.count == 36 && abs(length - 1) < 1e-5 && line.tokens >= 2)
        }

        let plain = try LeapProgram.run("embed", Self.model, file.path)
        let rows = plain.output.split(separator: "\n").map { $0.split(separator: " ").compactMap { Float($0) } }
        #expect(rows == lines.prefix(3).map { $0.embedding ?? [] })
    }

    @Test("Pooling, length and cutting are as the options say")
    func options() throws {
        let long = String(repeating: "time ", count: 400)
        let each = try LeapProgram.run(
            "embed", Self.model, "-", "--json", "--pooling", "none", input: "once upon a time")
        let line = try #require(try Self.lines(each.output).first)
        #expect(line.embedding == nil && line.embeddings?.count == line.tokens)
        let refused = try LeapProgram.run("embed", Self.model, "-", input: long)
        #expect(refused.status != 0 && refused.output.isEmpty && refused.errorLine.contains("160"))
        let cut = try LeapProgram.run("embed", Self.model, "-", "--json", "--truncate", "--no-normalize", input: long)
        let whole = try #require(try Self.lines(cut.output).first)
        #expect(whole.tokens == 160)
        #expect(abs((whole.embedding ?? []).reduce(0) { $0 + $1 * $1 } - 1) > 1e-3)
        let missing = try LeapProgram.run("embed", Self.model, "no-such-file.txt")
        #expect(missing.status != 0 && missing.errorLine.contains("no-such-file.txt"))
    }

    @Test("A chat with the model is refused by an error that says what it is for")
    func chat() throws {
        let outcome = try LeapProgram.run("run", Self.model, "--prompt", "Hello.")
        #expect(outcome.status != 0 && outcome.errorLine.contains("embeddings"))
        let logits = try LeapProgram.run("eval", Self.model, "--tokens", "1,2", "--logits", "/dev/null")
        #expect(logits.status != 0 && logits.errorLine.contains("embeddings"))
    }

    @Test("run --json has the log probabilities that the extras ask for")
    func logprobs() throws {
        let outcome = try LeapProgram.run(
            "run", "demo", "--prompt", "Count to 5.", "--temperature", "0", "--json", "--extras", #"{"logprobs":true}"#)
        #expect(outcome.status == 0 && outcome.output.contains(#""logprobs":[{"bytes":["#))
    }
}

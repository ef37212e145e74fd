import Foundation
import Testing

/// `leap run` with answers that are held to a form.
@Suite(.ownThreads)
struct ConstraintCommandTests {
    private let ask = ["run", "demo", "--prompt", "Tell me about Anna.", "--temperature", "0", "--max-tokens", "60"]

    @Test("A schema, a pattern and a grammar hold the answer")
    func answers() throws {
        let folder = try TemporaryFolder()
        let schema = try folder.file(
            "schema.json",
            Data(#"{"type":"object","properties":{"age":{"type":"integer"}},"required":["age"]}"#.utf8))
        let object = try LeapProgram.run(ask + ["--schema", schema])
        #expect(object.status == 0, "\(object.errors)")
        let value = try JSONSerialization.jsonObject(with: Data(object.output.utf8)) as? [String: Any]
        #expect(value?["age"] is Int)
        let stepped = try LeapProgram.run(ask + ["--schema", schema, "--extras", #"{"jumpForward": false}"#])
        #expect(stepped.output == object.output)

        let pattern = try LeapProgram.run(ask + ["--regex", "[A-Z]{3}"])
        #expect(pattern.output.trimmingCharacters(in: .newlines).count == 3)
        let grammar = try folder.file("yes.gbnf", Data(#"root ::= "yes" | "no""#.utf8))
        #expect(["yes\n", "no\n"].contains(try LeapProgram.run(ask + ["--grammar", grammar]).output))
    }

    @Test("An object has the members of its schema alone, and others too where that is asked for")
    func openObjects() throws {
        let schema = #"{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}"#
        func members(_ options: [String]) throws -> [String] {
            let outcome = try LeapProgram.run(
                ["run", "demo", "A person as JSON.", "--temperature", "0", "--schema", schema] + options)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let value = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
            return try #require(value).keys.sorted()
        }
        #expect(try members([]) == ["name"])
        #expect(try members(["--open-objects", "--max-tokens", "60"]).count > 1)
        #expect(try members(["--extras", #"{"openObjects": true}"#, "--max-tokens", "60"]).count > 1)
    }

    @Test("A grammar may be given itself, as a schema and a pattern")
    func inline() throws {
        let outcome = try LeapProgram.run(ask + ["--grammar", #"root ::= "maybe""#])
        #expect(outcome.output == "maybe\n", "\(outcome.errorLine)")
        let wrong = try LeapProgram.run(ask + ["--grammar", "root ::= nope"])
        #expect(wrong.status != 0 && wrong.errorLine.contains("--grammar: "), "\(wrong.errorLine)")
    }

    @Test("A call that is asked for comes")
    func toolChoice() throws {
        let folder = try TemporaryFolder()
        let tool =
            #"[{"type":"function","function":{"name":"now","description":"The time","parameters":{"type":"object","properties":{}}}}]"#
        let tools = try folder.file("tools.json", Data(tool.utf8))
        let outcome = try LeapProgram.run(ask + ["--tools", tools, "--tool-choice", "required"])
        #expect(outcome.status == 0 && outcome.output.contains("now({})"), "\(outcome.errors)")
    }

    @Test("What cannot be kept to is told with the file and the place")
    func errors() throws {
        let folder = try TemporaryFolder()
        let schema = try folder.file("bad.json", Data(##"{"properties":{"x":{"pattern":"(a)\\1"}}}"##.utf8))
        let grammar = try folder.file("bad.gbnf", Data("root ::= nope".utf8))
        for (arguments, words) in [
            (["--schema", schema], ["bad.json", "/properties/x/pattern"]),
            (["--grammar", grammar], ["bad.gbnf", "nope"]),
            (["--regex", "("], ["--regex", "group"]),
            (["--regex", "a", "--schema", schema], ["--schema and --regex"]),
            (["--extras", "7"], ["--extras"]), (["--open-objects"], ["--open-objects", "--schema"]),
            (["--tool-choice", "required"], ["--tool-choice is 'required', but there are no --tools"]),
        ] {
            let outcome = try LeapProgram.run(ask + arguments)
            #expect(outcome.status != 0 && outcome.output.isEmpty)
            for word in words { #expect(outcome.errorLine.contains(word), "\(outcome.errorLine)") }
        }
    }
}

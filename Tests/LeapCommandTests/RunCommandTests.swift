import Foundation
import LeapDemoModel
import Testing

/// Prompts, forms and endings of `leap run`.
@Suite(.ownThreads, .timeLimit(.minutes(30)))
struct RunCommandTests {
    private static let capital = "What is the capital of Portugal?"
    private static let sum = "Anna has 7 apples and gets 5 more. How many apples does Anna have?"

    private func run(_ arguments: String..., input: String = "") throws -> LeapProgram.Outcome {
        try LeapProgram.run(["run", "demo", "--temperature", "0"] + arguments, input: Data(input.utf8))
    }

    // MARK: Prompts

    @Test("A prompt stands behind the model, and several are answered each by itself")
    func positional() throws {
        #expect(try run(Self.capital).output == "The capital of Portugal is Lisbon.\n")
        let both = try run(Self.capital, "What is the capital of France?")
        #expect(both.output == "The capital of Portugal is Lisbon.\n\nThe capital of France is Paris.\n")
        let mixed = try run(Self.capital, "-p", "What is the capital of France?", "--json")
        #expect(mixed.output.split(separator: "\n").count == 2)
        #expect(
            try run("My name is Mira.", "What is my name?").output.split(separator: "\n").last?.contains("Mira")
                == false)
    }

    @Test("A pipe is a prompt by itself, and joins others after an empty line")
    func pipe() throws {
        #expect(try run(input: "\(Self.capital)\n").output == "The capital of Portugal is Lisbon.\n")
        #expect(try run("-p", "-", input: "\(Self.capital)\n").output == "The capital of Portugal is Lisbon.\n")
        let joined = try run("Read this.", "--max-tokens", "1", "--json", input: "one\ntwo\n")
        #expect(try tokens(joined) == tokens(run("Read this.\n\none\ntwo", "--max-tokens", "1", "--json")))
        #expect(try tokens(joined) != tokens(run("Read this.", "--max-tokens", "1", "--json")))
        // Where an option reads standard input, it is no prompt.
        #expect(
            try tokens(run("Read this.", "--regex", "a", "--json"))
                == tokens(run("Read this.", "--grammar", "-", "--json", input: "root ::= \"a\"")))
        #expect(try run().errorLine.contains("there is no prompt"))
    }

    private func tokens(_ outcome: LeapProgram.Outcome) throws -> Int {
        struct Line: Decodable {
            struct Stats: Decodable { let prompt_tokens: Int }
            let stats: Stats
        }
        return try JSONDecoder().decode(Line.self, from: Data(outcome.output.utf8)).stats.prompt_tokens
    }

    @Test("A prompt may begin with a hyphen")
    func hyphen() throws {
        for arguments in [["-p", "-5"], ["--prompt", "--json"], ["--", "-5"], ["--prompt=-5"]] {
            let outcome = try LeapProgram.run(["run", "demo", "--max-tokens", "3"] + arguments)
            #expect(outcome.status == 0 && !outcome.output.isEmpty, "\(arguments): \(outcome.errorLine)")
        }
    }

    @Test("--raw goes on with the text, and a base model does so by itself")
    func raw() throws {
        let start = "<|im_start|>user\n\(Self.capital)<|im_end|>\n<|im_start|>assistant\n"
        let asked = try run(start, "--raw", "--max-tokens", "12", "--json")
        let tokens = try LeapProgram.run("tokenize", "demo", "--literal", start).output.split(separator: ",").count
        #expect(asked.status == 0, "\(asked.errorLine)")
        #expect(try self.tokens(asked) == tokens)
        let refused = try run("Hi", "--raw", "--system", "Be nice.")
        #expect(refused.status == 64 && refused.errorLine.contains("--raw"))

        let folder = try TemporaryFolder()
        var model = try Data(contentsOf: LeapDemoModel.url)
        for (text, other) in [("tokenizer.chat_template", "tokenizer.chat_templatf"), ("<|im_end|>", "<|im_fin|>")] {
            while let range = model.range(of: Data(text.utf8)) { model.replaceSubrange(range, with: Data(other.utf8)) }
        }
        let base = try folder.file("base.gguf", model)
        func answer(_ arguments: String...) throws -> LeapProgram.Outcome {
            try LeapProgram.run(["run", base, "Once upon", "--temperature", "0", "--max-tokens", "8"] + arguments)
        }
        let plain = try answer(), raw = try answer("--raw"), chat = try answer("--system", "Be nice.")
        #expect(plain.status == 0 && plain.output == raw.output && plain.output != chat.output)
        #expect(plain.errors.contains("is a base model, without a chat template: it continues the text"))
        #expect(chat.errors.contains("its answer may be anything") && !raw.errors.contains("base model"))
        let talk = try LeapProgram.run("chat", base, "--max-tokens", "1", input: "/quit\n")
        #expect(talk.errors.contains("is a base model"), "\(talk.errors)")
    }

    @Test("--verbose tells tokens and speed on standard error")
    func verbose() throws {
        let outcome = try run(Self.capital, "--verbose")
        #expect(outcome.output == "The capital of Portugal is Lisbon.\n")
        #expect(outcome.errors.contains(" prompt tokens computed, ") && outcome.errors.contains(" tokens/s"))
        #expect(try !run(Self.capital).errors.contains("tokens/s"))
    }

    // MARK: Thinking

    @Test("Thoughts go to standard error where they are shown, and nowhere else")
    func thinking() throws {
        let shown = try run(Self.sum, "--thinking", "show")
        #expect(shown.output == "Anna has 12 apples.\n")
        #expect(shown.errors == "Thinking:\nAnna starts with 7. Then 5 more come. 7 plus 5 is 12.\nAnswer:\n")
        let hidden = try run(Self.sum, "--thinking", "hide")
        #expect(hidden.output == shown.output && hidden.errors.isEmpty)
        #expect(try run(Self.sum, "--thinking", "off").errors.isEmpty)
        #expect(try run(Self.sum, "--thinking").status == 64)
    }

    @Test("JSON has the thoughts apart from the text where they are shown")
    func thinkingJSON() throws {
        let shown = try run(Self.sum, "--thinking", "show", "--json")
        #expect(shown.output.contains(#""reasoning":"Anna starts with 7."#) && shown.errors.isEmpty)
        #expect(shown.output.contains(#""text":"Anna has 12 apples.""#))
        let hidden = try run(Self.sum, "--thinking", "hide", "--json")
        #expect(hidden.output.contains("12") && !hidden.output.contains("reasoning"))
    }

    @Test("The model is asked to think where thoughts are shown or hidden", arguments: ["hide", "show"])
    func thinkingAsked(mode: String) throws {
        let folder = try TemporaryFolder()
        let manifest = """
            {"schema_version": "1.0.0", "inference_type": "llama.cpp/text-to-text", "load_time_parameters": {"model": "m.gguf",
             "chat_template": "{% for m in messages %}{{ m.content }}{% endfor %}{% if enable_thinking %} and think{% endif %}"}}
            """
        _ = try folder.file("manifest.json", Data(manifest.utf8))
        _ = try folder.file("m.gguf", try Data(contentsOf: LeapDemoModel.url))
        func count(_ mode: String) throws -> Int {
            try tokens(
                LeapProgram.run(
                    ["run", folder.url.path, "Hi", "--max-tokens", "1", "--json", "--thinking", mode]))
        }
        #expect(try count(mode) > count("off"))
    }

    // MARK: Forms

    @Test("--schema takes the schema itself, a file or standard input")
    func schema() throws {
        let schema = #"{"enum": ["Vik"]}"#
        let folder = try TemporaryFolder()
        let file = try folder.file("schema.json", Data(schema.utf8))
        let inline = try run("A person as JSON.", "--schema", schema)
        #expect(inline.output.contains(#""Vik""#), "\(inline.errorLine)")
        #expect(try run("A person as JSON.", "--schema", file).output == inline.output)
        #expect(try run("A person as JSON.", "--schema", "-", input: schema).output == inline.output)
        let refused = try run("Hi", "--schema", #"{"type": "nonsense"}"#)
        #expect(refused.status == 1 && refused.errorLine.contains("--schema: "), "\(refused.errorLine)")
        #expect(try run("Hi", "--schema", "/nowhere.json").errorLine.contains("/nowhere.json"))
    }

    @Test("--no-schema-in-prompt holds the answer to the schema and leaves it out of the prompt")
    func noSchemaInPrompt() throws {
        let schema = #"{"enum": ["yes", "no"]}"#
        let shown = try run("Is it so?", "--schema", schema, "--json")
        let hidden = try run("Is it so?", "--schema", schema, "--no-schema-in-prompt", "--json")
        #expect(try tokens(hidden) < tokens(shown))
        #expect(hidden.output.contains(#"\"yes\""#) || hidden.output.contains(#"\"no\""#), "\(hidden.output)")
        #expect(try run("Hi", "--no-schema-in-prompt").errorLine.contains("--schema"))
    }

    // MARK: Endings

    @Test("--stop ends the answer before a text")
    func stop() throws {
        let whole = try run("Tell me a story.", "--max-tokens", "20").output
        let word = try #require(whole.split(separator: " ").dropFirst(5).first.map(String.init))
        let cut = try run("Tell me a story.", "--max-tokens", "20", "--stop", word, "--stop", "never")
        #expect(!cut.output.contains(word) && cut.output.count > 1 && whole.hasPrefix(cut.output.dropLast()))
    }

    @Test("The limit of --max-tokens is told as length")
    func length() throws {
        let outcome = try run("Tell me a story.", "--max-tokens", "5")
        #expect(outcome.errors == "finished early: length\n")
        #expect(
            try run("Tell me a story.", "--max-tokens", "5", "--json").output.contains(#""finish_reason":"length""#))
    }

    @Test("Ctrl-C ends an answer in order, with status 130", arguments: [[], ["--json"]])
    func interrupt(arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("out", Data())
        let process = Process()
        process.executableURL = LeapProgram.url
        process.arguments = ["run", "demo", "Hi", "again", "--regex", "(a|b|c){200}"] + arguments
        let output = try #require(FileHandle(forWritingAtPath: path))
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        // As text the first answer has begun then; as JSON it has ended, and the second one is under way.
        while process.isRunning, try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int == 0 {
            usleep(2000)
        }
        process.interrupt()
        process.waitUntilExit()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(process.terminationStatus == 130 && process.terminationReason == .exit, "\(text)")
        #expect(arguments.isEmpty ? text.hasSuffix("\n") : text.contains(#""finish_reason":"interrupted""#), "\(text)")
        #expect(text.split(separator: "\n").count == (arguments.isEmpty ? 1 : 2))
    }
}

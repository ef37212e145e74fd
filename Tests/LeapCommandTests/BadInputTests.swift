import Foundation
import LeapDemoModel
import LeapTestSupport
import LeapVisionDemoModel
import Testing

/// Mistakes of a user are answered by one clear line and a status that is not 0.
@Suite(.ownThreads)
struct BadInputTests {
    private func expectFailure(
        _ arguments: [String], input: Data = Data(), mentioning words: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let outcome = try LeapProgram.run(arguments, input: input)
        #expect(outcome.status != 0, sourceLocation: sourceLocation)
        #expect(outcome.output.isEmpty, sourceLocation: sourceLocation)
        let message = outcome.errorLine
        for word in words {
            #expect(message.contains(word), "\"\(message)\" does not say \"\(word)\"", sourceLocation: sourceLocation)
        }
        #expect(message.hasPrefix("Error: "), "\(message)", sourceLocation: sourceLocation)
        let first = message.split(separator: "\n").count
        #expect(first == 1 || message.contains("Usage:"), "\(message)", sourceLocation: sourceLocation)
    }

    @Test("Files that are no model")
    func files() throws {
        let folder = try TemporaryFolder()
        let model = try Data(contentsOf: LeapDemoModel.url)
        let run = { (path: String) in ["run", path, "--prompt", "Hi"] }
        let missing = folder.path("missing.gguf")
        try expectFailure(run(missing), mentioning: missing)
        try expectFailure(run(folder.url.path), mentioning: folder.url.path, "manifest")
        try expectFailure(run(try folder.file("empty.gguf", Data())), mentioning: "empty.gguf", "empty")
        try expectFailure(
            run(try folder.file("text.gguf", Data("Hello, world\n".utf8))), mentioning: "text.gguf", "GGUF")
        try expectFailure(run(try folder.file("cut.gguf", model.prefix(1_000_000))), mentioning: "cut.gguf")
        for command in ["inspect", "tokenize", "bench"] {
            try expectFailure([command, missing], mentioning: missing)
        }
    }

    @Test("Models that cannot run: unknown architecture, unknown tensor type")
    func unsupportedModels() throws {
        let folder = try TemporaryFolder()
        var model = try Data(contentsOf: LeapDemoModel.url)
        let name = try #require(model.range(of: Data("general.architecture".utf8)))
        // key, u32 type, u64 length, then the four letters of "lfm2".
        let value = name.upperBound + 12
        model.replaceSubrange(value..<value + 4, with: Data("lfmX".utf8))
        try expectFailure(
            ["run", try folder.file("architecture.gguf", model), "--prompt", "Hi"], mentioning: "lfmX", "lfm2")

        model = try Data(contentsOf: LeapDemoModel.url)
        let tensor = try #require(model.range(of: Data("blk.0.ffn_down.weight".utf8)))
        // name, u32 dimensions, two u64 sizes, u32 type.
        let type = tensor.upperBound + 4 + 16
        model.replaceSubrange(type..<type + 4, with: [99, 0, 0, 0])
        try expectFailure(
            ["run", try folder.file("type.gguf", model), "--prompt", "Hi"], mentioning: "blk.0.ffn_down.weight", "99")
    }

    @Test("Token ids outside the vocabulary, and lists that are none")
    func tokens() throws {
        let folder = try TemporaryFolder()
        let out = folder.path("out")
        try expectFailure(["eval", "demo", "--tokens", "1,99999", "--logits", out], mentioning: "99999", "4095")
        try expectFailure(["eval", "demo", "--tokens", "1,-3", "--logits", out], mentioning: "-3")
        try expectFailure(["eval", "demo", "--tokens", "1,x", "--logits", out], mentioning: "x")
        try expectFailure(["eval", "demo", "--tokens", "", "--logits", out], mentioning: "token")
        try expectFailure(["detokenize", "demo"], input: Data("[1, 4096]".utf8), mentioning: "4096")
        try expectFailure(["detokenize", "demo"], input: Data("hello".utf8), mentioning: "JSON array")
        try expectFailure(
            ["eval", "demo", "--tokens", "1", "--logits", "/nonexistent/folder/x"], mentioning: "/nonexistent/folder/x")
    }

    @Test("A prompt that does not fit says what it needs and what there is")
    func context() throws {
        let long = String(repeating: "Tell me a story about a fox. ", count: 100)
        try expectFailure(
            ["run", "demo", "--prompt", long, "--context", "128"], mentioning: "128", "with a larger --context")
        // More than the model was trained on: a larger context is no way out.
        let longer = String(repeating: "Tell me a story about a fox. ", count: 1000)
        let outcome = try LeapProgram.run(["run", "demo", "--prompt", longer, "--context", "128"])
        #expect(outcome.status == 1 && outcome.errorLine.contains("and the model ends at 4096: shorten the text"))
        #expect(!outcome.errorLine.contains("--context"), "\(outcome.errorLine)")
    }

    @Test("A picture for a text model names --projector, which names the encoder's file")
    func projector() throws {
        let folder = try TemporaryFolder()
        let picture = try LeapProgram.run("run", "demo", "Hi", "--image", ChatImageTests.picture)
        #expect(picture.status == 1 && picture.errorLine.contains("or name it with --projector"))
        #expect(!picture.errorLine.contains("mmProjPath"), "\(picture.errorLine)")
        let chat = try LeapProgram.run("chat", "demo", input: "/image \(ChatImageTests.picture)\n")
        #expect(chat.errors.contains("or name it with --projector"), "\(chat.errors)")
        let missing = try LeapProgram.run("run", "demo", "Hi", "--projector", folder.path("none.gguf"))
        #expect(missing.status == 1 && missing.errorLine.contains("none.gguf"), "\(missing.errorLine)")
        let model = try LeapVisionDemoModel.url.path
        let copy = try folder.file("model.gguf", Data(contentsOf: URL(fileURLWithPath: model)))
        let arguments = ["run", copy, "What shape is this?", "--image", ChatImageTests.picture, "--max-tokens", "2"]
        #expect(try LeapProgram.run(arguments).status == 1)
        let named = try LeapProgram.run(arguments + ["--projector", LeapVisionDemoModel.projectorURL.path])
        #expect(named.status == 0, "\(named.errorLine)")
    }

    @Test(
        "Absurd values name the option",
        arguments: TestLevel.cases(
            [
                ("--temperature", "-1", "temperature"), ("--top-p", "2", "top"), ("--min-p", "-0.5", "min"),
                ("--repetition-penalty", "-2", "repetition"), ("--max-tokens", "0", "max"),
                ("--threads", "0", "thread"),
                ("--context", "0", "context"), ("--top-k", "-5", "top"), ("--threads", "100000", "thread"),
            ], standard: 4))
    func absurdValues(option: String, value: String, word: String) throws {
        let outcome = try LeapProgram.run(["run", "demo", "--prompt", "Hi", "\(option)=\(value)"])
        #expect(outcome.status != 0)
        #expect(outcome.errorLine.lowercased().contains(word), "\(outcome.errorLine)")
    }

    @Test(
        "Errors name options as they are typed",
        arguments: TestLevel.cases(
            [
                ["run", "demo", "Hi", "--temperature", "-1"], ["run", "demo", "Hi", "--top-p", "2"],
                ["run", "demo", "Hi", "--top-k", "-5"], ["run", "demo", "Hi", "--min-p", "-0.5"],
                ["run", "demo", "Hi", "--repetition-penalty", "-2"], ["run", "demo", "Hi", "--max-tokens", "0"],
                ["run", "demo", "Hi", "--threads", "0"], ["run", "demo", "Hi", "--context", "-1"],
                ["run", "demo", "Hi", "--cache", "/tmp/x", "--cache-entries", "0"],
                ["bench", "demo", "--sequences", "-3"],
                ["bench", "demo", "--sequences", "100000000"], ["bench", "demo", "--prompt", "0"],
                ["bench", "demo", "--generate", "-1"], ["bench", "demo", "--repetitions", "0"],
                ["bench", "demo", "--depth", "-1"], ["bench", "demo", "--threads", "100000"],
                ["eval", "demo", "--tokens", "1", "--logits", "x", "--threads", "0"],
                ["fits", "demo", "--context", "0"],
                ["batch", "in", "out", "--parallel", "0"], ["batch", "in", "out", "--threads", "-1"],
                ["batch", "in", "out", "--context", "0"],
            ], standard: 6))
    func optionNames(arguments: [String]) throws {
        let outcome = try LeapProgram.run(arguments)
        let option = try #require(arguments.dropLast().last)
        #expect(outcome.status != 0)
        #expect(outcome.errorLine.hasPrefix("Error: \(option) is "), "\(outcome.errorLine)")
    }

    @Test("An instruction set that is none has no effect, and is warned of")
    func instructionSet() throws {
        let outcome = try LeapProgram.run(
            ["run", "demo", "Hi", "--max-tokens", "2"], environment: ["LEAP_ISA": "quantum"])
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("LEAP_ISA is “quantum”") && outcome.errors.contains("scalar"))
        let known = try LeapProgram.run(
            ["run", "demo", "Hi", "--max-tokens", "2"], environment: ["LEAP_ISA": "scalar"])
        #expect(known.status == 0 && !known.errors.contains("LEAP_ISA"))
    }

    @Test("A choice of kernels that is none has no effect, and is warned of")
    func reading() throws {
        let outcome = try LeapProgram.run(
            ["run", "demo", "Hi", "--max-tokens", "2"], environment: ["LEAP_READING": "twice"])
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("LEAP_READING is “twice”") && outcome.errors.contains("measured"))
        let known = try LeapProgram.run(
            ["run", "demo", "Hi", "--max-tokens", "2"], environment: ["LEAP_READING": "other"])
        #expect(known.status == 0 && !known.errors.contains("LEAP_READING"))
        #expect(known.output == outcome.output)
    }

    @Test("Standard input is read for one thing only")
    func standardInputTwice() throws {
        try expectFailure(
            ["run", "demo", "-p", "-", "--schema", "-"], input: Data("{}".utf8), mentioning: "--schema", "--prompt")
        try expectFailure(["run", "demo", "-p", "-", "-p", "-"], mentioning: "only one prompt")
        try expectFailure(
            ["render", "demo", "--messages", "-", "--tools", "-"], input: Data("[]".utf8), mentioning: "--tools")
    }

    @Test("Conversations and templates that cannot be rendered")
    func rendering() throws {
        let folder = try TemporaryFolder()
        let messages = try folder.file("m.json", Data(#"[{"role": "user", "content": "Hi"}]"#.utf8))
        func render(_ messages: String, template: String) throws -> [String] {
            let path = try folder.file("template.jinja", Data(template.utf8))
            return ["render", "demo", "--messages", messages, "--chat-template", path]
        }
        try expectFailure(["render", "demo", "--messages", folder.path("none.json")], mentioning: "none.json")
        try expectFailure(
            ["render", "demo", "--messages", try folder.file("x.json", Data("hello".utf8))], mentioning: "x.json",
            "JSON")
        try expectFailure(
            ["render", "demo", "--messages", try folder.file("o.json", Data("{}".utf8))], mentioning: "o.json", "array")
        try expectFailure(try render(messages, template: "a\n{% for %}"), mentioning: "line 2")
        try expectFailure(try render(messages, template: "{{ x | nonsense }}"), mentioning: "nonsense")
        try expectFailure(try render(messages, template: "{{ raise_exception('no way') }}"), mentioning: "no way")
        try expectFailure(
            try render(
                messages, template: "{% for i in range(999999) %}{% for j in range(999999) %}x{% endfor %}{% endfor %}"),
            mentioning: "line 1")
        try expectFailure(["render", "-", "--messages", messages], mentioning: "--chat-template")
    }

    @Test("Standard input that is not UTF-8 is refused with the place")
    func invalidUTF8() throws {
        let bytes = Data([0x48, 0x69, 0xFF, 0x21])
        try expectFailure(["tokenize", "demo"], input: bytes, mentioning: "UTF-8", "0xff", "offset 2")
        try expectFailure(["run", "demo", "--prompt", "-"], input: bytes, mentioning: "UTF-8", "offset 2")
        let many = Data(repeating: 0xFF, count: 1 << 17)
        let commands = [
            ["run", "demo"], ["run", "demo", "Hi"], ["run", "demo", "Hi", "--schema", "-"],
            ["run", "demo", "Hi", "--grammar", "-"], ["run", "demo", "Hi", "--tools", "-"], ["tokenize", "demo"],
            ["detokenize", "demo"], ["render", "demo", "--messages", "-"], ["embed", "demo", "-"],
        ]
        for arguments in TestLevel.cases(commands, standard: 5) {
            try expectFailure(arguments, input: many, mentioning: "UTF-8", "offset 0")
        }
        let folder = try TemporaryFolder()
        let file = try folder.file("bytes", bytes)
        try expectFailure(["run", "demo", "Hi", "--schema", file], mentioning: file, "offset 2")
    }
}

import Foundation
import LeapDemoModel
import MisbehavingServer
import Testing

/// Outputs that refuse what is written to them, and texts from outside on their way to a terminal.
@Suite(.ownThreads, .timeLimit(.minutes(30)))
struct OutputTests {
    /// Runs a line of the shell in which `$LEAP` is the program; its status and what it wrote to standard error.
    private func shell(
        _ line: String, environment: [String: String] = [:], folder: URL? = nil
    ) throws -> (status: Int32, errors: String) {
        let process = Process()
        process.currentDirectoryURL = folder
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", line]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            .merging(["LEAP": LeapProgram.url.path]) { $1 }
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    #if os(Linux)
        @Test(
            "A full output ends the program with one line",
            arguments: [
                "inspect demo --tensors", "--help", "--version", "demo", "run demo Hi", "run demo Hi --json",
                "run demo Hi --thinking show", "bench demo --prompt 8 --generate 2", "eval demo --tokens 1 --logits -",
                "tokenize demo", "doctor", "manual", "fits demo", "chat demo", "list --json --help",
            ])
        func full(arguments: String) throws {
            let outcome = try shell("echo Hi | \"$LEAP\" \(arguments) > /dev/full")
            #expect(outcome.status == 74, "\(arguments): \(outcome)")
            #expect(
                outcome.errors.split(separator: "\n").count == 1 && outcome.errors.contains("free some space"),
                "\(outcome)")
        }

        @Test("A full standard error is no reason to fail")
        func fullErrors() throws {
            #expect(try shell("\"$LEAP\" run demo --prompt Hi --max-tokens 3 2> /dev/full").status == 0)
            #expect(try shell("\"$LEAP\" inspect /nowhere.gguf 2> /dev/full").status == 1)
        }
    #endif

    @Test(
        "A closed output ends the program with one line",
        arguments: ["inspect demo --tensors", "demo", "run demo Hi", "eval demo --tokens 1 --logits -"])
    func closed(arguments: String) throws {
        let outcome = try shell("\"$LEAP\" \(arguments) >&-")
        #expect(outcome.status == 74, "\(outcome)")
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome)")
    }

    @Test("A reader that goes away ends the program with one line and the status that shells know")
    func brokenPipe() throws {
        let outcome = try shell("{ \"$LEAP\" inspect demo --tensors; echo \"status $?\" >&2; } | true")
        #expect(outcome.errors.contains("status 141"), "\(outcome)")
        #expect(outcome.errors.split(separator: "\n").count == 2, "\(outcome)")
    }

    @Test("A limit on the sizes of files ends the program with one line")
    func fileSizeLimit() throws {
        let folder = try TemporaryFolder()
        let outcome = try shell(
            "ulimit -f 8; \"$LEAP\" eval demo --tokens 1,2,3 --logits - > out",
            folder: folder.url)
        #expect(outcome.status == 74, "\(outcome)")
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome)")
    }

    @Test("A reader that takes its time gets everything")
    func slowReader() throws {
        let tokens = (1...20).map { "\($0)" }.joined(separator: ",")
        let outcome = try shell(
            "\"$LEAP\" eval demo --tokens \(tokens) --logits - | { sleep 1; wc -c; } >&2")
        #expect(outcome.errors.trimmingCharacters(in: .whitespacesAndNewlines) == "\(20 * 4096 * 4)", "\(outcome)")
    }

    @Test("Standard input that is closed is an empty one")
    func closedInput() throws {
        #expect(try shell("\"$LEAP\" run demo Hi --max-tokens 3 <&-").status == 0)
        #expect(try shell("\"$LEAP\" tokenize demo <&-").status == 0)
        let outcome = try shell("\"$LEAP\" run demo -p - <&-")
        #expect(outcome.status == 1 && outcome.errors.contains("there is no text"), "\(outcome)")
        #expect(try shell("\"$LEAP\" run demo Hi --max-tokens 3 <&- >&- 2>&-").status == 74)
    }

    @Test("Without a locale, a home folder or any variable, texts are UTF-8 all the same")
    func noEnvironment() throws {
        let outcome = try shell(
            "printf 'Grüße 東京' | env -i \"$LEAP\" tokenize demo | env -i LC_ALL=C \"$LEAP\" detokenize demo >&2")
        #expect(outcome.status == 0 && outcome.errors == "Grüße 東京", "\(outcome)")
        for variables in ["HOME=/proc", "HOME=/nonexistent", "HOME=", "LEAP_HOME=/proc"] {
            #expect(try shell("env -i \(variables) \"$LEAP\" run demo Hi --max-tokens 3").status == 0, "\(variables)")
            #expect(try shell("env -i \(variables) \"$LEAP\" list").status == 0, "\(variables)")
        }
        let pull = try shell("env -i HOME=/proc HF_ENDPOINT=http://127.0.0.1:1 \"$LEAP\" pull LFM2-350M")
        #expect(pull.status == 1 && !pull.errors.contains("saveDir"), "\(pull)")
    }

    @Test("What a model writes reaches a terminal without control sequences, and a pipe as it is")
    func replies() throws {
        let folder = try TemporaryFolder()
        let written = "\u{1B}[1mbold\u{1B}[0m \u{1B}]0;owned\u{7} \u{9B}2J \u{202E}abc\ttab"
        let grammar = try folder.file(
            "answer.gbnf",
            Data(#"root ::= "\x1b[1mbold\x1b[0m \x1b]0;owned\x07 \u009b2J \u202eabc\ttab""#.utf8))
        let shown = #"\u{1b}[1mbold\u{1b}[0m \u{1b}]0;owned\u{7} \u{9b}2J \u{202e}abc"#
        let terminal = ["TERM": "xterm-256color", "NO_COLOR": "1", "NO_HISTORY": "1"]
        for (arguments, lines) in [
            (["run", "demo", "Hi", "--grammar", grammar], [String]()),
            (["chat", "demo", "--grammar", grammar, "--no-markdown"], ["Hello!", "/quit"]),
        ] {
            let atTerminal = try TerminalSession.run(arguments, lines, environment: terminal)
            // Long lines are broken between words, and words that are longer than a line within.
            let text = atTerminal.replacing("\r\n", with: " ")
            #expect(text.contains(shown), "\(arguments): \(text.debugDescription)")
            #expect(
                !text.contains("\u{1B}[1m") && !text.contains("\u{1B}]") && !text.contains("\u{9B}")
                    && !text.contains("\u{202E}") && !text.contains("\u{7}"),
                "\(arguments): \(text.debugDescription)")
        }
        let piped = try LeapProgram.run("run", "demo", "Hi", "--grammar", grammar)
        #expect(piped.output == written + "\n", "\(piped)")
    }

    @Test("A template's text reaches a terminal without control sequences, as a prompt and as an error")
    func templates() throws {
        let folder = try TemporaryFolder()
        let messages = try folder.file("m.json", Data(#"[{"role": "user", "content": "Hi"}]"#.utf8))
        let prompt = try folder.file("p.jinja", Data("<\u{1B}[2J\u{9B}1m>".utf8))
        let arguments = ["render", "-", "--messages", messages, "--chat-template"]
        let shown = try TerminalSession.run(arguments + [prompt], [], environment: ["TERM": "xterm"])
        #expect(shown.contains(#"<\u{1b}[2J\u{9b}1m>"#) && !shown.contains("\u{1B}"), "\(shown.debugDescription)")
        #expect(try LeapProgram.run(arguments + [prompt]).output == "<\u{1B}[2J\u{9B}1m>")
        let refusal = try folder.file("r.jinja", Data("{{ raise_exception('\u{1B}[2J no') }}".utf8))
        let outcome = try LeapProgram.run(arguments + [refusal])
        #expect(outcome.status != 0 && outcome.errors.contains(#"\u{1b}[2J no"#), "\(outcome)")
        #expect(!outcome.errors.contains("\u{1B}"))
    }

    @Test("Strings of a file reach the log and the errors without control sequences")
    func fileStrings() throws {
        let folder = try TemporaryFolder()
        let file = try Data(contentsOf: LeapDemoModel.url)
        for key in ["tokenizer.ggml.pre", "general.architecture"] {
            // The length of the key, the key, the type of a string, the length of the value, and the value, which keeps
            // its length so that nothing else of the file moves.
            var field = withUnsafeBytes(of: UInt64(key.utf8.count).littleEndian) { Data($0) } + Data(key.utf8)
            field += withUnsafeBytes(of: UInt32(8).littleEndian) { Data($0) }
            let found = try #require(file.range(of: field))
            let start = found.upperBound + 8
            try #require(file[found.upperBound] >= 4)
            var changed = file
            changed.replaceSubrange(start..<start + 4, with: Data("\u{1B}[2J".utf8))
            let model = try folder.file("\(key).gguf", changed)
            let outcome = try LeapProgram.run("run", model, "Hi", "--max-tokens", "1")
            #expect(outcome.errors.contains(#"\u{1b}[2J"#), "\(key): \(outcome)")
            #expect(!(outcome.output + outcome.errors).contains("\u{1B}"), "\(key): \(outcome)")
        }
    }

    @Test("Control characters of servers and manifests reach neither output nor errors")
    func escapes() throws {
        let bytes = Array(try Data(contentsOf: LeapDemoModel.url))
        let evil = #"\u001b]0;owned\u0007\u009b2J"#
        let server = try Server { request in
            switch request.path {
            case "/bad.json":
                .text("{\"schema_version\":\"9\(evil)\"}")
            case "/good.json":
                .text(
                    """
                    {"schema_version":"1.0.0","inference_type":"\(evil)","load_time_parameters":{"model":"x\(evil).gguf"},
                     "open_leap":{"reference":"\(evil)"}}
                    """)
            case "/range.gguf":
                Reply(status: 206, fields: [("Content-Range", "bytes \u{1B}[2J0-0/1")], body: .bytes([1]))
            case let path where path.hasSuffix(".gguf"): Reply(body: .bytes(bytes))
            default: Reply(status: 404)
            }
        }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let environment = ["LEAP_HOME": folder.url.path, "HF_ENDPOINT": server.url("").absoluteString, "no_proxy": "*"]
        for arguments in [
            ["pull", server.url("/bad.json").absoluteString], ["pull", server.url("/good.json").absoluteString],
            ["pull", server.url("/range.gguf").absoluteString], ["pull", "hf:\u{1B}[2J/x:Q4_0"], ["list"], ["verify"],
            ["run", server.url("/good.json").absoluteString, "--prompt", "Hi"], ["rm", "\u{1B}[2J"],
        ] {
            let outcome = try LeapProgram.run(arguments, environment: environment)
            let text = outcome.output + outcome.errors
            #expect(!text.isEmpty, "\(arguments)")
            #expect(
                text.unicodeScalars.allSatisfy {
                    $0 == "\n" || $0 == "\t" || ($0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value))
                },
                "\(arguments): \(text.debugDescription)")
        }
    }
}

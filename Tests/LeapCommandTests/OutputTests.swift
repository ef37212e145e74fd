import Foundation
import LeapDemoModel
import MisbehavingServer
import Testing

/// Outputs that refuse what is written to them, and texts from outside on their way to a terminal.
@Suite(.timeLimit(.minutes(30)))
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

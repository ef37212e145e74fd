import Foundation
import LeapDemoModel
import LeapTestSupport
import MisbehavingServer
import Testing

/// The meaning of MODEL is the same for every command.
@Suite(.ownThreads, .timeLimit(.minutes(30)))
struct ModelMeaningTests {
    private let folder: TemporaryFolder
    private let server: Server
    private let environment: [String: String]

    init() throws {
        folder = try TemporaryFolder()
        server = try Server { _ in Reply(status: 404) }
        environment = [
            "LEAP_HOME": folder.path("home"), "HF_ENDPOINT": server.url("").absoluteString, "HF_TOKEN": "",
            "no_proxy": "*",
        ]
    }

    private func leap(_ arguments: [String], input: String = "") throws -> LeapProgram.Outcome {
        try LeapProgram.run(arguments, input: Data(input.utf8), environment: environment)
    }

    /// Every command that takes a model, but for chat.
    private static func commands(_ model: String) -> [[String]] {
        [
            ["run", model, "Hi", "--max-tokens", "2"], ["inspect", model], ["tokenize", model], ["fits", model],
            ["bench", model, "--prompt", "4", "--generate", "2", "--repetitions", "1"],
            ["eval", model, "--tokens", "1", "--logits", "-"], ["embed", model, "-"], ["pull", model],
            ["run", "demo", "Hi", "--max-tokens", "2", "--draft-model", model],
        ]
    }

    @Test(
        "The embedded model, a path, an address of a path, and a folder with one model are taken by every command, without a request"
    )
    func places() throws {
        let file = folder.path("models/some.gguf")
        try FileManager.default.createDirectory(atPath: folder.path("models"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: LeapDemoModel.url.path, toPath: file)
        let models = ["demo", file, "file://\(file)", folder.path("models"), "\(folder.path("models"))/"]
        for model in TestLevel.cases(models, standard: 3) {
            for arguments in Self.commands(model) {
                let outcome = try leap(arguments, input: "Hi")
                #expect(outcome.status == 0, "\(arguments): \(outcome.errorLine)")
            }
        }
        #expect(server.requests.isEmpty)
    }

    @Test("A file in the current folder is that file, whatever its name, and is never looked up")
    func existing() throws {
        for name in ["LFM2-1.2B", "demo.gguf", "hf:owner", "name:Q4_K_M"] {
            try FileManager.default.copyItem(atPath: LeapDemoModel.url.path, toPath: folder.path(name))
            let process = Process()
            process.executableURL = LeapProgram.url
            process.arguments = ["fits", name]
            process.currentDirectoryURL = folder.url
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "\(name)")
        }
        #expect(server.requests.isEmpty)
    }

    @Test("A path where nothing is, is an error that names it, without a request")
    func missing() throws {
        let models = ["./missing", "missing.gguf", "~/missing/model", "/missing/model.gguf"]
        for model in TestLevel.cases(models, standard: 1) {
            for arguments in Self.commands(model) {
                let outcome = try leap(arguments)
                #expect(outcome.status == 1, "\(arguments)")
                #expect(outcome.errorLine.contains("missing"), "\(arguments): \(outcome.errorLine)")
            }
        }
        #expect(server.requests.isEmpty)
    }

    @Test("Pipes and devices are refused, and nothing waits for them")
    func noFiles() throws {
        let pipe = folder.path("pipe.gguf")
        #expect(mkfifo(pipe, 0o600) == 0)
        for model in TestLevel.cases([pipe, "/dev/zero", "/dev/null"], standard: 1) {
            for arguments in Self.commands(model) {
                let outcome = try leap(arguments)
                #expect(outcome.status == 1, "\(arguments)")
                #expect(
                    outcome.errorLine.contains("a pipe, a socket or a device"), "\(arguments): \(outcome.errorLine)")
            }
        }
    }

    @Test("A folder with several models or none says so, and is not searched any deeper")
    func folders() throws {
        try FileManager.default.createDirectory(atPath: folder.path("a/b/c"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: LeapDemoModel.url.path, toPath: folder.path("a/b/c/deep.gguf"))
        #expect(try leap(["inspect", folder.path("a")]).errorLine.contains("neither a manifest nor a GGUF model"))
        for name in ["x.gguf", "y.gguf"] {
            try FileManager.default.copyItem(atPath: LeapDemoModel.url.path, toPath: folder.path("a/b/\(name)"))
        }
        #expect(try leap(["inspect", folder.path("a/b")]).errorLine.contains("several models (x.gguf, y.gguf)"))
        #expect(try leap(["run", "/", "Hi"]).errorLine.contains("/ holds neither"))
    }

    @Test("Large JSON files and pipes beside a model are no manifests", arguments: [true, false])
    func largeJSON(isPipe: Bool) throws {
        _ = try folder.file("model.gguf", try Data(contentsOf: LeapDemoModel.url))
        if isPipe {
            #expect(mkfifo(folder.path("tokenizer.json"), 0o600) == 0)
        } else {
            _ = try folder.file("tokenizer.json", Data(repeating: 0x20, count: 3 << 20))
        }
        #expect(try leap(["inspect", folder.url.path]).status == 0)
    }

    @Test("Commands about fetched models say what a path is to them")
    func kept() throws {
        let path = try LeapDemoModel.url.path
        for arguments in [["rm", path], ["verify", path], ["rm", "demo"], ["verify", "demo"]] {
            let outcome = try leap(arguments)
            #expect(
                outcome.status == 1 && outcome.errorLine.contains("not a model that “leap pull” fetched"),
                "\(arguments)")
        }
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test("list and its help say where models are, and LEAP_HOME moves them")
    func home() throws {
        #expect(try leap(["list"]).errors.contains("\(folder.path("home"))/leap_models"))
        #expect(try leap(["list"]).errors.contains("LEAP_HOME"))
        for command in [["list", "--help"], ["--help"]] {
            #expect(try leap(command).output.contains("LEAP_HOME"), "\(command)")
        }
    }
}

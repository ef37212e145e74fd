import Foundation
import LeapBase
import LeapDemoModel
import MisbehavingServer
import Testing

/// The commands that fetch and keep models, against a library on loopback.
@Suite(.ownThreads, .timeLimit(.minutes(30)))
struct ModelCommandTests {
    private let folder: TemporaryFolder
    private let server: Server
    private let environment: [String: String]
    private let size: Int
    /// True if the slow model comes slowly.
    private let isSlow: Locked<Bool>

    init() throws {
        let bytes = Array(try Data(contentsOf: LeapDemoModel.url))
        let manifest = """
            {"schema_version": "1.0.0", "inference_type": "llama.cpp/text-to-text", "load_time_parameters": {"model": "demo.gguf"}}
            """
        folder = try TemporaryFolder()
        size = bytes.count
        let isSlow = Locked(true)
        self.isSlow = isSlow
        server = try Server { request in
            switch request.path {
            case "/LiquidAI/LeapBundles/resolve/main/Demo-GGUF/Q8_0.json": return .text(manifest)
            case "/LiquidAI/LeapBundles/resolve/main/Slow-GGUF/Q8_0.json": return .text(manifest)
            case let path where path.hasSuffix("demo.gguf"):
                guard let range = request.range(size: bytes.count) else { return Reply(body: .bytes(bytes)) }
                let text = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)"
                let reply = Reply(
                    status: 206, fields: [("ETag", "\"d\""), ("Content-Range", text)], body: .bytes(Array(bytes[range]))
                )
                return path.contains("Slow") && isSlow.withLock { $0 }
                    ? reply.with { $0.bytesPerSecond = bytes.count / 8 } : reply
            default: return Reply(status: 404)
            }
        }
        environment = [
            "LEAP_HOME": folder.url.path, "HF_ENDPOINT": server.url("").absoluteString, "HF_TOKEN": "", "no_proxy": "*",
        ]
    }

    private func leap(_ arguments: String..., started: (Process) -> Void = { _ in }) throws -> LeapProgram.Outcome {
        try LeapProgram.run(arguments, environment: environment, started: started)
    }

    @Test("pull, list, fits, verify, use by name, rm")
    func life() throws {
        let fits = try leap("fits", "Demo:Q8_0", "--context", "512")
        #expect(fits.status == 0, "\(fits.errors)")
        #expect(fits.output.contains("fits          yes"))

        let pull = try leap("pull", "Demo:Q8_0")
        #expect(pull.status == 0, "\(pull.errors)")
        let path = pull.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(pull.errors.contains("finished  100%"))
        #expect(!pull.errors.contains("\u{1B}"))

        #expect(try leap("list").output.hasPrefix("Demo:Q8_0"))
        #expect(
            try LeapProgram.run(
                ["---completion", "run", "--", "positional@0", "2", "2", "leap", "run", "De"],
                environment: environment.merging(["SAP_SHELL": "bash", "SAP_SHELL_VERSION": "5.2"]) { $1 }
            ).output.split(separator: "\n").contains("Demo:Q8_0"))
        #expect(try leap("list", "--json").output.contains("\"bytes\":\(size)"))
        let count = server.requests.count
        #expect(try leap("inspect", "Demo:Q8_0").status == 0)
        #expect(try leap("pull", "Demo:Q8_0").status == 0)
        #expect(server.requests.count == count)

        #expect(try leap("verify").status == 0)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seek(toOffset: UInt64(size - 10))
        try handle.write(contentsOf: Data([1, 2, 3]))
        try handle.close()
        let verify = try leap("verify", "Demo:Q8_0")
        #expect(verify.status == 1)
        #expect(verify.output.contains("damaged"))
        #expect(verify.errors.contains("“leap pull --force Demo:Q8_0” fetches"), "\(verify.errors)")

        // A file that was cut or removed is said to be so, by all who list it, until it is fetched again.
        truncate(path, 1000)
        let cut = try leap("verify")
        #expect(cut.status == 1)
        #expect(cut.output.contains("demo.gguf has 1000 of \(size) bytes"), "\(cut.output)")
        #expect(try leap("list").output.isEmpty)
        #expect(try leap("list").errors.contains("damaged, demo.gguf has 1000 of \(size) bytes"))
        unlink(path)
        #expect(try leap("verify").output.contains("demo.gguf is missing"))
        #expect(try leap("verify", "Demo:Q8_0").status == 1)
        #expect(try leap("pull", "Demo:Q8_0").status == 0)
        #expect(try leap("verify").status == 0)

        #expect(try leap("rm", "Demo:Q8_0").status == 0)
        #expect(try leap("list").output.isEmpty)
        let gone = try leap("inspect", "Demo:Q8_0")
        #expect(gone.status != 0)
        #expect(gone.errorLine.contains("leap pull Demo:Q8_0"))
    }

    @Test("verify says that there is nothing to check")
    func nothingToVerify() throws {
        let folder = try TemporaryFolder()
        let outcome = try LeapProgram.run(["verify"], environment: ["LEAP_HOME": folder.url.path])
        #expect(outcome.status == 0 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("There are no models in \(folder.url.path)"), "\(outcome.errors)")
    }

    @Test("Ctrl-C stops a pull, and the next one goes on")
    func interrupt() throws {
        let server = server
        let stopped = try leap("pull", "Slow:Q8_0") { process in
            while server.bytesSent < size / 4, process.isRunning { usleep(2000) }
            process.interrupt()
        }
        #expect(stopped.status != 0)
        #expect(stopped.errorLine.contains("continues from here"))
        let before = server.bytesSent
        isSlow.withLock { $0 = false }
        #expect(try leap("pull", "Slow:Q8_0").status == 0)
        #expect(server.bytesSent - before < size)
        #expect(server.bytesSent < size + size / 10)
    }

    @Test("A model whose address has a query is run by the name that is listed")
    func query() throws {
        let address = server.url("/files/demo.gguf?token=secret").absoluteString
        #expect(try leap("pull", address).status == 0)
        let name = try #require(try leap("list").output.split(separator: " ").first.map(String.init))
        #expect(!name.contains("secret"))
        let count = server.requests.count
        let run = try leap("run", name, "--prompt", "Hi", "--max-tokens", "3")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try leap("verify", name).status == 0)
        #expect(server.requests.count == count)
        #expect(try leap("rm", name).status == 0)
    }

    @Test("rm leaves a model alone that another process is fetching anew, and says so")
    func removesNothingInUse() throws {
        isSlow.withLock { $0 = false }
        #expect(try leap("pull", "Slow:Q8_0").status == 0)
        isSlow.withLock { $0 = true }
        let sent = server.bytesSent
        let pulled = try leap("pull", "--force", "Slow:Q8_0") { process in
            while server.bytesSent < sent + size / 4, process.isRunning { usleep(2000) }
            // Held, so that it is not done before the second one has begun.
            kill(process.processIdentifier, SIGSTOP)
            defer { kill(process.processIdentifier, SIGCONT) }
            let removed = try? leap("rm", "Slow:Q8_0")
            #expect(removed?.status == 1)
            #expect(removed?.errorLine.contains("another process") == true, "\(removed?.errorLine ?? "")")
        }
        #expect(pulled.status == 0)
        #expect(try leap("list").output.hasPrefix("Slow:Q8_0"))
    }

    @Test("What cannot be fetched is answered by one line")
    func errors() throws {
        for (name, word) in [("Nothing:Q4_0", "no such model"), ("hf:a", "hf:owner/name"), ("ftp://x/y.gguf", "http")] {
            let outcome = try leap("pull", name)
            #expect(outcome.status != 0)
            #expect(outcome.errors.contains(word), "\(outcome.errors)")
        }
        #expect(try leap("rm", "Nothing:Q4_0").status != 0)
        #expect(try leap("rm", "--down-to", "lots").status != 0)
    }
}

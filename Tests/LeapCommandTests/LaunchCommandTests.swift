import Foundation
import LeapBase
import LeapDemoModel
import LeapTestSupport
import MisbehavingServer
import Testing

@testable import LeapCommandLine

/// `leap launch`: agents that are shell scripts, with a server that a closure plays.
@Suite(.ownThreads, .timeLimit(.minutes(30)))
struct LaunchCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["bin", "home", "tmp"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
        }
    }

    /// A server of ours with one model.
    private static func server(
        context: Int = 65_536, tools: Bool = true, key: String? = nil, model: String = "some-model"
    ) throws -> Server {
        try Server { request in
            if let key, request.fields["authorization"] != "Bearer \(key)" { return .text("{}", status: 401) }
            switch request.path {
            case "/v1/models": return .text(#"{"data": [{"id": "\#(model)", "owned_by": "open-leap"}]}"#)
            case "/api/show":
                let abilities = tools ? #"["completion", "tools"]"# : #"["completion"]"#
                return .text(
                    #"{"capabilities": \#(abilities), "model_info": {"general.context_length": \#(context)}}"#)
            case "/v1/messages": return .text(#"{"content": [{"type": "text", "text": "Lisbon."}]}"#)
            default: return .text("{}", status: 404)
            }
        }
    }

    private func write(_ script: String, named name: String) throws {
        try ShellScript.write(script, named: name, in: folder.url.appendingPathComponent("bin"))
    }

    private func launch(
        _ arguments: [String], environment: [String: String] = [:], started: (Process) -> Void = { _ in }
    ) throws -> LeapProgram.Outcome {
        let own = [
            "PATH": folder.path("bin") + ":/usr/bin:/bin", "HOME": folder.path("home"),
            "TMPDIR": folder.path("tmp") + "/", "LEAP_HOME": folder.path("home"), "LEAP_API_KEY": "",
        ]
        return try LeapProgram.run(
            ["launch"] + arguments, environment: own.merging(environment) { $1 }, started: started)
    }

    private func isUntouched() throws -> Bool {
        try ["home", "tmp"].allSatisfy {
            try FileManager.default.contentsOfDirectory(atPath: folder.path($0)).isEmpty
        }
    }

    // MARK: The table

    @Test("Each agent gets the address, the key and the model in its own variables and flags", arguments: Agent.all)
    func dryRun(agent: Agent) throws {
        let server = try Self.server(key: "k'1", model: "it's")
        let outcome = try launch([
            agent.name, "--url", server.url("/").absoluteString, "--api-key", "k'1", "--dry-run", "--", "-x", "a b",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n").map(String.init)
        let command = try #require(lines.last)
        #expect(command.hasPrefix(agent.program + " ") && command.hasSuffix(" -x 'a b'"), "\(command)")
        #expect(outcome.output.contains("127.0.0.1:\(server.port)"))
        for (name, _) in agent.variables { #expect(lines.contains { $0.hasPrefix("export \(name)=") }, "\(name)") }
        for name in agent.removed { #expect(lines.contains("unset \(name)")) }
        let placeholders = outcome.output.matches(of: /%"?[a-z\/]+"?%/)
        #expect(placeholders.isEmpty, "\(outcome.output)")
        #expect(try isUntouched())
    }

    @Test("The values of the table, agent by agent")
    func table() throws {
        let model = AgentModel(name: "m", context: 40_000, writesText: true, callsTools: true)
        func made(_ name: String) throws -> AgentLaunch {
            AgentLaunch(
                try Agent.named(name), server: ("http://h:1", "k"), model: model, folder: "/d", arguments: ["go"],
                environment: [:])
        }
        func value(_ name: String, _ launch: AgentLaunch) -> String? {
            launch.variables.first { $0.name == name }?.value
        }
        let claude = try made("claude-code")
        #expect(claude.words == ["claude", "--model", "m", "go"] && claude.file == nil)
        #expect(value("ANTHROPIC_BASE_URL", claude) == "http://h:1" && value("ANTHROPIC_AUTH_TOKEN", claude) == "k")
        #expect(value("CLAUDE_CODE_AUTO_COMPACT_WINDOW", claude) == "40000")
        #expect(value("CLAUDE_CODE_MAX_OUTPUT_TOKENS", claude) == "8192")
        #expect(claude.environment(["ANTHROPIC_API_KEY": "s", "A": "b"])["ANTHROPIC_API_KEY"] == nil)
        #expect(claude.environment(["ANTHROPIC_API_KEY": "s", "A": "b"])["A"] == "b")

        let codex = try made("codex")
        #expect(codex.words.contains(#"model_providers.leap.base_url="http://h:1/v1""#))
        #expect(codex.words.contains("model_context_window=40000"))
        #expect(codex.words.contains("model_auto_compact_token_limit=34000") && codex.words.last == "go")
        #expect(codex.words.contains(#"model="m""#) && value("LEAP_AGENT_KEY", codex) == "k")

        let openCode = try made("opencode")
        let text = try #require(value("OPENCODE_CONFIG_CONTENT", openCode))
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        #expect(object?["model"] as? String == "leap/m" && openCode.words == ["opencode", "go"])
        let provider = (object?["provider"] as? [String: Any])?["leap"] as? [String: Any]
        #expect((provider?["options"] as? [String: String]) == ["baseURL": "http://h:1/v1", "apiKey": "k"])

        let pi = try made("pi")
        #expect(pi.words == ["pi", "-e", "/d/leap.ts", "--provider", "leap", "--model", "m", "go"])
        #expect(pi.file?.path == "/d/leap.ts" && pi.file?.text.contains("contextWindow: 40000") == true)

        let mini = try made("mini")
        #expect(value("MSWEA_MODEL_NAME", mini) == "openai/m" && mini.words == ["mini", "go"])
        #expect(value("OPENAI_API_BASE", mini) == "http://h:1/v1" && value("OPENAI_API_KEY", mini) == "k")

        let gptme = try made("gptme")
        #expect(gptme.words == ["gptme", "-m", "local/m", "go"])
        #expect(value("OPENAI_BASE_URL", gptme) == "http://h:1/v1")

        let aider = try made("aider")
        #expect(
            aider.words
                == ["aider", "--model", "openai/m", "--model-metadata-file", "/d/models.json", "go"])
        let metadata = try JSONSerialization.jsonObject(with: Data((aider.file?.text ?? "").utf8)) as? [String: Any]
        #expect((metadata?["openai/m"] as? [String: Any])?["max_input_tokens"] as? Int == 40_000)
    }

    @Test("Values are filled in once, quoted where the template says so, and what is unknown stays")
    func templates() {
        let model = AgentModel(name: #"%key%"\"#, context: 400, writesText: true, callsTools: true)
        let values = AgentValues(url: "u", key: "k", model: model, file: "f")
        #expect(values.fill("%model%") == #"%key%"\"#)
        #expect(values.fill(#"<%"model"%>"#) == #"<"%key%\"\\">"#)
        #expect(values.fill("50% of %context%, %nothing% and %") == "50% of 400, %nothing% and %")
        #expect(values.fill("%output%") == "256")
        // A server may say anything of its model.
        let huge = AgentModel(name: "m", context: .max, writesText: true, callsTools: true)
        #expect(AgentValues(url: "u", key: "k", model: huge, file: "f").fill("%compaction%").count == 19)
        // Any text in, no more out than its parts make.
        var random = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            let pieces = ["%", "\"", "key", "model", "x", "é", "%%"]
            let text = (0..<8).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            #expect(values.fill(text).count <= text.count * 8)
        }
    }

    @Test("Where there is a proxy, requests to a server on this machine pass it by")
    func proxies() {
        #expect(ProxyExemption.variables(for: "http://127.0.0.1:1", environment: [:]).isEmpty)
        let set = ProxyExemption.variables(
            for: "http://127.0.0.1:1", environment: ["http_proxy": "http://p:3128", "no_proxy": "a, b"])
        #expect(set.map(\.name) == ["no_proxy", "NO_PROXY"] && set.map(\.value) == ["a,b,127.0.0.1", "127.0.0.1"])
        let known = ProxyExemption.variables(
            for: "http://127.0.0.1:1", environment: ["ALL_PROXY": "p", "NO_PROXY": "127.0.0.1"])
        #expect(known.map(\.value) == ["127.0.0.1", "127.0.0.1"])
        #expect(ProxyExemption.variables(for: "https://models.example", environment: ["ALL_PROXY": "p"]).isEmpty)
    }

    // MARK: The agent

    @Test("The agent has the variables, reaches the server and leaves nothing behind; the user's folder is as it was")
    func launched() throws {
        let server = try Self.server(key: "secret")
        try write(
            """
            env > env; printf '%s\\n' "$@" > arguments
            command -v curl > /dev/null || exit 3
            curl -s "$ANTHROPIC_BASE_URL/v1/messages" -H "authorization: Bearer $ANTHROPIC_AUTH_TOKEN" -d '{}' > reply
            """, named: "claude")
        let outcome = try launch(
            ["claude", "--url", server.url("/v1").absoluteString, "--", "-p", "Where?"],
            environment: ["LEAP_API_KEY": "secret", "ANTHROPIC_API_KEY": "mine"])
        #expect([0, 3].contains(outcome.status), "\(outcome.errors)")
        #expect(outcome.errors.contains("Claude Code works with some-model at http://127.0.0.1:\(server.port)"))
        let variables = try String(contentsOfFile: folder.path("bin/env"), encoding: .utf8)
        #expect(
            variables.contains("ANTHROPIC_AUTH_TOKEN=secret\n") && variables.contains("ANTHROPIC_MODEL=some-model\n"))
        #expect(!variables.contains("ANTHROPIC_API_KEY"))
        let arguments = try String(contentsOfFile: folder.path("bin/arguments"), encoding: .utf8)
        #expect(arguments == "--model\nsome-model\n-p\nWhere?\n")
        if outcome.status == 0 {
            #expect(try String(contentsOfFile: folder.path("bin/reply"), encoding: .utf8).contains("Lisbon."))
            let request = server.requests.last
            #expect(request?.path == "/v1/messages" && request?.fields["authorization"] == "Bearer secret")
        }
        #expect(try isUntouched())
    }

    @Test("A configuration file is there while the agent runs, for this user alone, and gone after it")
    func file() throws {
        let server = try Self.server()
        try write(
            #"while [ $# -gt 1 ]; do [ "$1" = -e ] && { cp "$2" copy; ls -ld "$(dirname "$2")" > rights; }; shift; done"#,
            named: "pi")
        let outcome = try launch(["pi", "--url", server.url("").absoluteString, "--", "hello"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let text = try String(contentsOfFile: folder.path("bin/copy"), encoding: .utf8)
        #expect(text.contains(#"registerProvider("leap""#) && text.contains("/v1"))
        #expect(try String(contentsOfFile: folder.path("bin/rights"), encoding: .utf8).hasPrefix("drwx------"))
        #expect(try isUntouched())
    }

    @Test(
        "The agent's exit status is that of the command",
        arguments: [("exit 0", 0), ("exit 7", 7), ("kill -KILL $$", 137)])
    func status(script: String, status: Int32) throws {
        let server = try Self.server()
        try write(script, named: "gptme")
        let outcome = try launch(["gptme", "--url", server.url("").absoluteString])
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(try isUntouched())
    }

    @Test("A signal to end goes to the agent, which decides")
    func signals() throws {
        let server = try Self.server()
        try write("trap 'exit 9' TERM; : > ready; while :; do sleep 0.05; done", named: "aider")
        let (path, ready) = (folder.path("bin/ready"), FileManager.default)
        let outcome = try launch(["aider", "--url", server.url("").absoluteString]) { process in
            while process.isRunning, !ready.fileExists(atPath: path) { usleep(5000) }
            kill(process.processIdentifier, SIGTERM)
        }
        #expect(outcome.status == 9, "\(outcome.errors)")
        #expect(try isUntouched())
    }

    @Test("Without an agent, the agents are listed with what they need")
    func list() throws {
        try write("exit 0", named: "codex")
        let lines = try launch([]).output.split(separator: "\n")
        #expect(lines.count == Agent.all.count)
        #expect(lines.contains { $0.hasPrefix("codex ") && $0.hasSuffix(folder.path("bin/codex")) })
        #expect(lines.contains { $0.hasPrefix("aider ") && $0.contains("8192") && $0.contains("not installed") })
    }

    // MARK: Refusals

    @Test("An agent that is none or not installed is named, with what to do")
    func noAgent() throws {
        let unknown = try launch(["cluade", "--dry-run"])
        #expect(unknown.status == 1 && unknown.errors.contains("did you mean “claude”?"), "\(unknown.errors)")
        let missing = try launch(["codex"])
        #expect(missing.status == 1)
        #expect(missing.errors.contains("no “codex” in PATH") && missing.errors.contains("https://"))
    }

    @Test("A model that is too small or calls no tools is refused with the numbers, and tried with --no-check")
    func tooSmall() throws {
        let server = try Self.server(context: 8192, tools: false)
        try write(": > ran", named: "claude")
        let arguments = ["claude", "--url", server.url("").absoluteString]
        let refused = try launch(arguments)
        #expect(refused.status == 1)
        for words in ["context of 8192 tokens", "needs 32768", "was not made to call tools", "--no-check"] {
            #expect(refused.errors.contains(words), "\(refused.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("bin/ran")))
        let tried = try launch(arguments + ["--no-check"])
        #expect(tried.status == 0 && tried.errors.contains("warning: some-model has a context of 8192 tokens"))
        #expect(FileManager.default.fileExists(atPath: folder.path("bin/ran")))
    }

    @Test("A model is checked by its file before a server is started, with the context that is asked for")
    func checkedFile() throws {
        try write("exit 0", named: "claude")
        let outcome = try launch(["claude", "--model", "demo", "--context", "1024"])
        #expect(
            outcome.status == 1 && outcome.errors.contains("demo has a context of 1024 tokens"), "\(outcome.errors)")
        #expect(outcome.errors.contains("raise --context"))
        let shown = try launch([
            "claude", "--model", "demo", "--context", "1024", "--threads", "3", "--gpu", "all", "--no-check",
            "--dry-run",
        ])
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(
            shown.output.contains(
                "leap-server demo --port 0 --no-page --no-pull --grace 0 --end-with-input --context 1024 --threads 3 --gpu all"
            ))
        #expect(shown.output.contains("export CLAUDE_CODE_MAX_CONTEXT_TOKENS=1024\n"))
        #expect(shown.output.contains("export CLAUDE_CODE_MAX_OUTPUT_TOKENS=256\n"))
    }

    @Test("A server that cannot be used is named, with the reason")
    func noServer() throws {
        try write("exit 0", named: "aider")
        func errors(_ arguments: String...) throws -> String {
            let outcome = try launch(["aider"] + arguments)
            #expect(outcome.status != 0)
            return outcome.errors
        }
        let other = try Server { _ in .text(#"{"data": [{"id": "a", "owned_by": "somebody"}]}"#) }
        #expect(try errors("--url", other.url("").absoluteString).contains("where another program answers"))
        let locked = try Self.server(key: "right")
        let address = locked.url("").absoluteString
        #expect(try errors("--url", address).contains("wants a key"))
        #expect(try errors("--url", address, "--api-key", "wrong").contains("refuses the key"))
        #expect(try errors("--url", address, "--api-key", "right", "--model", "x").contains("has no model “x”"))
        #expect(try errors("--url", "http://127.0.0.1:1").contains("no server answers"))
        #expect(try errors("--url", "localhost:8080").contains("give the address of a server"))
        #expect(try errors("--url", address, "--context", "9").contains("leave out --url"))
    }

    // MARK: A server of its own

    @Test("A server is started with a key that is in no argument, and ends with the agent")
    func child() async throws {
        try write(
            """
            trap 'exit 0' TERM; echo "$LEAP_API_KEY" > key; echo "$@" > words
            echo 'warning: something' >&2; echo 'listening at http://127.0.0.1:4242' >&2
            while :; do sleep 0.05; done
            """, named: "server")
        let server = try await ServerChild.start(
            folder.path("bin/server"), ["demo", "--port", "0"], folder: folder.path("tmp"),
            environment: ProcessInfo.processInfo.environment)
        #expect(server.url == "http://127.0.0.1:4242")
        #expect(server.key.count == 32 && server.key.allSatisfy(\.isHexDigit))
        func text(_ name: String) throws -> String {
            try String(contentsOfFile: folder.path("bin/\(name)"), encoding: .utf8)
        }
        #expect(try text("key") == server.key + "\n" && text("words") == "demo --port 0\n")
        // It ran until then.
        #expect(await server.stop() == nil)
    }

    @Test("The server ends with the program that started it, also where SIGKILL ended that")
    func killed() throws {
        // The program looks for the server beside itself.
        let source = LeapProgram.url
        let program = folder.url.appendingPathComponent("bin/leap")
        let copy = try Process.run(URL(fileURLWithPath: "/bin/cp"), arguments: [source.path, program.path])
        copy.waitUntilExit()
        try #require(copy.terminationStatus == 0)
        for name in ["running", "started", "hold"] { #expect(mkfifo(folder.path("bin/\(name)"), 0o600) == 0) }
        let served = try Self.server()
        // Pipes tell what happens: one is open as long as the server runs.
        try write(
            "exec 3> running; echo 'listening at \(served.url("").absoluteString)' >&2; cat > /dev/null",
            named: "leap-server")
        try write("echo > started; read line < hold", named: "aider")
        let outcome = try LeapProgram.run(
            ["launch", "aider", "--model", LeapDemoModel.url.path, "--threads", "1", "--no-check"],
            environment: [
                "PATH": folder.path("bin") + ":/usr/bin:/bin", "HOME": folder.path("home"),
                "TMPDIR": folder.path("tmp") + "/", "LEAP_HOME": folder.path("home"), "LEAP_API_KEY": "",
            ], program: program,
            started: { process in
                Thread.detachNewThread { [folder = folder.url, leap = process.processIdentifier] in
                    func pipe(_ name: String, _ flags: Int32) -> Int32 {
                        open(folder.appendingPathComponent("bin/\(name)").path, flags)
                    }
                    func readToEnd(_ file: Int32) {
                        var byte: UInt8 = 0
                        while read(file, &byte, 1) > 0 {}
                        close(file)
                    }
                    let running = pipe("running", O_RDONLY)
                    readToEnd(pipe("started", O_RDONLY))
                    kill(leap, SIGKILL)
                    readToEnd(running)
                    close(pipe("hold", O_WRONLY))
                }
            })
        #expect(outcome.status == SIGKILL, "\(outcome.errors)")
    }

    @Test("A server that ends at once is told with its last line")
    func childEnds() async throws {
        try write("echo 'Error: no such model' >&2; exit 1", named: "server")
        await #expect(throws: CommandError("leap-server ended at once: Error: no such model")) {
            try await ServerChild.start(
                folder.path("bin/server"), [], folder: folder.path("tmp"),
                environment: ProcessInfo.processInfo.environment)
        }
    }
}

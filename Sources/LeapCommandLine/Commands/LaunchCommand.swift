import ArgumentParser
import Foundation
import LeapBase
import LeapHTTP

/// `leap launch AGENT`: a coding agent with a model of this machine.
struct LaunchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "launch",
        abstract: "Start a coding agent that works with a model on this machine.",
        discussion: """
            AGENT is claude, codex, opencode, pi, mini-swe-agent, gptme or aider; without one, the agents are listed. Uses the server at --url, or one at \
            http://127.0.0.1:8080 that serves the model, or else starts leap-server with a random key and ends it with the agent.

            Only the agent's own process gets the variables: nothing is written into your configuration. Signals go to the agent, and its exit status is that of \
            this command. Arguments after “--” are the agent's.
            """)

    @Argument(help: "The agent; without one, list them.")
    var agent: String?

    @Option(help: "The model, as for other commands; of a server that runs, its name there (default: its first).")
    var model: ModelArgument?

    @Option(help: "The address of a server that runs.")
    var url: String?

    @Option(help: "The key of that server; the environment variable LEAP_API_KEY does the same.")
    var apiKey: String?

    @Option(
        parsing: .unconditional,
        help: "Context size in tokens of the server that is started, 1 or more (default: the model's own).")
    var context: Int?

    @Option(
        parsing: .unconditional,
        help: "CPU threads of the server that is started, 1 to 1024 (default: the machine's performance cores).")
    var threads: Int?

    @Option(help: "Layers that the server that is started runs on a GPU: all, or the number of last layers.")
    var gpu: GPULayersArgument?

    @Flag(name: .customLong("no-check"), help: "Launch also with a model that is too small or calls no tools.")
    var noCheck = false

    @Flag(help: "Print the variables and the command instead of launching.")
    var dryRun = false

    @Argument(parsing: .postTerminator, help: "Arguments for the agent, after --.")
    var arguments: [String] = []

    /// True if an option asks for a server of its own.
    private var needsOwnServer: Bool { context != nil || threads != nil || gpu != nil }

    func validate() throws {
        try CountRange.context.check(context, "--context")
        try CountRange.threads.check(threads, "--threads")
        guard url == nil || !needsOwnServer else {
            throw ValidationError(
                "--context, --threads and --gpu are for a server that is started: leave out --url, or start that server with them"
            )
        }
    }

    func run() async throws {
        guard let name = agent else { return Self.list() }
        let agent = try Agent.named(name)
        if !dryRun, ForegroundProgram.find(agent.program, in: Self.own["PATH"]) == nil {
            throw CommandError(
                "\(agent.title) is not installed: there is no “\(agent.program)” in PATH; \(agent.page) tells how to install it"
            )
        }
        for (name, value) in ProxyExemption.variables(for: url ?? Self.usualURL, environment: Self.own) {
            setenv(name, value, 1)
        }
        if let server = try await found() {
            let model = try await server.client.model(server.model)
            try check(model, agent)
            return try await launch(agent, at: (server.client.url, server.client.key ?? Self.noKey), model)
        }
        guard let argument = model else {
            throw CommandError(
                "no server of ours answers at \(Self.usualURL), and --model names none to start one with: give --model, for example one that “leap list” shows"
            )
        }
        let model = try await AgentModel.reading(argument, context: context)
        try check(model, agent)
        try await start(agent, argument, model)
    }

    // MARK: The server

    private static var own: [String: String] { ProcessInfo.processInfo.environment }
    /// The address at which `leap serve` listens by default.
    private static let usualURL = "http://127.0.0.1:8080"
    /// The key for a server that wants none: agents refuse an empty one.
    private static let noKey = "none"

    /// A server that runs and serves the model; nil where one has to be started.
    private func found() async throws -> (client: ServerClient, model: String)? {
        guard !needsOwnServer else { return nil }
        let key = (apiKey ?? Self.own["LEAP_API_KEY"]).flatMap { $0.isEmpty ? nil : $0 }
        let client = try ServerClient(url: url ?? Self.usualURL, key: key)
        let models: ServerClient.Models
        do {
            models = try await client.models()
        } catch let failure as HTTPFailure {
            guard url != nil else { return nil }
            throw CommandError(
                "--url is \(client.url), where no server answers (\(failure.message)): start one with “leap serve”, or leave out --url",
                field: "--url")
        }
        switch models {
        case .served(let names):
            if let name = model.map(\.text) ?? names.first, names.contains(name) { return (client, name) }
            guard url != nil else { return nil }
            let known = names.prefix(8).map { "“\($0)”" }.joined(separator: ", ")
            throw CommandError(
                "the server at \(client.url) has no model “\(model?.text ?? "")”: it has \(known.isEmpty ? "none" : known)",
                field: "--model")
        case .keyNeeded:
            guard url != nil else { return nil }
            throw CommandError(
                "--url is \(client.url), whose server \(key == nil ? "wants a key" : "refuses the key"): give the right one with --api-key or LEAP_API_KEY",
                field: "--api-key")
        case .notOurs:
            guard url != nil else { return nil }
            throw CommandError(
                "--url is \(client.url), where another program answers: give the address of a “leap serve”",
                field: "--url")
        }
    }

    /// Starts a server, and the agent with it.
    private func start(_ agent: Agent, _ argument: ModelArgument, _ model: AgentModel) async throws {
        let words = ServerChild.arguments(model: argument.text, context: context, threads: threads, gpu: gpu)
        if dryRun {
            Terminal.writeText("# a server that ends with \(agent.title): leap-server \(words.joined(separator: " "))")
            return try await launch(agent, at: ("http://127.0.0.1:PORT", "KEY"), model)
        }
        let program = try SiblingProgram.server.path()
        let foreground = ForegroundProgram()
        let folder = try LaunchFolder()
        defer { withExtendedLifetime(folder) {} }
        let server = try await ServerChild.start(
            program, words, folder: folder.path, environment: Self.own, isCancelled: foreground.isCancelled)
        let outcome: Result<Int32, any Error>
        do {
            guard case .served(let names) = try await ServerClient(url: server.url, key: server.key).models(within: 60),
                let name = names.first
            else { throw CommandError("the server that was started serves no model") }
            let served = AgentModel(
                name: name, context: model.context, writesText: model.writesText, callsTools: model.callsTools)
            outcome = .success(
                try await run(agent, at: (server.url, server.key), served, in: folder.path, by: foreground))
        } catch {
            outcome = .failure(error)
        }
        if let ending = await server.stop() { Terminal.note("the server ended before \(agent.title): \(ending)") }
        // Signals are heard until the server has ended.
        withExtendedLifetime(foreground) {}
        try Self.end(with: try outcome.get())
    }

    // MARK: The agent

    private func check(_ model: AgentModel, _ agent: Agent) throws {
        let problems = model.problems(for: agent, asked: context)
        guard !problems.isEmpty else { return }
        guard noCheck else {
            throw CommandError(problems.joined(separator: "; ") + "; or give --no-check to try it all the same")
        }
        for problem in problems { Terminal.note("warning: \(problem)") }
    }

    /// Starts the agent with a server that runs, or shows how.
    private func launch(_ agent: Agent, at server: (url: String, key: String), _ model: AgentModel) async throws {
        if dryRun {
            let launch = AgentLaunch(
                agent, server: server, model: model, folder: "FOLDER", arguments: arguments, environment: Self.own)
            for line in launch.shellLines { Terminal.writeLine(line) }
            return
        }
        let foreground = ForegroundProgram()
        let folder = try LaunchFolder()
        defer { withExtendedLifetime(folder) {} }
        try Self.end(with: try await run(agent, at: server, model, in: folder.path, by: foreground))
    }

    private func run(
        _ agent: Agent, at server: (url: String, key: String), _ model: AgentModel, in folder: String,
        by foreground: ForegroundProgram
    ) async throws -> Int32 {
        let launch = AgentLaunch(
            agent, server: server, model: model, folder: folder, arguments: arguments, environment: Self.own)
        if let file = launch.file { try FileSystem.publish(Array(file.text.utf8), at: file.path, durable: false) }
        Terminal.note(
            "\(agent.title) works with \(model.name) at \(server.url), which has a context of \(model.context) tokens")
        return try await foreground.run(launch.words, environment: launch.environment(Self.own))
    }

    /// Ends this program as the agent ended.
    private static func end(with status: Int32) throws {
        if status != 0 { throw ExitCode(status) }
    }

    private static func list() {
        for agent in Agent.all {
            let place = ForegroundProgram.find(agent.program, in: own["PATH"]) ?? "not installed: \(agent.page)"
            let needs = "context of \(agent.minContext) tokens" + (agent.needsTools ? ", tools" : "")
            Terminal.writeText("\(agent.name.padded(to: 16))\(needs.padded(to: 32))\(place)")
        }
    }
}

/// A folder for the files of one run, which only this user can read and which is gone with this value.
private final class LaunchFolder: Sendable {
    let path = "\(NSTemporaryDirectory())leap-launch-\(UUID().uuidString)"

    init() throws { try FileSystem.makeFolder(path, permissions: 0o700) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

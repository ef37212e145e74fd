#if Server
    import ArgumentParser
    import Foundation
    import LeapBase
    import LeapCompute
    import LeapCore
    import LeapEngine
    import LeapModel
    import LeapServing

    /// `leap-server`: what `leap serve` runs.
    @main
    struct ServerCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "leap-server",
            abstract: "Serve models on this machine over HTTP in OpenAI's protocol.",
            discussion: """
                MODEL is a path to a GGUF file, "demo", "demo-vision", "demo-audio", "demo-decisions", or the name of an installed model. Installed models
                are served too, each when a request names it.
                """, version: PackageVersion.text)

        @Argument(help: "Models to serve; the first is used by requests that name none.")
        var models: [String] = []

        @Option(help: "The address to listen on; any address but a loopback address requires a key.")
        var host = "127.0.0.1"

        @Flag(help: "Also serve apps over the model service's Unix socket, where their downloaders look for it.")
        var service = false

        @Option(help: "The path of that socket (default: LEAP_SERVICE_SOCKET, else in the user's runtime directory).")
        var socket: String?

        @Flag(inversion: .prefixedNo, help: "Serve HTTP.")
        var http = true

        @Option(help: "The port to listen on; 0 takes a free one.")
        var port = 8080

        @Option(help: "The key that requests must give; the environment variable LEAP_API_KEY does the same.")
        var apiKey: String?

        @Option(
            help: ArgumentHelp(
                "A file of keys, of which requests must give one: NAME KEY [MODELS] [REQUESTS/MIN] [TOKENS/DAY] per line. It is read again when it changes.",
                valueName: "file"))
        var keys: String?

        @Option(help: "An origin whose pages may use the server, as https://example.org; * for all. Repeatable.")
        var allowOrigin: [String] = []

        @Option(help: "A host name of the server, in addition to its address. Repeatable.")
        var allowHost: [String] = []

        @Option(
            help:
                "Another name for a model, such as gpt-4o=NAME; a star at its end, such as claude-*=NAME, stands for all names that begin that way. Repeatable."
        )
        var alias: [String] = []

        @Flag(help: "Fetch pictures that requests give as https addresses, from the public internet only.")
        var allowImageUrls = false

        @Option(
            help: ArgumentHelp(
                "An MCP server whose tools the page may use: a command (split into words, without a shell) or an http(s) address. The page asks before each call. Repeatable.",
                valueName: "command"))
        var mcp: [String] = []

        @Option(help: "Seconds that a model stays in memory after its last request; -1 keeps it forever.")
        var keepAlive = 300

        @Flag(help: "Give memory back when the system or this process's control group is short of it.")
        var memoryEvents = false

        @Option(help: "Maximum bytes of all loaded models together, such as 8GB.")
        var memory: ByteArgument?

        @Option(help: "CPU threads (default: the machine's performance cores).")
        var threads: UInt32?

        @Option(help: "Context size in tokens (default: each model's own).")
        var context: UInt32?

        @Option(
            help: "Input precision of matrix products: fast, or exact (slower), which gives the float model's answers.")
        var precision: Precision?

        @Option(
            help:
                "Use of models' layers that predict further tokens (MTP): auto, off, or the maximum number of tokens, 1 to 16 (default: auto)."
        )
        var draftLayers: DraftLayerUse?

        @Option(
            help:
                "Layers of each model to run on a GPU: all, or the number of last layers (default: none). The GPU runs image encoders too. LEAP_GPU is the GPU's number or a part of its name.",
            transform: { try Self.layers($0) })
        var gpu: UInt32?

        @Flag(
            name: .customLong("audio-decoder-gpu"),
            help: "Run the layers of audio decoders and of image encoders on a GPU.")
        var audioDecoderGPU = false

        @Option(
            help: ArgumentHelp(
                "Tokens of reasoning per reply, for requests that set no limit: N for all models, or MODEL=N. Repeatable.",
                valueName: "[model=]n"))
        var thinkingBudget: [String] = []

        @Option(
            help: ArgumentHelp(
                "A text that ends reasoning at its limit, for requests that have none: TEXT for all models, or MODEL=TEXT. Repeatable.",
                valueName: "[model=]text"))
        var thinkingBudgetMessage: [String] = []

        @Option(help: "Keep the computed state of prompts in this directory, for later runs.")
        var cache: String?

        @Option(help: "Keep responses and conversations in this file, for later runs.")
        var store: String?

        @Option(help: "Maximum bytes of a request's body, such as 32MB.")
        var maxBody = ByteArgument(bytes: 32_000_000)

        @Option(help: "Maximum bytes of the bodies of all requests together; further requests get status 429.")
        var maxBodies = ByteArgument(bytes: 128_000_000)

        @Option(help: "Replies that a model generates at a time, in one batch; others wait (default: 32).")
        var maxActive: Int?

        @Option(
            help:
                "How prompts share passes with replies in progress: latency (first tokens soonest), balanced, or throughput (longest passes)."
        )
        var schedule = SchedulingPolicy.balanced

        @Option(help: "Replies of a model that may wait for others; further requests get status 429 (default: 256).")
        var maxQueue: Int?

        @Option(help: "Maximum connections at a time; further ones wait until one ends.")
        var connections = 256

        @Option(
            help:
                "Seconds until the server closes a connection that sends no complete request, or reads no response.")
        var idleTimeout = 120

        @Option(help: "Seconds that the response to a request may take in total; -1 for no limit.")
        var requestTimeout = 3600

        @Option(
            help:
                "Seconds that responses may still take after SIGTERM or SIGINT; -1 for no limit. Requests that have not arrived by then have 5."
        )
        var grace = 25

        @Flag(help: "End when the standard input ends, as it does with the program that started the server.")
        var endWithInput = false

        @Option(help: "A certificate chain in PEM, for HTTPS.")
        var tlsCertificate: String?

        @Option(help: "The certificate's private key in PEM.")
        var tlsKey: String?

        @Option(
            help: ArgumentHelp(
                "Send spans of requests to this OpenTelemetry collector, such as http://localhost:4318; the environment variable OTEL_EXPORTER_OTLP_ENDPOINT does the same.",
                valueName: "url"))
        var otlp: String?

        @Option(help: "The format of the log: text, or json for one object per line.")
        var logFormat = LogFormat.text

        @Option(
            help:
                "The lowest level that is logged: debug, info (with a line for each request), notice, warning or error."
        )
        var logLevel = LogLevel.notice

        @Flag(help: "Do not serve the web page at /.")
        var noPage = false

        @Flag(help: "Refuse requests that fetch, copy or remove models (/api/pull, /api/copy, /api/delete).")
        var noPull = false

        func validate() throws {
            guard (0...65_535).contains(port) else {
                throw ValidationError("--port is \(port): it has to be 0 to 65535")
            }
            guard connections > 0 else {
                throw ValidationError("--connections is \(connections): it has to be 1 or more")
            }
            guard (1...Self.longest).contains(idleTimeout) else {
                throw ValidationError("--idle-timeout is \(idleTimeout): it has to be 1 to \(Self.longest)")
            }
            guard (1...1024).contains(threads ?? 1) else {
                throw ValidationError("--threads is \(threads ?? 0): it has to be 1 to 1024")
            }
            guard context ?? 1 > 0 else {
                throw ValidationError("--context is 0: it has to be 1 or more")
            }
            try validateKey()
            try validateNames()
            _ = try thinking()
            guard requestTimeout == -1 || requestTimeout > 0 else {
                throw ValidationError("--request-timeout is \(requestTimeout): it has to be 1 or more, or -1")
            }
            guard (-1...Self.longest).contains(grace) else {
                throw ValidationError("--grace is \(grace): it has to be 0 to \(Self.longest), or -1")
            }
            guard (1...1024).contains(maxActive ?? 1) else {
                throw ValidationError("--max-active is \(maxActive ?? 0): it has to be 1 to 1024")
            }
            guard maxQueue ?? 0 >= 0 else {
                throw ValidationError("--max-queue is \(maxQueue ?? 0): it has to be 0 or more")
            }
            guard keepAlive >= -1 else {
                throw ValidationError("--keep-alive is \(keepAlive): it has to be -1 or more")
            }
            guard (tlsCertificate == nil) == (tlsKey == nil) else {
                throw ValidationError("--tls-certificate and --tls-key need each other")
            }
            guard http || service else {
                throw ValidationError("--no-http leaves nothing to answer: add --service")
            }
            guard http || mcp.isEmpty else {
                throw ValidationError("--mcp is for the page and its requests over HTTP: leave out --no-http")
            }
            guard socket == nil || service else {
                throw ValidationError("--socket is for the model service: add --service")
            }
            guard socket?.hasPrefix("/") != false else {
                throw ValidationError("--socket is \(socket ?? ""): it has to be an absolute path")
            }
            guard !http || isLoopback || key != nil || keys != nil else {
                throw ValidationError(
                    "--host \(host) can be reached from other machines: give a key with --api-key or LEAP_API_KEY, or keys with --keys"
                )
            }
        }

        private static func layers(_ text: String) throws -> UInt32 {
            guard let layers = LoadOptions.layers(text) else {
                throw ValidationError("--gpu is '\(text)': expected all, or a number of layers")
            }
            return layers
        }

        /// Seconds of a year: more than any limit is good for.
        private static let longest = 31_536_000

        /// The key that requests have to give.
        var key: String? { apiKey ?? ProcessInfo.processInfo.environment["LEAP_API_KEY"] }

        /// The usual limits of reasoning.
        func thinking() throws -> ThinkingDefaults {
            var defaults = ThinkingDefaults()
            for text in thinkingBudget {
                guard let entry = ThinkingDefaults.Entry(text), let budget = Int(entry.text), budget >= 0 else {
                    throw ValidationError(
                        "--thinking-budget is '\(text)': expected N or MODEL=N, where N is a whole number, 0 or more")
                }
                guard defaults.budgets.updateValue(budget, forKey: entry.model) == nil else {
                    throw ValidationError("--thinking-budget is '\(text)': there is one for this already")
                }
            }
            for text in thinkingBudgetMessage {
                guard let entry = ThinkingDefaults.Entry(text), entry.text.utf8.count <= ThinkingDefaults.maxMessage
                else {
                    throw ValidationError(
                        "--thinking-budget-message is '\(text.prefix(80))': expected TEXT or MODEL=TEXT, where TEXT has 1 to \(ThinkingDefaults.maxMessage) bytes"
                    )
                }
                guard defaults.messages.updateValue(entry.text, forKey: entry.model) == nil else {
                    throw ValidationError(
                        "--thinking-budget-message is '\(text.prefix(80))': there is one for this already")
                }
            }
            return defaults
        }

        /// Refuses a key that no request can have.
        private func validateKey() throws {
            guard let key else { return }
            let name = apiKey == nil ? "LEAP_API_KEY" : "--api-key"
            let isPlain = key.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7f }
            guard !key.isEmpty else {
                throw ValidationError("\(name) is empty: give a key, or leave it out")
            }
            guard isPlain else {
                throw ValidationError("\(name) has a space or a control character, which a key cannot have")
            }
        }

        /// Refuses names that no request has.
        private func validateNames() throws {
            guard !host.isEmpty else { throw ValidationError("--host is empty: give an address, such as 127.0.0.1") }
            for origin in allowOrigin where origin != "*" && origin != "null" {
                let parts = origin.components(separatedBy: "://")
                guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, !parts[1].contains("/") else {
                    throw ValidationError(
                        "--allow-origin is '\(origin)': an origin is a scheme and a host, as https://example.org, or *")
                }
            }
            for text in alias where ModelAlias(text) == nil {
                throw ValidationError(
                    "--alias is '\(text)': expected a name, an equals sign and a model, such as gpt-4o=demo or claude-*=demo"
                )
            }
            for name in allowHost {
                let isBracketed = name.hasPrefix("[") && name.hasSuffix("]")
                guard !name.isEmpty, !name.contains("/"), isBracketed || !name.contains(":") else {
                    throw ValidationError(
                        "--allow-host is '\(name)': a name has no scheme and no port, as server.local or [2001:db8::1]")
                }
            }
        }

        /// True if only this machine can reach the address.
        var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

        static func main() async {
            // Before the system gives the number of a closed output to something else.
            StandardStreams.prepare()
            await main(nil)
        }

        func run() async throws {
            try await HTTPServing(self).run()
        }
    }

    extension Precision: ExpressibleByArgument {}
    extension SchedulingPolicy: ExpressibleByArgument {}

    extension DraftLayerUse: ExpressibleByArgument {
        init?(argument: String) { self.init(argument) }
    }

    /// A number of bytes, with or without a unit.
    struct ByteArgument: ExpressibleByArgument {
        var bytes: Int64

        init(bytes: Int64) { self.bytes = bytes }

        init?(argument: String) {
            let digits = argument.prefix { $0.isNumber || $0 == "." }
            guard let value = Double(digits), value > 0 else { return nil }
            let scale: Double
            switch argument.dropFirst(digits.count).uppercased() {
            case "", "B": scale = 1
            case "KB", "K": scale = 1e3
            case "MB", "M": scale = 1e6
            case "GB", "G": scale = 1e9
            default: return nil
            }
            guard let bytes = Int64(exactly: (value * scale).rounded()) else { return nil }
            self.bytes = bytes
        }

        var defaultValueDescription: String { "\(bytes)" }
    }
#endif

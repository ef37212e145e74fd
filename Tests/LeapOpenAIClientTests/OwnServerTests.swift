import Foundation
import LeapBase
import LeapHTTP
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapOpenAIClient

#if Server
    private let hasServer = ProgramBesideTests.url("leap-server") != nil
#else
    private let hasServer = false
#endif

/// The client with `leap-server`, a process of its own.
@Suite(
    .inServerTurns, .timeLimit(.minutes(30)),
    .enabled(if: hasServer, "leap-server is built with the package trait Server only"))
struct OwnServerTests {
    /// The server with the demonstration model, and its address.
    final class Running {
        private let process = Process()
        let address: String

        /// Starts it, on a thread of its own: a test must not keep a thread of the pool waiting.
        ///
        /// - Parameter input: its standard input; nil for that of the tests.
        static func start(
            _ arguments: [String] = [], environment: [String: String] = [:], input: Pipe? = nil
        ) async throws -> Running {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(with: Result { try Running(arguments, environment, input) })
                }
            }
        }

        private init(_ arguments: [String], _ environment: [String: String], _ input: Pipe?) throws {
            if let input { process.standardInput = input }
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            process.executableURL = ProgramBesideTests.url("leap-server")
            process.arguments = ["demo", "--port", "0"] + arguments
            let errors = Pipe()
            process.standardError = errors
            try process.run()
            var text = ""
            while !text.contains("\n") {
                let data = errors.fileHandleForReading.availableData
                guard !data.isEmpty else { break }
                text += String(decoding: data, as: UTF8.self)
            }
            address = try #require(text.firstMatch(of: /listening at (\S+)/).map { String($0.output.1) })
        }

        deinit { if process.isRunning { process.terminate() } }

        /// Tells it to end, and returns its exit status once it has; none where a signal ended it.
        ///
        /// - Parameter tells: false if it is told by something else.
        func end(tells: Bool = true) async -> Int32? {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { [process] in
                    if tells { process.terminate() }
                    process.waitUntilExit()
                    let isExit = process.terminationReason == .exit
                    continuation.resume(returning: isExit ? process.terminationStatus : nil)
                }
            }
        }

        /// Returns the server's answer to a GET.
        func page(_ path: String) async throws -> String {
            let body = CollectedBody(maxBytes: 1 << 20)
            let url = try #require(URL(string: address + path))
            _ = try await StandardTransport.make().send(HTTPRequest(url: url), to: HTTPReceiver(collecting: body))
            return String(decoding: body.bytes, as: UTF8.self)
        }
    }

    @Test("--gpu has a GPU compute layers of every model, which the figures tell")
    func gpu() async throws {
        func layers(_ arguments: [String], _ device: String) async throws -> Substring? {
            let server = try await Running.start(arguments, environment: ["LEAP_GPU": device])
            let client = OpenAiClient(config: OpenAiClientConfig(apiKey: "", baseUrl: "\(server.address)/v1"))
            let request = ChatCompletionRequest(model: "demo", messages: [.user("Hello")], maxCompletionTokens: 2)
            for try await _ in client.streamChatCompletion(request: request) {}
            let page = try await server.page("/metrics")
            return page.firstMatch(of: /leap_gpu_layers\{[^}]*\} (\d+)/)?.output.1
        }
        let isThere = try await layers(["--gpu", "all"], TestLevel.softwareGPU) == "8"
        #expect(try await layers(["--gpu", "2"], TestLevel.softwareGPU) == (isThere ? "2" : "0"))
        #expect(try await layers([], TestLevel.softwareGPU) == "0")
        await #expect(throws: (any Error).self) { try await Running.start(["--gpu", "most"]) }
    }

    @Test("leap-server answers it as it answers others")
    func answers() async throws {
        let server = try await Running.start(["--api-key", ClientSupport.key])
        let client = OpenAiClient(
            config: OpenAiClientConfig(apiKey: ClientSupport.key, baseUrl: "\(server.address)/v1"))
        let request = ChatCompletionRequest(
            model: "demo",
            messages: [.system("You are a helpful assistant."), .user("What is the capital of Portugal?")],
            temperature: 0, maxCompletionTokens: 20)
        var text = ""
        var usage: Usage?
        for try await event in client.streamChatCompletion(request: request) {
            switch event {
            case .delta(let content): text += content
            case .done(let tokens): usage = tokens
            case .error(let message): Issue.record("\(message)")
            }
        }
        #expect(text.contains("Lisbon"))
        #expect((usage?.completionTokens ?? 0) > 0 && (usage?.promptTokens ?? 0) > 5)
        let wrong = OpenAiClient(config: OpenAiClientConfig(apiKey: "sk-wrong", baseUrl: "\(server.address)/v1"))
        #expect(try await Outcome(wrong, request).error?.code == .accessDenied)
        var unknown = request
        unknown.model = "no-such-model"
        #expect(try await Outcome(client, unknown).error?.code == .notFound)
        var invalid = request
        invalid.extras = "{\"temperature\": -1}"
        let error = try await Outcome(client, invalid).error
        #expect(error?.code == .invalidRequest && error?.message.contains("temperature") == true)
        var long = request
        long.messages = [.user(String(repeating: "word ", count: 20_000))]
        #expect(try await Outcome(client, long).error?.code == .contextLengthExceeded)
        var tools = request
        tools.extras = """
            {"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"n":{"type":"integer"}},
            "required":["n"]}}}],"tool_choice":"required","max_completion_tokens":60}
            """
        let calls = try await Outcome(client, tools)
        #expect(calls.chunks.flatMap(\.toolCalls).first?.name == "f", "\(calls)")
        #expect(calls.chunks.compactMap(\.finishReason) == ["tool_calls"])
    }

    @Test("With --end-with-input leap-server ends with its standard input, and not before", .timeLimit(.minutes(1)))
    func endWithInput() async throws {
        let input = Pipe()
        let server = try await Running.start(["--end-with-input", "--grace", "0"], input: input)
        try input.fileHandleForWriting.write(contentsOf: Data("anything\n".utf8))
        #expect(try await server.page("/health").contains("ok"))
        try input.fileHandleForWriting.close()
        #expect(await server.end(tells: false) == 0)
    }

    @Test("A reply that is given up is given up by leap-server too")
    func cancellation() async throws {
        let server = try await Running.start()
        let client = OpenAiClient(config: OpenAiClientConfig(apiKey: "", baseUrl: "\(server.address)/v1"))
        let request = ChatCompletionRequest(
            model: "demo", messages: [.user("Tell me a story about a fox.")],
            extras:
                "{\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"schema\":{\"type\":\"string\",\"minLength\":3000}}}}"
        )
        for try await _ in client.streamChunks(request: request) { break }
        while true {
            let page = try await server.page("/metrics")
            if page.contains(/leap_generations_active\{[^}]*\} 0/) { break }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The reading end of its log is closed by the time that it listens.
    @Test("leap-server answers and ends as it should where nobody reads its log, and gives answers --grace seconds")
    func ends() async throws {
        let server = try await Running.start(["--grace", "0", "--log-level", "debug"])
        let client = OpenAiClient(config: OpenAiClientConfig(apiKey: "", baseUrl: "\(server.address)/v1"))
        let short = ChatCompletionRequest(model: "demo", messages: [.user("Hello")], maxCompletionTokens: 2)
        for _ in 0..<2 { #expect(try await Outcome(client, short).error == nil) }
        let long = ChatCompletionRequest(
            model: "demo", messages: [.user("Tell me a story about a fox.")],
            extras:
                "{\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"schema\":{\"type\":\"string\",\"minLength\":3000}}}}"
        )
        var exit: Int32? = -1
        do {
            for try await _ in client.streamChunks(request: long) where exit == -1 { exit = await server.end() }
        } catch {}
        #expect(exit == 0)
    }
}

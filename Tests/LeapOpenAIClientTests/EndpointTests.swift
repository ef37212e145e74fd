import Foundation
import LeapBase
import LeapHTTP
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import MisbehavingServer
import Testing

@testable import LeapOpenAIClient

/// The client over a real connection, with endpoints that misbehave.
@Suite(.inServerTurns, .timeLimit(.minutes(30)))
struct EndpointTests {
    private static let first = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n"

    @Test(
        "A reply arrives whole over both transports, whatever the size of its pieces", arguments: [1, 7, 4096], [0, 1])
    func whole(piece: Int, transport: Int) async throws {
        let server = try Server { _ in
            Reply.text(ClientSupport.stream, fields: ClientSupport.events).with {
                $0.longestPiece = piece
                $0.hidesLength = true
            }
        }
        defer { server.stop() }
        let config = OpenAiClientConfig(apiKey: ClientSupport.key, baseUrl: server.url("/v1").absoluteString)
        let client = OpenAiClient(config: config, transport: ClientSupport.transports[transport]())
        let outcome = try await Outcome(client)
        #expect(outcome.error == nil && outcome.text == "Tōkyō 🗼." && outcome.chunks.count == 8)
        let request = try #require(server.requests.first)
        #expect(request.method == "POST" && request.target == "/v1/chat/completions")
        #expect(request.fields["authorization"] == "Bearer \(ClientSupport.key)")
        #expect(request.fields["content-type"] == "application/json")
        let body = try JSONParser.parse(request.body)
        #expect(body["stream"] == .bool(true) && body["stream_options"]?["include_usage"] == .bool(true))
        #expect(body["model"] == "m" && body["messages"]?.array?.count == 1)
    }

    @Test("Events end with what the reply cost, and a request is made when the first is asked for")
    func events() async throws {
        let server = try Server { _ in Reply.text(ClientSupport.stream, fields: ClientSupport.events) }
        defer { server.stop() }
        let client = ClientSupport.client(server)
        _ = client.streamChatCompletion(request: ClientSupport.request)
        #expect(server.requests.isEmpty)
        var events: [ChatCompletionEvent] = []
        for try await event in client.streamChatCompletion(request: ClientSupport.request) { events.append(event) }
        #expect(
            events == [
                .delta("Tōkyō"), .delta(" 🗼."),
                .done(Usage(promptTokens: 9, completionTokens: 4, totalTokens: 13, cachedPromptTokens: 8)),
            ])
    }

    @Test("A long request arrives whole", arguments: [0, 1])
    func longRequest(transport: Int) async throws {
        let server = try Server { _ in Reply.text(ClientSupport.stream, fields: ClientSupport.events) }
        defer { server.stop() }
        let text = String(repeating: "漢字 and words ", count: 200_000)
        let config = OpenAiClientConfig(apiKey: "", baseUrl: server.url("").absoluteString)
        let client = OpenAiClient(config: config, transport: ClientSupport.transports[transport]())
        let outcome = try await Outcome(client, ChatCompletionRequest(model: "m", messages: [.user(text)]))
        #expect(outcome.error == nil)
        let body = try JSONParser.parse(try #require(server.requests.first).body)
        #expect(body["messages"]?.array?.first?["content"]?.string == text)
    }

    @Test("Replies one after the other use one connection")
    func reuse() async throws {
        let server = try Server { _ in Reply.text(ClientSupport.stream, fields: ClientSupport.events) }
        defer { server.stop() }
        let client = ClientSupport.client(server)
        for _ in 0..<30 { #expect(try await Outcome(client).error == nil) }
        #expect(server.requests.count == 30)
        // A connection whose reply has just ended is free a moment later: on a busy machine a request may come before
        // that, and has another one.
        let connections = Set(server.requests.map(\.connection))
        #expect(connections.count < 15, "\(connections.count)")
    }

    @Test("A drop in the middle is an error after what arrived, and is not tried again", arguments: [0, 1])
    func drop(transport: Int) async throws {
        let server = try Server { _ in
            Reply.text(ClientSupport.stream, fields: ClientSupport.events).with {
                $0.closesAfter = 300
                $0.longestPiece = 100
            }
        }
        defer { server.stop() }
        let config = OpenAiClientConfig(apiKey: "", baseUrl: server.url("").absoluteString)
        let outcome = try await Outcome(OpenAiClient(config: config, transport: ClientSupport.transports[transport]()))
        #expect(outcome.error?.code == .incomplete && !outcome.chunks.isEmpty, "\(outcome)")
        #expect(server.requests.count == 1)
    }

    @Test("A stream that ends early without a length is an error too")
    func endsEarly() async throws {
        let server = try Server { _ in
            Reply.text(Self.first, fields: ClientSupport.events).with { $0.hidesLength = true }
        }
        defer { server.stop() }
        let outcome = try await Outcome(ClientSupport.client(server))
        #expect(outcome.error?.code == .incomplete && outcome.text == "a")
        var events: [ChatCompletionEvent] = []
        for try await event in ClientSupport.client(server).streamChatCompletion(request: ClientSupport.request) {
            events.append(event)
        }
        #expect(events.count == 2 && events.first == .delta("a"))
        guard case .error? = events.last else {
            Issue.record("\(events)")
            return
        }
    }

    @Test(
        "429 and 5xx are tried again, a connection that fails too",
        arguments: TestLevel.cases([429, 500, 503, 408, 0], standard: 3))
    func retries(status: Int) async throws {
        let server = try Server { request in
            guard request.index < 2 else { return Reply.text(ClientSupport.stream, fields: ClientSupport.events) }
            return Reply.text("{}", status: status, fields: [("Retry-After", "0")]).with { $0.hangsUp = status == 0 }
        }
        defer { server.stop() }
        #expect(try await Outcome(ClientSupport.client(server)).error == nil)
        #expect(server.requests.count == 3)
        let bodies = Set(server.requests.map(\.body))
        #expect(bodies.count == 1)
        let never = try await Outcome(ClientSupport.client(server) { $0.maxRetries = 0 })
        #expect(never.error == nil)
    }

    @Test("A wait that is too long is left to the app, which is told how long it is")
    func retryAfter() async throws {
        let server = try Server { _ in
            Reply.text(
                "{\"error\":{\"message\":\"slow down\",\"type\":\"requests\",\"code\":\"rate_limit_exceeded\"}}",
                status: 429, fields: [("Retry-After", "3600"), ("Content-Type", "application/json")])
        }
        defer { server.stop() }
        let error = try await Outcome(ClientSupport.client(server)).error
        #expect(error?.code == .rateLimited && error?.retryAfter == 3600 && error?.status == 429)
        #expect(error?.endpointCode == "rate_limit_exceeded" && error?.message.contains("slow down") == true)
        #expect(server.requests.count == 1)
    }

    @Test(
        "Statuses have their codes, with what the endpoint says, and are not tried again",
        arguments: [
            (400, OpenAiClientError.Code.invalidRequest), (401, .accessDenied), (403, .accessDenied),
            (404, .notFound), (422, .invalidRequest), (302, .redirected), (307, .redirected),
        ])
    func statuses(status: Int, code: OpenAiClientError.Code) async throws {
        let server = try Server { request in
            request.path == "/elsewhere"
                ? Reply.text(ClientSupport.stream, fields: ClientSupport.events)
                : Reply.text(
                    "{\"error\":{\"message\":\"because \(ClientSupport.key) \\u001b[2J\"}}", status: status,
                    fields: [("Location", "/elsewhere")])
        }
        defer { server.stop() }
        for transport in ClientSupport.transports {
            let config = OpenAiClientConfig(apiKey: ClientSupport.key, baseUrl: server.url("").absoluteString)
            let error = try await Outcome(OpenAiClient(config: config, transport: transport())).error
            #expect(error?.code == code && error?.status == status)
            let text = "\(error.map { "\($0) \($0.localizedDescription) \(String(reflecting: $0))" } ?? "")"
            #expect(text.contains("because") && !text.contains(ClientSupport.key) && !text.contains("\u{1B}"))
        }
        #expect(server.requests.count == 2)
    }

    @Test("A quota that is used up is not waited for")
    func quota() async throws {
        let server = try Server { _ in
            Reply.text("{\"error\":{\"message\":\"pay\",\"code\":\"insufficient_quota\"}}", status: 429)
        }
        defer { server.stop() }
        let error = try await Outcome(ClientSupport.client(server)).error
        #expect(error?.code == .rateLimited && error?.endpointCode == "insufficient_quota")
        #expect(server.requests.count == 1)
    }

    @Test("No connection at all is an error that names the address", arguments: [0, 1])
    func unreachable(transport: Int) async throws {
        // A port that no test listens at; the one of a server that was stopped may be another server's by now.
        let address = "http://127.0.0.1:1"
        let config = OpenAiClientConfig(apiKey: "k", baseUrl: address, maxRetries: 0)
        let outcome = try await Outcome(OpenAiClient(config: config, transport: ClientSupport.transports[transport]()))
        #expect(outcome.error?.code == .network && outcome.error?.message.contains(address) == true)
    }

    @Test("An endless line ends in an error, and is not kept", arguments: [0, 1])
    func endlessLine(transport: Int) async throws {
        let server = try Server { _ in
            Reply(fields: ClientSupport.events, body: .endless(Array("data: xxxxxxxx".utf8))).with {
                $0.hidesLength = true
            }
        }
        defer { server.stop() }
        let config = OpenAiClientConfig(
            apiKey: "", baseUrl: server.url("").absoluteString, maxEventBytes: 1 << 20)
        let outcome = try await Outcome(OpenAiClient(config: config, transport: ClientSupport.transports[transport]()))
        #expect(outcome.error?.code == .eventTooLong)
        #expect(server.bytesSent < 64 << 20)
    }

    @Test("An endless error is read in part")
    func endlessError() async throws {
        let server = try Server { _ in
            Reply(status: 500, body: .endless(Array("wrong ".utf8))).with { $0.hidesLength = true }
        }
        defer { server.stop() }
        let outcome = try await Outcome(ClientSupport.client(server) { $0.maxRetries = 0 })
        #expect(outcome.error?.code == .unavailable && server.bytesSent < 64 << 20)
    }

    @Test("An endpoint that outruns the app is slowed down", arguments: [0, 1])
    func slowReader(transport: Int) async throws {
        let server = try Server { _ in
            Reply(fields: ClientSupport.events, body: .endless(Array(Self.first.utf8))).with { $0.hidesLength = true }
        }
        defer { server.stop() }
        let config = OpenAiClientConfig(apiKey: "", baseUrl: server.url("").absoluteString)
        let client = OpenAiClient(config: config, transport: ClientSupport.transports[transport]())
        var taken = 0
        for try await chunk in client.streamChunks(request: ClientSupport.request) {
            #expect(chunk.content == "a")
            taken += 1
            if taken == 3 { try await Task.sleep(for: .milliseconds(300)) }
            if taken == 500 { break }
        }
        #expect(taken == 500)
        #expect(server.bytesSent < 128 << 20)
    }

    @Test("Silence ends in an error, before the answer and in its middle")
    func silence() async throws {
        let server = try Server { request in
            Reply.text(ClientSupport.stream, fields: ClientSupport.events).with {
                if request.index == 0 { $0.delayMilliseconds = 3_600_000 } else { $0.stallsAfter = 250 }
            }
        }
        defer { server.stop() }
        let before = try await Outcome(ClientSupport.client(server) { $0.responseTimeout = 0.3 })
        #expect(before.error?.code == .stalled && before.chunks.isEmpty)
        // Time enough for what is sent to come, on a busy machine as well.
        let middle = try await Outcome(
            ClientSupport.client(server) {
                $0.responseTimeout = 600
                $0.stallTimeout = 5
            })
        #expect(middle.error?.code == .stalled && !middle.chunks.isEmpty)
    }

    /// A way to give up a reply.
    enum GivingUp: CaseIterable { case cancelling, leaving, closing }

    @Test("Giving a reply up closes its connection", arguments: GivingUp.allCases, [0, 1])
    func givingUp(how: GivingUp, transport: Int) async throws {
        let isClosed = Monitor(false)
        let server = try Server { _ in
            Reply.text(ClientSupport.stream, fields: ClientSupport.events).with {
                $0.stallsAfter = 450
                $0.onClosed = { isClosed.withLock { $0 = true } }
            }
        }
        defer { server.stop() }
        let config = OpenAiClientConfig(apiKey: "", baseUrl: server.url("").absoluteString)
        let client = OpenAiClient(config: config, transport: ClientSupport.transports[transport]())
        let (begun, signal) = AsyncStream<Void>.makeStream()
        let task = Task {
            for try await _ in client.streamChunks(request: ClientSupport.request) {
                signal.yield()
                if how == .leaving { return }
            }
        }
        for await _ in begun { break }
        switch how {
        case .cancelling: task.cancel()
        case .leaving: break
        case .closing: client.close()
        }
        let result = await task.result
        if how == .closing {
            #expect(throws: OpenAiClientError.closedClient) { try result.get() }
            #expect(try await Outcome(client).error?.code == .closed)
        }
        // Ends with the suite's time where the connection stays.
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                isClosed.wait(while: { !$0 }) { _ in }
                continuation.resume()
            }
        }
        #expect(server.requests.count == 1)
    }

    @Test("A wait for another attempt can be cancelled, and a cancelled task sends nothing")
    func cancelledWait() async throws {
        let server = try Server { _ in Reply.text("{}", status: 503, fields: [("Retry-After", "50")]) }
        defer { server.stop() }
        let client = ClientSupport.client(server)
        let task = Task { try await Outcome(client) }
        while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        #expect(try await task.value.error == nil)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await Outcome(client)
        }
        #expect(try await late.value.chunks.isEmpty)
        #expect(server.requests.count == 1)
    }

    @Test("Whenever a reply is cancelled, it ends")
    func cancelledAtAnyTime() async throws {
        let server = try Server { _ in Reply.text(ClientSupport.stream, fields: ClientSupport.events) }
        defer { server.stop() }
        let client = ClientSupport.client(server)
        for round in 0..<TestLevel.rounds(18, all: 150) {
            let task = Task { try await Outcome(client) }
            try await Task.sleep(nanoseconds: UInt64(round) * 20_000)
            task.cancel()
            let outcome = try await task.value
            #expect(outcome.error == nil)
        }
    }
}

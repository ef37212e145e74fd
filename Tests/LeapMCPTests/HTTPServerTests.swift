import Foundation
import LeapBase
import LeapHTTP
import LeapJSON
import LeapTestTraits
import MisbehavingServer
import Testing

@testable import LeapMCP

/// Servers at an address, good and bad.
@Suite(.inServerTurns, .timeLimit(.minutes(30)))
struct HTTPServerTests {
    /// A server that answers requests by their method; a script may answer a call otherwise.
    private static func server(call: @escaping @Sendable (_ id: Int, Request) -> Reply) throws -> Server {
        try Server { request in
            // A server that says nothing to the end of its session holds nobody up.
            if request.method == "DELETE" { return Reply(status: 204).with { $0.delayMilliseconds = 60_000 } }
            let message = try? JSONParser.parse(request.body)
            guard let id = message?["id"]?.integer else { return Reply(status: 202) }
            switch message?["method"]?.string {
            case "initialize":
                return json(
                    id,
                    #"{"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "web"}}"#,
                    [("Mcp-Session-Id", "session-1")])
            case "tools/list":
                return json(id, #"{"tools": [{"name": "get_weather", "inputSchema": {"type": "object"}}]}"#)
            default: return call(id, request)
            }
        }
    }

    private static func json(_ id: Int, _ result: String, _ fields: [(String, String)] = []) -> Reply {
        .text(
            #"{"jsonrpc": "2.0", "id": \#(id), "result": \#(result)}"#,
            fields: [("Content-Type", "application/json")] + fields)
    }

    private static let sunny = #"{"content": [{"type": "text", "text": "sunny"}]}"#

    private static func connect(
        _ server: Server, _ change: (inout MCPLimits) -> Void = { _ in }
    ) async throws -> MCPClient {
        var limits = MCPLimits.patient
        limits.endTimeout = .milliseconds(200)
        change(&limits)
        return try await MCPClient.connect(to: .http(server.url("/mcp")), limits: limits)
    }

    private static func events(_ text: String) -> Reply {
        .text(text, fields: [("Content-Type", "text/event-stream")])
    }

    @Test("A session is taken up with its identifier and version; an answer is a document")
    func session() async throws {
        let server = try Self.server { id, _ in Self.json(id, Self.sunny) }
        let client = try await Self.connect(server)
        #expect(try await client.callFirst().text == "sunny")
        await client.close()
        let requests = server.requests
        #expect(requests.map(\.method) == ["POST", "POST", "POST", "POST", "DELETE"])
        #expect(requests[0].fields["mcp-session-id"] == nil && requests[0].fields["mcp-protocol-version"] == nil)
        #expect(try JSONParser.parse(requests[1].body)["method"] == "notifications/initialized")
        for request in requests.dropFirst() {
            #expect(request.fields["mcp-session-id"] == "session-1")
            #expect(request.fields["mcp-protocol-version"] == "2025-06-18")
        }
        #expect(requests.allSatisfy { $0.fields["accept"] == "application/json, text/event-stream" })
    }

    @Test("An answer may be a stream of events, with others before it, and may stay open behind it")
    func events() async throws {
        let server = try Self.server { id, _ in
            let text = """
                id: 1
                data:

                event: other
                data: {"jsonrpc": "2.0", "id": \(id), "result": {"content": []}}

                data: {"jsonrpc": "2.0", "method": "notifications/progress", "params": {}}

                event: message
                data: {"jsonrpc": "2.0", "id": \(id), "result": \(Self.sunny)}


                """
            return Self.events(text).with {
                $0.hidesLength = true
                $0.stallsAfter = text.utf8.count
            }
        }
        let client = try await Self.connect(server)
        #expect(try await client.callFirst().text == "sunny")
        await client.close()
    }

    @Test("A server that asks in its stream is answered")
    func requests() async throws {
        let server = try Self.server { id, _ in
            Self.events(
                """
                data: {"jsonrpc": "2.0", "id": "own", "method": "roots/list"}

                data: {"jsonrpc": "2.0", "id": \(id), "result": \(Self.sunny)}


                """)
        }
        let client = try await Self.connect(server)
        #expect(try await client.callFirst().text == "sunny")
        func answer() -> JSONValue? {
            server.requests.lazy.compactMap { try? JSONParser.parse($0.body) }.first { $0["id"] == "own" }
        }
        while answer() == nil { try await Task.sleep(for: .milliseconds(5)) }
        #expect(answer()?["error"]?["code"] == .integer(-32601))
        await client.close()
    }

    /// A fault of a server in a call, and the error that follows.
    struct Fault: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let code: MCPError.Code
        let text: String
        let reply: @Sendable (Int) -> Reply
    }

    static let cases: [Fault] = [
        Fault(testDescription: "a length that is too large", code: .connection, text: "the connection failed") { id in
            Self.json(id, Self.sunny, [("Content-Length", "100000")]).with { $0.closesAfter = 20 }
        },
        Fault(testDescription: "a length that is too small", code: .malformed, text: "not JSON") { id in
            Self.json(id, Self.sunny, [("Content-Length", "30")])
        },
        Fault(testDescription: "a length that is no number", code: .connection, text: "cannot be used") { id in
            Reply(status: 200).with {
                $0.raw = Array("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: -7\r\n\r\n{}".utf8)
            }
        },
        Fault(testDescription: "a document without end", code: .tooLong, text: "65536 bytes") { _ in
            Reply(fields: [("Content-Type", "application/json")], body: .endless(Array("[1, ".utf8))).with {
                $0.hidesLength = true
            }
        },
        Fault(testDescription: "an event without end", code: .tooLong, text: "65536 bytes") { _ in
            Reply(fields: [("Content-Type", "text/event-stream")], body: .endless(Array("data: xxxx".utf8))).with {
                $0.hidesLength = true
            }
        },
        Fault(testDescription: "events without end", code: .flooded, text: "that nobody asked for") { _ in
            let event = "data: {\"jsonrpc\": \"2.0\", \"method\": \"notifications/message\"}\n\n"
            return Reply(fields: [("Content-Type", "text/event-stream")], body: .endless(Array(event.utf8))).with {
                $0.hidesLength = true
            }
        },
        Fault(testDescription: "silence", code: .timedOut, text: "'tools/call'") { id in
            Self.json(id, Self.sunny).with { $0.stallsAfter = 10 }
        },
        Fault(testDescription: "a page", code: .malformed, text: "text/html") { _ in
            .text("<html>", fields: [("Content-Type", "text/html")])
        },
        Fault(testDescription: "nothing", code: .malformed, text: "without a result") { _ in Reply(status: 202) },
        Fault(testDescription: "a stream that ends", code: .malformed, text: "without a result") { _ in
            Self.events("data:\n\n")
        },
        Fault(testDescription: "an answer to another request", code: .malformed, text: "without a result") { id in
            Self.json(id + 7, Self.sunny)
        },
        Fault(testDescription: "a hang-up", code: .connection, text: "the connection failed") { _ in
            Reply().with { $0.hangsUp = true }
        },
        Fault(testDescription: "a redirect", code: .connection, text: "http://elsewhere/mcp") { _ in
            .redirect(to: "http://elsewhere/mcp")
        },
        Fault(testDescription: "a demand for a key", code: .connection, text: "authorization") { _ in
            Reply(status: 401)
        },
        Fault(testDescription: "a session that has ended", code: .ended, text: "has ended the session") { _ in
            Reply(status: 404)
        },
        Fault(testDescription: "a session that is not known, in words", code: .ended, text: "has ended the session") {
            _ in
            .text(
                #"{"jsonrpc": "2.0", "id": null, "error": {"code": -32000, "message": "Bad Request: No valid session ID provided"}}"#,
                status: 400, fields: [("Content-Type", "application/json")])
        },
        Fault(testDescription: "a session that is not known, in plain words", code: .ended, text: "ended the session") {
            _ in
            .text("Session not found", status: 400, fields: [("Content-Type", "text/plain")])
        },
        Fault(testDescription: "an error as JSON-RPC's", code: .refused, text: "error -32602: no such city") { id in
            .text(
                #"{"jsonrpc": "2.0", "id": \#(id), "error": {"code": -32602, "message": "no such city"}}"#, status: 400,
                fields: [("Content-Type", "application/json")])
        },
        Fault(testDescription: "an error of the server", code: .connection, text: "status 500") { _ in
            Reply(status: 500)
        },
    ]

    @Test("What a server does wrong is a typed error that names it, and the next call goes on", arguments: cases)
    func faults(fault: Fault) async throws {
        let server = try Self.server { id, request in
            request.index == 3 ? fault.reply(id) : Self.json(id, Self.sunny)
        }
        let client = try await Self.connect(server) {
            $0.maxMessageBytes = 65536
            $0.maxUnaskedMessages = 100
            $0.endTimeout = .milliseconds(20)
            if fault.code == .timedOut { $0.callTimeout = .milliseconds(500) }
        }
        let error = await #expect(throws: MCPError.self) { try await client.callFirst() }
        #expect(error?.code == fault.code && error?.reason.contains(fault.text) == true, "\(String(describing: error))")
        #expect(error?.server.hasSuffix("/mcp") == true)
        // After what is no message, or too many of them, nothing of the server is believed; a short time may be too
        // short on a busy machine.
        if fault.code == .timedOut {
            #expect(client.failure == nil)
        } else if client.failure == nil {
            #expect(try await client.callFirst().text == "sunny")
        } else {
            #expect([.flooded, .malformed, .ended].contains(fault.code))
        }
        await client.close()
    }

    @Test("A session that the server has ended is not used again: the next call begins another one")
    func newSession() async throws {
        let sessions = Locked(0)
        let server = try Server { request in
            if request.method == "DELETE" { return Reply(status: 204) }
            let message = try? JSONParser.parse(request.body)
            guard let id = message?["id"]?.integer else { return Reply(status: 202) }
            if message?["method"] == "initialize" {
                let number = sessions.withLock { count in
                    count += 1
                    return count
                }
                return Self.json(
                    id,
                    #"{"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "web"}}"#,
                    [("Mcp-Session-Id", "session-\(number)")])
            }
            if message?["method"] == "tools/list" {
                return Self.json(id, #"{"tools": [{"name": "get_weather", "inputSchema": {"type": "object"}}]}"#)
            }
            // The first session is over when a tool is called.
            return request.fields["mcp-session-id"] == "session-1" ? Reply(status: 404) : Self.json(id, Self.sunny)
        }
        var limits = MCPLimits.patient
        limits.endTimeout = .milliseconds(200)
        let named = try await NamedServer.connect(to: .http(server.url("/mcp")), limits: limits)
        let tool = try #require(try await named.tools().tools.first)
        let error = await #expect(throws: MCPError.self) {
            try await named.call(tool, [:], maxTextBytes: 100, takesImages: false)
        }
        #expect(error?.code == .ended && error?.reason == "has ended the session")
        #expect(try await named.call(tool, [:], maxTextBytes: 100, takesImages: false).text == "sunny")
        await named.close()
        let requests = server.requests
        let calls = requests.filter { (try? JSONParser.parse($0.body))?["method"] == "tools/call" }
        #expect(calls.map { $0.fields["mcp-session-id"] } == ["session-1", "session-2"])
        #expect(requests.filter { $0.method == "DELETE" }.map { $0.fields["mcp-session-id"] } == ["session-2"])
    }

    @Test("A session that no header can hold is refused")
    func badSession() async throws {
        for session in ["a b", "\u{e4}", String(repeating: "x", count: 2000)] {
            let server = try Server { _ in
                Self.json(1, #"{"protocolVersion": "2025-06-18", "capabilities": {}}"#, [("Mcp-Session-Id", session)])
            }
            let error = await #expect(throws: MCPError.self) { try await Self.connect(server) }
            #expect(error?.code == .malformed && server.requests.count == 1)
        }
    }

    @Test("A call that runs ends with an error when the connection is closed")
    func closing() async throws {
        let calls = Locked(0)
        let server = try Self.server { id, _ in
            calls.withLock { $0 += 1 }
            return Self.json(id, Self.sunny).with { $0.stallsAfter = 10 }
        }
        let client = try await Self.connect(server)
        let task = Task { try await client.callFirst() }
        while calls.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(5)) }
        await client.close()
        let error = await #expect(throws: MCPError.self) { try await task.value }
        #expect(error?.code == .ended)
    }

    @Test("A call that is cancelled ends the exchange, and the server is told")
    func cancellation() async throws {
        let calls = Locked(0)
        let server = try Self.server { id, _ in
            calls.withLock { $0 += 1 }
            return Self.json(id, Self.sunny).with { $0.stallsAfter = 10 }
        }
        let client = try await Self.connect(server)
        let task = Task { try await client.callFirst() }
        while calls.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        func isTold() -> Bool {
            server.requests.contains { request in
                let message = try? JSONParser.parse(request.body)
                return message?["method"] == "notifications/cancelled"
                    && message?["params"]?["requestId"] == .integer(3)
            }
        }
        while !isTold() { try await Task.sleep(for: .milliseconds(5)) }
        await client.close()
    }

    @Test(
        "An address on the same server that is named in place of the first is followed, with the body",
        arguments: [307, 308])
    func redirected(status: Int) async throws {
        let own = Locked("")
        let inner = Self.self
        let server = try Server { request in
            if request.path == "/mcp" {
                // Relative for one, whole for the other.
                let place = status == 307 ? own.withLock { $0 } + "/mcp/" : "/mcp/"
                return Reply(status: status, fields: [("Location", place)])
            }
            let message = try? JSONParser.parse(request.body)
            guard let id = message?["id"]?.integer else { return Reply(status: 202) }
            switch message?["method"]?.string {
            case "initialize":
                return inner.json(
                    id,
                    #"{"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "web"}}"#)
            case "tools/list":
                return inner.json(id, #"{"tools": [{"name": "get_weather", "inputSchema": {"type": "object"}}]}"#)
            default: return inner.json(id, inner.sunny)
            }
        }
        own.withLock { $0 = server.url("").absoluteString }
        let client = try await Self.connect(server)
        #expect(try await client.callFirst().text == "sunny")
        await client.close()
        // Only the first message takes the way round.
        #expect(server.requests.filter { $0.path == "/mcp" }.count == 1)
    }

    @Test("A server of the version without a handshake is spoken to in it")
    func stateless() async throws {
        let inner = Self.self
        let server = try Server { request in
            let message = try? JSONParser.parse(request.body)
            guard let id = message?["id"]?.integer else { return Reply(status: 202) }
            func refusal(_ code: Int, _ status: Int) -> Reply {
                .text(
                    #"{"jsonrpc": "2.0", "id": \#(id), "error": {"code": \#(code), "message": "no"}}"#, status: status,
                    fields: [("Content-Type", "application/json")])
            }
            let meta = message?["params"]?["_meta"]
            guard meta?["io.modelcontextprotocol/protocolVersion"] == "2026-07-28" else { return refusal(-32602, 400) }
            guard request.fields["mcp-protocol-version"] == "2026-07-28",
                request.fields["mcp-method"] == message?["method"]?.string, request.fields["mcp-session-id"] == nil,
                meta?["io.modelcontextprotocol/clientCapabilities"]?.object != nil
            else { return refusal(-32020, 400) }
            switch message?["method"]?.string {
            case "server/discover":
                return inner.json(
                    id,
                    #"{"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "modern", "version": "1"}}}"#
                )
            case "tools/list":
                return inner.json(
                    id,
                    #"{"resultType": "complete", "ttlMs": 0, "cacheScope": "private", "tools": [{"name": "get_weather", "inputSchema": {"type": "object"}}]}"#
                )
            case "tools/call" where request.fields["mcp-name"] == "get_weather":
                let isAsking = message?["params"]?["arguments"]?["city"] == "Nowhere"
                return inner.json(
                    id,
                    isAsking
                        ? #"{"resultType": "input_required", "inputRequests": {}}"#
                        : #"{"resultType": "complete", "content": [{"type": "text", "text": "sunny"}]}"#)
            default: return refusal(-32601, 404)
            }
        }
        let client = try await Self.connect(server)
        #expect(client.version == MCPVersion.stateless && client.name == "modern")
        #expect(try await client.callFirst().text == "sunny")
        let error = await #expect(throws: MCPError.self) { try await client.callFirst(["city": "Nowhere"]) }
        #expect(error?.code == .refused)
        await client.close()
        #expect(server.requests.allSatisfy { $0.method == "POST" })
    }

    @Test("A server that refuses the handshake, and speaks no version without one, is told by its refusal")
    func refusedHandshake() async throws {
        let server = try Server { request in
            let id = (try? JSONParser.parse(request.body))?["id"]?.integer ?? 0
            return .text(
                #"{"jsonrpc": "2.0", "id": \#(id), "error": {"code": -32601, "message": "not \#(id)"}}"#,
                fields: [("Content-Type", "application/json")])
        }
        let error = await #expect(throws: MCPError.self) { try await Self.connect(server) }
        #expect(error?.code == .refused && error?.reason.contains("not 1") == true)
    }
}

import LeapCore
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import Logging
import Testing

@testable import LeapServing

/// The names of requests, in replies and in the log.
@Suite(.inTurns)
struct RequestIDTests {
    private static func ask(
        _ server: LeapServing.Server, _ path: String = "/health", id: String?, body: String? = nil
    ) async -> ServerReply {
        await server.reply(
            to: ServerRequest(
                method: body == nil ? "GET" : "POST", path: path, headers: id.map { ["x-request-id": $0] } ?? [:],
                body: Array((body ?? "").utf8)))
    }

    private static func ids(_ reply: ServerReply, _ name: String = "x-request-id") -> [String] {
        reply.headers.filter { $0.name == name }.map(\.value)
    }

    @Test(
        "A client's name is kept as it is, where it is short and visible",
        arguments: ["1", "a-b_c:~!\"", String(repeating: "x", count: 128)])
    func given(id: String) async throws {
        #expect(Self.ids(await Self.ask(try ServingSupport.server(), id: id)) == [id])
    }

    @Test(
        "In place of others, and of none, there is a new one each time",
        arguments: [nil, "", "a b", "é", "a\u{7f}", String(repeating: "x", count: 129)])
    func made(id: String?) async throws {
        let server = try ServingSupport.server()
        let (first, second) = (Self.ids(await Self.ask(server, id: id)), Self.ids(await Self.ask(server, id: id)))
        #expect(first.count == 1 && first != second && first.first != id)
        #expect(first.first?.wholeMatch(of: /req_[0-9a-z]{24}/) != nil)
    }

    @Test("Errors, streams and refused requests have it too; Anthropic's clients by their own name as well")
    func everywhere() async throws {
        let server = try ServingSupport.server(access: AccessRules(key: "k"))
        for path in ["/nothing", "/v1/models"] { #expect(Self.ids(await Self.ask(server, path, id: "a")) == ["a"]) }
        let open = try ServingSupport.server()
        let messages = #""messages": [{"role": "user", "content": "Hi"}], "max_tokens": 2"#
        let stream = await Self.ask(open, "/v1/chat/completions", id: "s", body: "{\(messages), \"stream\": true}")
        #expect(Self.ids(stream) == ["s"])
        _ = try await stream.collectText()
        let reply = await Self.ask(open, "/v1/messages", id: "m", body: "{\(messages)}")
        #expect(Self.ids(reply) == ["m"] && Self.ids(reply, "request-id") == ["m"])
        #expect(Self.ids(stream, "request-id").isEmpty)
    }

    @Test("Pages of other origins can read it")
    func exposed() async throws {
        let server = try ServingSupport.server(access: AccessRules(origins: ["https://a.example"]))
        let reply = await server.reply(
            to: ServerRequest(method: "GET", path: "/health", headers: ["origin": "https://a.example"]))
        #expect(Self.ids(reply, "access-control-expose-headers").first?.contains("x-request-id") == true)
    }

    @Test(
        "Each line that is logged for a request has its name, whatever thread writes it, and those of the others theirs"
    )
    func log() async throws {
        CapturedLog.provide { LogContext.metadata }
        let server = LeapServing.Server(
            pool: ServingSupport.pool([try ServingSupport.demo()]), access: AccessRules(),
            tracing: RequestTracing(logsRequests: true))
        // A keyword of an older draft is logged where the schema is compiled, the end of a reply on the engine's
        // thread.
        let body = """
            {"messages": [{"role": "user", "content": "Say a word."}], "max_tokens": 30, "response_format": {"type": "json_schema",
            "json_schema": {"schema": {"type": "object", "properties": {"ID": {"type": "string", "maxLength": 3, "required": true}},
            "required": ["ID"]}}}}
            """
        let lines = await CapturedLog.events {
            await withTaskGroup(of: Void.self) { group in
                for id in ["first", "second"] {
                    let body = body.replacing("ID", with: id)
                    group.addTask {
                        let reply = await Self.ask(server, "/v1/chat/completions", id: id, body: body)
                        #expect(reply.status == 200)
                    }
                }
                await group.waitForAll()
            }
        }
        for id in ["first", "second"] {
            let own = lines.filter { $0.metadata["request_id"] == .string(id) }
            #expect(own.contains { $0.text.contains("a reply ended") })
            #expect(own.contains { $0.text.contains("/properties/\(id)/required") }, "\(own.map(\.text))")
            let end = try #require(own.last { $0.text == "request answered" })
            #expect(end.metadata["route"] == "/v1/chat/completions" && end.metadata["method"] == "POST")
            #expect(end.metadata["model"] == "demo" && end.metadata["error"] == nil)
            #expect(end.metadata["status"].map { "\($0)" } == "200")
            #expect(end.metadata["output_tokens"].flatMap { Int("\($0)") } ?? 0 > 0)
        }
    }

    @Test("A request that fails has a line with the error's code; none has one where nobody asked for it")
    func failedLine() async throws {
        func lines(_ tracing: RequestTracing) async throws -> [CapturedLog.Line] {
            let server = LeapServing.Server(
                pool: ServingSupport.pool([try ServingSupport.demo()]), access: AccessRules(), tracing: tracing)
            CapturedLog.provide { LogContext.metadata }
            let id = Identifier.make("t_")
            return await CapturedLog.events {
                _ = await Self.ask(
                    server, "/v1/completions", id: id, body: #"{"model": "none\u001b[2J", "prompt": "x"}"#)
            }.filter { $0.metadata["request_id"] == .string(id) }
        }
        let line = try #require(try await lines(RequestTracing(logsRequests: true)).first)
        #expect(line.metadata["error"] == "model_not_found" && line.metadata["model"] == "none\\u{1b}[2J")
        #expect(try await lines(RequestTracing()).isEmpty)
    }
}

import Foundation
import LeapBase
import LeapJSON
import LeapMCP
import LeapTestSupport
import LeapTestTraits
import MisbehavingServer
import Testing

@testable import LeapServing

/// The routes by which the page uses tools of MCP servers, with good servers and hostile ones.
@Suite(.inServerTurns, .enabled(if: PythonServer.isAvailable, "there is no python3"), .timeLimit(.minutes(30)))
struct MCPRequestTests {
    private typealias Own = LeapServing.Server

    /// Limits with which a server that does not end by itself is ended soon; beside other tests a computer with two
    /// cores may take minutes to start one.
    private static let quick = {
        var limits = MCPLimits()
        limits.startTimeout = .seconds(1200)
        limits.listTimeout = .seconds(1200)
        limits.endTimeout = .milliseconds(200)
        return limits
    }()

    /// A server with the tools of the server in Python, which behaves as the mode says.
    private static func withServer(
        _ modes: String..., access: AccessRules = AccessRules(), listTimeout: Duration = .seconds(1200),
        limits: MCPLimits = quick, body: (Own) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("leap-mcp-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let command = try PythonServer.words(in: folder).map { "'\($0)'" }.joined(separator: " ")
        try await withServer(
            commands: modes.map { "\(command) '\($0)'" }, access: access, listTimeout: listTimeout, limits: limits,
            body: body)
    }

    private static func withServer(
        commands: [String], access: AccessRules = AccessRules(), listTimeout: Duration = .seconds(1200),
        limits: MCPLimits = quick, body: (Own) async throws -> Void
    ) async throws {
        let tools = try await ServedTools.connect(commands, limits: limits, listTimeout: listTimeout)
        let server = Own(pool: ServingSupport.pool([try ServingSupport.demo()]), access: access, tools: tools)
        do {
            try await body(server)
        } catch {
            await tools.close()
            throw error
        }
        await tools.close()
    }

    private static func list(_ server: Own, _ headers: [String: String] = [:]) async throws -> WholeReply {
        try await WholeReply(
            server.reply(to: ServerRequest(method: "GET", path: "/v1/mcp/tools", headers: headers)))
    }

    private static func call(
        _ server: Own,
        _ body: String = #"{"server": "Test_server_1", "name": "get_weather", "arguments": {"city": "Lisbon"}}"#,
        headers: [String: String] = [:]
    ) async throws -> WholeReply {
        try await WholeReply(
            server.reply(
                to: ServerRequest(
                    method: "POST", path: "/v1/mcp/tools/call", headers: headers, body: Array(body.utf8))))
    }

    @Test("A server without --mcp has neither the routes nor their description, and its page asks for no tools")
    func without() async throws {
        let server = try ServingSupport.server()
        #expect(try await Self.list(server).status == 404)
        #expect(try await Self.call(server).status == 404)
        #expect(!server.table.keys.contains { $0.hasPrefix("/v1/mcp") })
        let start = await server.reply(to: ServerRequest(method: "GET", path: "/"))
        #expect(try await start.collectText().contains(#"<html lang="en">"#))
    }

    @Test("The tools of all servers are listed with their schemas, by names that tell them apart, and called")
    func tools() async throws {
        try await Self.withServer("good", "pages") { (server: Own) async throws in
            let listed = try await Self.list(server)
            #expect(listed.status == 200)
            #expect(listed.body["servers"]?.array?.map { $0["name"]?.string } == ["Test_server_1", "Test_server_12"])
            let names = listed.body["data"]?.array?.map { [$0["server"]?.string, $0["name"]?.string] }
            #expect(
                names == [
                    ["Test_server_1", "get_weather"], ["Test_server_1", "other"], ["Test_server_12", "first"],
                    ["Test_server_12", "second"], ["Test_server_12", "third"],
                ])
            #expect(
                listed.body["data"]?.array?.first?["parameters"]?["required"] == .array([.string("city")]))
            let reply = try await Self.call(server)
            #expect(reply.status == 200)
            #expect(reply.body["is_error"] == .bool(false) && reply.body["is_cut"] == .bool(false))
            let result = try JSONParser.parse(reply.body["content"]?.string ?? "")
            #expect(result["temperature"]?.integer == 24 && result["asked"]?["city"] == "Lisbon")
            let start = await server.reply(to: ServerRequest(method: "GET", path: "/"))
            #expect(try await start.collectText().contains(#"<html lang="en" data-mcp="">"#))
        }
    }

    @Test("The routes are in the document of a server that has them, and its references lead to something")
    func description() async throws {
        try await Self.withServer("good") { (server: Own) async throws in
            let document = try await WholeReply(
                server.reply(to: ServerRequest(method: "GET", path: "/openapi.json"))
            ).body
            #expect(Set(document["paths"]?.object?.keys ?? []) == Set(server.table.keys))
            #expect(document["paths"]?["/v1/mcp/tools/call"]?["post"]?["requestBody"] != nil)
            for name in ["MCPTools", "MCPCall", "MCPResult"] {
                #expect(document["components"]?["schemas"]?[name] != nil, "\(name)")
            }
        }
    }

    @Test("A tool that is not listed, or is another server's, is not found; what is no call is refused by its field")
    func refused() async throws {
        let bodies: [(body: String, status: Int, code: String?)] = [
            (#"{"server": "Test_server_1", "name": "rm", "arguments": {}}"#, 404, "tool_not_found"),
            (#"{"server": "elsewhere", "name": "get_weather"}"#, 404, "tool_not_found"),
            (#"{"server": "python3 evil.py", "name": "get_weather"}"#, 404, "tool_not_found"),
            (#"{"name": "get_weather"}"#, 400, nil), (#"{"server": "Test_server_1", "name": ""}"#, 400, nil),
            (#"{"server": "Test_server_1", "name": "get_weather", "arguments": "x"}"#, 400, nil),
            (#"{"server": "Test_server_1", "name": "get_weather", "max_bytes": 0}"#, 400, nil),
            (#"{"server": "Test_server_1", "name": "get_weather", "max_bytes": 65537}"#, 400, nil),
            ("[]", 400, nil), ("{", 400, nil),
        ]
        try await Self.withServer("good") { (server: Own) async throws in
            for (body, status, code) in bodies {
                let reply = try await Self.call(server, body)
                #expect(reply.status == status && reply.body["error"]?["code"]?.string == code, "\(body)")
                #expect(reply.body["error"]?["message"]?.string?.isEmpty == false, "\(body)")
            }
        }
    }

    @Test("A body that is too large for a call is refused before it is read")
    func large() async throws {
        try await Self.withServer("good") { (server: Own) async throws in
            let text = String(repeating: "x", count: 1 << 20)
            let reply = try await Self.call(
                server, #"{"server": "Test_server_1", "name": "get_weather", "arguments": {"city": "\#(text)"}}"#)
            #expect(reply.status == 413)
        }
    }

    @Test("Pages of other origins cannot list or call, not even those that may use everything else")
    func otherPages() async throws {
        let own = ["host": "localhost:8080", "origin": "http://localhost:8080", "sec-fetch-site": "same-origin"]
        let page = ["host": "localhost:8080", "origin": "https://page.example"]
        let reader = ["host": "localhost:8080", "sec-fetch-site": "cross-site"]
        let sameSite = ["host": "localhost:8080", "sec-fetch-site": "same-site"]
        let rebound = ["host": "evil.example", "origin": "http://evil.example"]
        for origins: Set<String> in [[], ["https://page.example"], ["*"]] {
            let rules = AccessRules(hosts: AccessRules.loopbackHosts, origins: origins)
            try await Self.withServer("good", access: rules) { (server: Own) async throws in
                #expect(try await Self.list(server, own).status == 200)
                #expect(try await Self.call(server, headers: own).status == 200)
                #expect(try await Self.list(server, ["host": "localhost:8080"]).status == 200)
                for other in [page, reader, sameSite, rebound, ["host": "localhost:8080", "origin": "null"]] {
                    #expect(try await Self.list(server, other).status == 403)
                    #expect(try await Self.call(server, headers: other).status == 403)
                }
            }
        }
    }

    @Test("With a key nothing is listed or called without it")
    func key() async throws {
        try await Self.withServer("good", access: AccessRules(key: "secret")) { (server: Own) async throws in
            #expect(try await Self.list(server).status == 401)
            #expect(try await Self.call(server).status == 401)
            #expect(try await Self.call(server, headers: ["authorization": "Bearer secret"]).status == 200)
        }
    }

    @Test("A result is cut at the bytes that were asked for, and says so; parts that are no text are named")
    func bounded() async throws {
        try await Self.withServer("size") { (server: Own) async throws in
            let whole = try await Self.call(server)
            #expect(whole.body["is_cut"] == .bool(true))
            #expect(whole.body["content"]?.string?.hasPrefix(String(repeating: "ä", count: 32768) + "\n(cut: ") == true)
            let short = try await Self.call(
                server, #"{"server": "Test_server_1", "name": "other", "max_bytes": 10}"#)
            #expect(
                short.body["content"]?.string
                    == "äääää\n(cut: the result has 200000 bytes, and the first 10 are given)")
        }
        try await Self.withServer("parts") { (server: Own) async throws in
            let reply = try await Self.call(server)
            #expect(
                reply.body["is_error"] == .bool(true)
                    && reply.body["content"]?.string?.hasPrefix("Error: one\n") == true)
        }
    }

    /// A hostile behaviour, and the error that it ends as.
    struct Hostile: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: Int
        let code: String
        let text: String
        /// True if the server has to be started again.
        var isOver = true
    }

    static let behaviours = [
        Hostile(testDescription: "silent call", status: 504, code: "mcp_timeout", text: "'tools/call'", isOver: false),
        Hostile(testDescription: "wrong ids", status: 504, code: "mcp_timeout", text: "to no request", isOver: false),
        Hostile(testDescription: "refusing", status: 502, code: "mcp_refused", text: "no such city", isOver: false),
        Hostile(testDescription: "wrong", status: 502, code: "mcp_server_failed", text: "neither", isOver: false),
        Hostile(testDescription: "broken", status: 502, code: "mcp_server_failed", text: "not JSON"),
        Hostile(testDescription: "endless line", status: 502, code: "mcp_server_failed", text: "1048576 bytes"),
        Hostile(testDescription: "flood", status: 502, code: "mcp_server_failed", text: "nobody asked for"),
        Hostile(testDescription: "chatter", status: 502, code: "mcp_server_failed", text: "not messages"),
        Hostile(testDescription: "dying", status: 502, code: "mcp_server_ended", text: "status 3"),
        Hostile(testDescription: "killed", status: 502, code: "mcp_server_ended", text: "signal 9"),
    ]

    @Test(
        "A hostile server is an error of its call that names it and not its command; the others go on",
        arguments: behaviours)
    func hostile(_ kind: Hostile) async throws {
        var limits = Self.quick
        limits.maxMessageBytes = 1 << 20
        // Time enough for the other server's answer, and for the wrong ones of this.
        if kind.status == 504 { limits.callTimeout = .seconds(6) }
        try await Self.withServer(kind.testDescription, "good", limits: limits) { (server: Own) async throws in
            let reply = try await Self.call(server)
            let message = reply.body["error"]?["message"]?.string ?? ""
            #expect(reply.status == kind.status && reply.body["error"]?["code"]?.string == kind.code, "\(message)")
            #expect(message.hasPrefix("the MCP server Test_server_1 ") && message.contains(kind.text), "\(message)")
            #expect(!message.contains("python") && !message.contains("server.py"), "\(message)")
            #expect(!message.unicodeScalars.contains { $0.value < 0x20 })
            let listed = try await Self.list(server)
            let servers = listed.body["servers"]?.array ?? []
            #expect((servers.first?["error"]?.string != nil) == kind.isOver, "\(servers)")
            #expect(servers.first?["state"] == (kind.isOver ? "ended" : "running"))
            #expect(message.hasSuffix("; it is started again when one of its tools is called") == kind.isOver)
            let names = listed.body["data"]?.array?.compactMap { $0["server"]?.string } ?? []
            #expect(names.contains("Test_server_1") && names.contains("Test_server_12"))
            let other = try await Self.call(
                server, #"{"server": "Test_server_12", "name": "Test_server_1_get_weather"}"#)
            #expect(other.status == 200)
        }
    }

    /// A server in Python whose first starts end with a call.
    private static func withReborn(deaths: Int, _ more: String = "", body: (Own) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("leap-mcp-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let notes = folder.appendingPathComponent("notes").path
        let words = try PythonServer.words(in: folder) + ["reborn", notes, "\(deaths)", more]
        var limits = quick
        limits.restartWaits = [.zero, .zero]
        try await withServer(
            commands: [words.map { "'\($0)'" }.joined(separator: " ")], limits: limits, body: body)
    }

    @Test("A server that ended is started again by the next call; one whose tool is another then makes no call of it")
    func restarted() async throws {
        try await Self.withReborn(deaths: 1) { (server: Own) async throws in
            #expect(try await Self.call(server).body["error"]?["code"] == "mcp_server_ended")
            #expect(try await Self.list(server).body["servers"]?.array?.first?["state"] == "ended")
            #expect(try await Self.call(server).body["content"]?.string?.contains("sunny") == true)
            let listed = try await Self.list(server).body["servers"]?.array?.first
            #expect(listed?["state"] == "running" && listed?["error"] == .null)
        }
        try await Self.withReborn(deaths: 1, "changed") { (server: Own) async throws in
            #expect(try await Self.call(server).status == 502)
            let refused = try await Self.call(server)
            #expect(refused.status == 409 && refused.body["error"]?["code"] == "mcp_tool_changed")
            let listed = try await Self.list(server)
            #expect(listed.body["data"]?.array?.map { $0["description"]?.string } == ["Deletes all files"])
            #expect(try await Self.call(server).status == 200)
        }
    }

    @Test("A server that was started again as often as may be is left out with its tools, and the list says why")
    func leftOut() async throws {
        try await Self.withReborn(deaths: 1000) { (server: Own) async throws in
            for _ in 0..<2 { #expect(try await Self.call(server).body["error"]?["code"] == "mcp_server_ended") }
            let last = try await Self.call(server).body["error"]?["message"]?.string ?? ""
            #expect(last.hasSuffix("; it is left out until leap serve is started again"), "\(last)")
            let error = try await Self.call(server).body["error"]
            #expect(error?["code"] == "mcp_server_left_out")
            let listed = try await Self.list(server).body
            let first = listed["servers"]?.array?.first
            #expect(first?["state"] == "left_out" && listed["data"]?.array?.isEmpty == true)
            let text = first?["error"]?.string ?? ""
            #expect(text.hasPrefix("the MCP server Test_server_1 was started again 2 times within"), "\(text)")
            #expect(text == error?["message"]?.string && !text.contains("python"))
            #expect(try await Self.call(server).status == 404)
        }
    }

    @Test("A length at an address that is a lie is an error of its call")
    func lies() async throws {
        let remote = try MisbehavingServer.Server { request in
            let message = try? JSONParser.parse(request.body)
            guard let id = message?["id"]?.integer else { return Reply(status: 202) }
            let result =
                switch message?["method"]?.string {
                case "initialize":
                    #"{"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "web"}}"#
                case "tools/list": #"{"tools": [{"name": "get_weather", "inputSchema": {"type": "object"}}]}"#
                default: #"{"content": []}"#
                }
            let isCall = message?["method"] == "tools/call"
            return Reply.text(
                #"{"jsonrpc": "2.0", "id": \#(id), "result": \#(result)}"#,
                fields: [("Content-Type", "application/json")] + (isCall ? [("Content-Length", "100000")] : [])
            ).with { if isCall { $0.closesAfter = 20 } }
        }
        try await Self.withServer(commands: [remote.url("/mcp").absoluteString]) { (server: Own) async throws in
            let reply = try await Self.call(server, #"{"server": "web", "name": "get_weather"}"#)
            #expect(reply.status == 502 && reply.body["error"]?["code"] == "mcp_server_failed")
            #expect(reply.body["error"]?["message"]?.string?.hasPrefix("the MCP server web cannot be used: ") == true)
        }
    }

    @Test("More calls of a server than may be at a time are refused for now; one that is given up makes room")
    func count() async throws {
        try await Self.withServer("slow") { (server: Own) async throws in
            // One too many: whichever comes last is refused, the others wait without end.
            try await withThrowingTaskGroup(of: WholeReply.self) { group in
                for _ in 0...ServedTools.maxCalls { group.addTask { try await Self.call(server) } }
                let refused = try await group.next()
                #expect(refused?.status == 429 && refused?.headers["retry-after"] == "1")
                group.cancelAll()
                var statuses: [Int] = []
                for try await reply in group { statuses.append(reply.status) }
                #expect(statuses == Array(repeating: 499, count: ServedTools.maxCalls))
            }
            let probe = Task { try await Self.call(server).status }
            try await Task.sleep(for: .milliseconds(200))
            probe.cancel()
            #expect(try await probe.value == 499)
        }
    }

    @Test("A server that has told of other tools is asked for them; one that does not answer then holds nobody up")
    func changing() async throws {
        try await Self.withServer("changing") { (server: Own) async throws in
            #expect(try await Self.call(server).body["content"] == "sunny")
            let listed = try await Self.list(server)
            #expect(listed.body["data"]?.array?.map { $0["description"]?.string } == ["Deletes all files"])
            #expect(try await Self.call(server, #"{"server": "Test_server_1", "name": "other"}"#).status == 404)
        }
        try await Self.withServer("mute", listTimeout: .milliseconds(300)) { (server: Own) async throws in
            #expect(try await Self.call(server).body["content"] == "sunny")
            let listed = try await Self.list(server)
            #expect(listed.status == 200 && listed.body["data"]?.array?.count == 2)
        }
    }

    @Test("Servers that cannot be used end the start with their name, and none of them runs on")
    func start() async throws {
        for (command, code) in [
            ("no-such-program-anywhere", MCPError.Code.cannotStart), ("'", .invalidAddress),
            ("http://", .invalidAddress),
        ] {
            let error = await #expect(throws: MCPError.self) { try await ServedTools.connect([command]) }
            #expect(error?.code == code)
        }
    }
}

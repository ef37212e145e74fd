import Foundation
import LeapBase
import LeapDemoModel
import LeapJSON
import LeapSDK
import Testing

@testable import LeapCommandLine

/// The Model Context Protocol, line by line.
@Suite(.ownThreads)
struct MCPTests {
    /// A server with the demo model, and what it answered.
    private final class Session {
        let server: MCPServer
        private let runner: any ModelRunner
        private let sent: Locked<[JSONValue]>

        init() async throws {
            let sent = Locked<[JSONValue]>([])
            self.sent = sent
            runner = try await Leap.load(url: LeapDemoModel.url)
            server = MCPServer(tools: MCPTools(runner), version: "1") { value in sent.withLock { $0.append(value) } }
        }

        /// The answers to some lines.
        func ask(_ lines: String...) async -> [JSONValue] {
            for line in lines { server.take(Array(line.utf8)) }
            await server.finish()
            return sent.withLock { sent in
                defer { sent = [] }
                return sent
            }
        }

        /// The result of a tool.
        func call(_ name: String, _ arguments: String) async -> JSONValue? {
            await ask(
                #"{"jsonrpc": "2.0", "id": "c", "method": "tools/call", "params": {"name": "\#(name)", "arguments": \#(arguments)}}"#
            ).first?["result"]
        }
    }

    @Test("A client begins with the version that both speak, and hears of the tools")
    func beginning() async throws {
        let session = try await Session()
        for (asked, expected) in [("2025-03-26", "2025-03-26"), ("2999-01-01", "2025-11-25")] {
            let answers = await session.ask(
                #"{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "\#(asked)", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}"#,
                #"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#)
            #expect(answers.count == 1 && answers[0]["id"] == .integer(0))
            #expect(answers[0]["result"]?["protocolVersion"]?.string == expected)
        }
        let list = await session.ask(#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#)
        let tools = try #require(list.first?["result"]?["tools"]?.array)
        #expect(tools.compactMap { $0["name"]?.string } == ["chat", "embed", "count_tokens"])
        #expect(tools.allSatisfy { $0["inputSchema"]?["type"] == "object" && $0["description"]?.string != nil })
        #expect(await session.ask(#"{"jsonrpc": "2.0", "id": "p", "method": "ping"}"#).first?["result"] == .object([:]))
    }

    @Test("The model answers, in a form too; it counts and makes vectors")
    func tools() async throws {
        let session = try await Session()
        let answer = await session.call("chat", #"{"prompt": "What is the capital of Portugal?", "temperature": 0}"#)
        #expect(answer?["content"]?.array?.first?["text"]?.string?.contains("Lisbon") == true)
        #expect(answer?["isError"] == .bool(false))
        let form = await session.call(
            "chat",
            #"{"prompt": "Hi", "schema": {"type": "object", "properties": {"a": {"const": 7}}, "required": ["a"], "additionalProperties": false}}"#
        )
        #expect(form?["structuredContent"] == .object(["a": .integer(7)]), "\(String(describing: form))")
        let count = await session.call("count_tokens", #"{"text": "Hello"}"#)
        #expect((count?["structuredContent"]?["tokens"]?.integer ?? 0) > 1)
        let vectors = await session.call("embed", #"{"texts": ["a", "b"]}"#)
        #expect(vectors?["structuredContent"]?["embeddings"]?.array?.count == 2)
    }

    @Test(
        "Arguments that are wrong are told to the model",
        arguments: [
            ("chat", "{}"), ("chat", #"{"prompt": 7}"#), ("chat", #"{"prompt": "a", "temperature": -1}"#),
            ("chat", #"{"prompt": "a", "max_tokens": 0}"#), ("chat", #"{"prompt": "a", "schema": {"type": "no"}}"#),
            ("embed", #"{"texts": [7]}"#), ("embed", #"{"texts": "a"}"#), ("count_tokens", "{}"),
        ])
    func wrongArguments(name: String, arguments: String) async throws {
        let result = await (try Session()).call(name, arguments)
        #expect(result?["isError"] == .bool(true))
        #expect(result?["content"]?.array?.first?["text"]?.string?.isEmpty == false)
    }

    @Test(
        "What is no message is refused with JSON-RPC's numbers",
        arguments: [
            ("{", -32700), ("\u{0}", -32700), ("[]", -32600), ("7", -32600),
            (#"{"jsonrpc": "1.0", "id": 1, "method": "ping"}"#, -32600),
            (#"{"jsonrpc": "2.0", "id": 1}"#, -32600), (#"{"jsonrpc": "2.0", "id": 1, "method": 7}"#, -32600),
            (#"{"jsonrpc": "2.0", "id": {}, "method": "ping"}"#, -32600),
            (#"{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}"#, -32602),
            (#"{"jsonrpc": "2.0", "id": 1, "method": "no/such"}"#, -32601),
            (#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "rm"}}"#, -32602),
            (
                #"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "chat", "arguments": 7}}"#,
                -32602
            ),
        ] as [(String, Int64)])
    func refused(line: String, code: Int64) async throws {
        let answers = await (try Session()).ask(line)
        #expect(answers.count == 1 && answers.first?["error"]?["code"] == .integer(code), "\(answers)")
    }

    @Test("Blank lines, notifications and answers are not answered; a call that is cancelled is not either")
    func silent() async throws {
        let session = try await Session()
        #expect(
            await session.ask(
                "", "  ", #"{"jsonrpc": "2.0", "method": "no/such"}"#, #"{"jsonrpc": "2.0", "id": 3, "result": {}}"#,
                #"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}}"#
            ).isEmpty)
        let answers = await session.ask(
            #"{"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "chat", "arguments": {"prompt": "Tell me a long story about the sea."}}}"#,
            #"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 4}}"#)
        #expect(answers.isEmpty, "\(answers)")
    }

    @Test("An identifier that is in use is refused, and is free again behind its answer")
    func identifiers() async throws {
        let session = try await Session()
        let line =
            #"{"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "chat", "arguments": {"prompt": "Hi", "max_tokens": 4}}}"#
        let both = await session.ask(line, line)
        #expect(both.count == 2 && both.filter { $0["error"]?["code"] == .integer(-32600) }.count == 1, "\(both)")
        #expect(await session.ask(line).first?["result"]?["isError"] == .bool(false))
    }

    @Test("Any bytes are answered or passed over")
    func anyBytes() async throws {
        let session = try await Session()
        var random = SystemRandomNumberGenerator()
        let message = Array(#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}"#.utf8)
        for _ in 0..<500 {
            var bytes = message
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            session.server.take(bytes)
        }
        await session.server.finish()
        #expect(await session.ask(#"{"jsonrpc": "2.0", "id": "end", "method": "ping"}"#).contains { $0["id"] == "end" })
    }

    @Test("A line that is longer than may be is refused, and the next one is answered")
    func longLine() throws {
        var input = Data(repeating: 0x78, count: MCPServer.maxLineBytes + 1000)
        input += Data("\n{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \"ping\"}\n".utf8)
        let outcome = try LeapProgram.run(["mcp", "demo"], input: input)
        let answers = try outcome.output.split(separator: "\n").map { try JSONParser.parse(String($0)) }
        #expect(outcome.status == 0 && answers.count == 2, "\(outcome.errors)")
        #expect(answers.first?["error"]?["code"] == .integer(-32600) && answers.first?["id"] == .null)
        #expect(answers.last?["id"] == .integer(7) && answers.last?["result"] == .object([:]))
    }

    private static func beginning(_ version: String) -> String {
        #"{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "\#(version)", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}"#
    }

    @Test("Lists that hosts ask for whatever is announced are empty, and parameters may be null")
    func emptyLists() async throws {
        let session = try await Session()
        for (method, member) in [
            ("prompts/list", "prompts"), ("resources/list", "resources"),
            ("resources/templates/list", "resourceTemplates"),
        ] {
            let answer = await session.ask(#"{"jsonrpc": "2.0", "id": 1, "method": "\#(method)", "params": null}"#)
                .first
            #expect(answer?["result"]?[member] == .array([]), "\(method)")
        }
    }

    @Test("Messages in one array are answered in one, in the versions that have that")
    func batches() async throws {
        let batch =
            #"[{"jsonrpc": "2.0", "id": 1, "method": "ping"}, {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}}, {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "count_tokens", "arguments": {"text": "a"}}}, 7]"#
        let session = try await Session()
        let answers = await session.ask(Self.beginning("2025-03-26"), batch)
        let array = try #require(answers.last?.array)
        #expect(answers.count == 2 && array.count == 3)
        #expect(Set(array.filter { $0["result"] != nil }.compactMap { $0["id"]?.integer }) == [1, 2])
        #expect(array.contains { $0["error"]?["code"] == .integer(-32600) })
        #expect(await session.ask("[]").first?["error"]?["code"] == .integer(-32600))
        #expect(await session.ask(#"[{"jsonrpc": "2.0", "method": "notifications/initialized"}]"#).isEmpty)
        // Later versions have none.
        let later = await session.ask(Self.beginning("2025-06-18"), batch)
        #expect(later.last?["error"]?["code"] == .integer(-32600))
    }

    @Test("A client of the version without a handshake discovers the model, lists and calls")
    func stateless() async throws {
        let session = try await Session()
        func ask(_ method: String, _ members: String = "", version: String = "2026-07-28") async -> JSONValue? {
            await session.ask(
                #"{"jsonrpc": "2.0", "id": 1, "method": "\#(method)", "params": {\#(members)"_meta": {"io.modelcontextprotocol/protocolVersion": "\#(version)", "io.modelcontextprotocol/clientCapabilities": {}}}}"#
            ).first
        }
        let found = await ask("server/discover")?["result"]
        #expect(
            found?["supportedVersions"] == .array(["2026-07-28"]) && found?["capabilities"]?["tools"]?.object != nil)
        #expect(found?["resultType"] == "complete" && found?["ttlMs"]?.integer != nil)
        #expect(found?["_meta"]?["io.modelcontextprotocol/serverInfo"]?["name"] == "open-leap")
        let list = await ask("tools/list")?["result"]
        #expect(list?["tools"]?.array?.count == 3 && list?["resultType"] == "complete")
        #expect(list?["cacheScope"]?.string != nil)
        let call = await ask("tools/call", #""name": "count_tokens", "arguments": {"text": "a"}, "#)?["result"]
        #expect(call?["resultType"] == "complete" && call?["structuredContent"]?["tokens"]?.integer ?? 0 > 0)
        let other = await ask("tools/list", version: "2027-01-01")?["error"]
        #expect(other?["code"] == .integer(-32022) && other?["data"]?["supported"] == .array(["2026-07-28"]))
        for method in ["initialize", "ping"] {
            #expect(await ask(method)?["error"]?["code"] == .integer(-32601), "\(method)")
        }
    }
}

import LeapBase
import LeapCore
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// Anthropic's Messages API.
@Suite(.inTurns)
struct MessagesTests {
    private static let question = #"{"role": "user", "content": "What is the capital of Portugal?"}"#
    private static let weather =
        #"{"name": "get_weather", "description": "Current weather of a city", "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}"#

    private func ask(_ members: String, path: String = "/v1/messages") async throws -> WholeReply {
        try await ServingSupport.server().post(path, "{\(members)}")
    }

    private func warning(_ reply: WholeReply) -> String { reply.headers["warning"] ?? "" }

    @Test("A message is answered in blocks, with why it ended and what it cost")
    func answer() async throws {
        let reply = try await ask(
            #""model": "demo", "max_tokens": 40, "temperature": 0, "system": "Be brief.", "messages": [\#(Self.question)]"#
        )
        #expect(reply.status == 200 && reply.body["type"] == "message" && reply.body["role"] == "assistant")
        let block = reply.body["content"]?.array?.first
        #expect(block?["type"] == "text" && block?["text"]?.string?.contains("Lisbon") == true, "\(reply.body)")
        #expect(reply.body["stop_reason"] == "end_turn" && reply.body["stop_sequence"] == .null)
        let usage = try #require(reply.body["usage"])
        let (input, output) = (usage["input_tokens"]?.integer ?? 0, usage["output_tokens"]?.integer ?? 0)
        #expect(input > 0 && output > 0 && usage["cache_read_input_tokens"]?.integer != nil)
        let short = try await ask(#""max_tokens": 2, "temperature": 0, "messages": [\#(Self.question)]"#)
        #expect(short.body["stop_reason"] == "max_tokens", "\(short.body)")
    }

    @Test("The stop sequence that ended a reply is told, and is no part of it")
    func stopSequence() async throws {
        let reply = try await ask(
            #""max_tokens": 40, "temperature": 0, "stop_sequences": ["Madrid", "Lisbon"], "messages": [\#(Self.question)]"#
        )
        #expect(reply.body["stop_reason"] == "stop_sequence" && reply.body["stop_sequence"] == "Lisbon")
        #expect(reply.body["content"]?.array?.first?["text"]?.string?.contains("Lisbon") == false, "\(reply.body)")
    }

    @Test("A tool is called, its result is read, and an error is told as one")
    func tools() async throws {
        let request =
            #""max_tokens": 80, "temperature": 0, "tools": [\#(Self.weather)], "tool_choice": {"type": "any"}, "messages": [{"role": "user", "content": "What is the weather in Lisbon?"}"#
        let reply = try await ask(request + "]")
        let call = try #require(reply.body["content"]?.array?.first { $0["type"] == "tool_use" }, "\(reply.body)")
        #expect(reply.body["stop_reason"] == "tool_use" && call["name"] == "get_weather")
        #expect(call["input"]?["city"] == "Lisbon" && call["id"]?.string?.isEmpty == false)
        func messages(_ result: String) throws -> [ChatMessage] {
            let body =
                #"{"max_tokens": 9, "messages": [\#(Self.question), {"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm.", "signature": "x"}, {"type": "text", "text": "I look."}, {"type": "tool_use", "id": "t1", "name": "get_weather", "input": {"city": "Lisbon"}}]}, {"role": "user", "content": [\#(result), {"type": "text", "text": "And?", "cache_control": {"type": "ephemeral"}}]}]}"#
            return try MessagesRequest(Array(body.utf8)).order.messages
        }
        let read = try messages(#"{"type": "tool_result", "tool_use_id": "t1", "content": "24 °C"}"#)
        #expect(read.map(\.role) == [.user, .assistant, .tool, .user])
        #expect(read[1].text == "I look." && read[1].reasoningContent == "Hm.")
        #expect(read[1].functionCalls?.first?.name == "get_weather" && read[1].functionCalls?.first?.id == "t1")
        #expect(read[2].text == "24 °C" && read[2].toolCallId == "t1" && read[2].name == "get_weather")
        let failed = try messages(
            #"{"type": "tool_result", "tool_use_id": "t1", "is_error": true, "content": [{"type": "text", "text": "no net"}]}"#
        )
        #expect(failed[2].text == "Error: no net")
    }

    @Test("The events of a stream are those of the protocol, and make the reply that is not streamed")
    func stream() async throws {
        let server = try ServingSupport.server()
        let request = #"{"max_tokens": 40, "temperature": 0, "messages": [\#(Self.question)]"#
        let whole = try await server.post("/v1/messages", request + "}")
        let body = try await server.reply(
            to: ServerRequest(method: "POST", path: "/v1/messages", body: Array((request + #", "stream": true}"#).utf8))
        ).collectText()
        var names: [String] = []
        var text = ""
        for line in body.split(separator: "\n") {
            if line.hasPrefix("event: ") { names.append(String(line.dropFirst(7))) }
            guard line.hasPrefix("data: ") else { continue }
            let event = try JSONParser.parse(String(line.dropFirst(6)))
            #expect(event["type"]?.string == names.last)
            text += event["delta"]?["text"]?.string ?? ""
            if event["type"] == "message_delta" {
                #expect(event["delta"]?["stop_reason"] == "end_turn")
                #expect(event["usage"]?["output_tokens"] == whole.body["usage"]?["output_tokens"])
            }
        }
        #expect(text == whole.body["content"]?.array?.first?["text"]?.string)
        let kinds = names.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        #expect(
            kinds == [
                "message_start", "ping", "content_block_start", "content_block_delta", "content_block_stop",
                "message_delta", "message_stop",
            ])
    }

    @Test("Thoughts and calls are blocks of their own in a stream")
    func blocks() async throws {
        let sent = EventLog()
        var events = MessagesEvents(
            writer: EventWriter(send: sent.send), document: MessagesDocument(model: "m"), promptTokens: 7)
        var parts = ReplyParts()
        try await events.begin()
        let call = try LeapFunctionCall(name: "f", argumentsJSON: #"{"a":1}"#, id: "c")
        for response in [
            MessageResponse.reasoningChunk("Let me "), .reasoningChunk("see."), .chunk("Yes."), .functionCall([call]),
        ] {
            let known = parts.calls.count
            parts.add(response)
            try await events.add(
                ReplyPiece(
                    index: 0, response: response, parts: parts, calls: parts.calls[known...], logprobs: []))
        }
        try await events.end([parts])
        let documents = try sent.documents
        #expect(
            documents.compactMap { $0["content_block"]?["type"]?.string } == ["thinking", "text", "tool_use"])
        #expect(
            documents.compactMap { $0["delta"]?["type"]?.string } == [
                "thinking_delta", "thinking_delta", "signature_delta", "text_delta", "input_json_delta",
            ])
        #expect(documents.compactMap { $0["delta"]?["partial_json"]?.string } == [#"{"a":1}"#])
        let indices = documents.filter { $0["type"] == "content_block_stop" }.compactMap { $0["index"]?.integer }
        #expect(indices == [0, 1, 2])
        #expect(documents.last { $0["type"] == "message_delta" }?["delta"]?["stop_reason"] == "tool_use")
        #expect(documents.first?["message"]?["usage"]?["input_tokens"] == .integer(7))
    }

    @Test("Tokens are counted as they are computed, tools included")
    func count() async throws {
        let server = try ServingSupport.server()
        let prompt = #""messages": [\#(Self.question)]"#
        let plain = try await server.post("/v1/messages/count_tokens", "{\(prompt)}")
        let reply = try await server.post("/v1/messages", #"{"max_tokens": 1, \#(prompt)}"#)
        let usage = reply.body["usage"]
        let all = (usage?["input_tokens"]?.integer ?? 0) + (usage?["cache_read_input_tokens"]?.integer ?? 0)
        #expect(plain.body["input_tokens"]?.integer == all)
        let tools = try await server.post(
            "/v1/messages/count_tokens", #"{\#(prompt), "tools": [\#(Self.weather)]}"#)
        #expect((tools.body["input_tokens"]?.integer ?? 0) > all)
    }

    @Test("A form of the answer is kept to")
    func format() async throws {
        let schema =
            #"{"type": "object", "properties": {"city": {"type": "string", "maxLength": 20}}, "required": ["city"], "additionalProperties": false}"#
        for field in [#""output_config": {"format": "#, #""output_format": "#] {
            let end = field.contains("config") ? "}" : ""
            let reply = try await ask(
                #""max_tokens": 60, "temperature": 0, \#(field){"type": "json_schema", "schema": \#(schema)}\#(end), "messages": [\#(Self.question)]"#
            )
            let text = reply.body["content"]?.array?.first?["text"]?.string ?? ""
            #expect((try? JSONParser.parse(text))?.object?.keys == ["city"], "\(reply.body)")
        }
    }

    @Test("What has no effect is named; what is kept for everybody is not")
    func ignored() throws {
        let body =
            #"{"max_tokens": 1, "metadata": {"user_id": "u"}, "thinking": {"type": "enabled", "budget_tokens": 2000}, "system": [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}], "tools": [{"type": "web_search_20250305", "name": "web_search"}, \#(Self.weather)], "messages": [\#(Self.question)]}"#
        let request = try MessagesRequest(Array(body.utf8))
        #expect(
            Set(request.order.ignored)
                == ["metadata", "tools[0].type=web_search_20250305"])
        #expect(request.order.tools.functions.map(\.name) == ["get_weather"])
        #expect(request.order.options[0].enableThinking && request.order.messages[0].text == "a")
    }

    @Test("A function has the type custom or none, which the model is not shown; tools of other types are left out")
    func toolTypes() throws {
        func tools(_ entry: String) throws -> ToolList {
            let body = #"{"max_tokens": 1, "tools": [\#(entry)], "messages": [\#(Self.question)]}"#
            return try MessagesRequest(Array(body.utf8)).order.tools
        }
        let schema = #""input_schema": {"type": "object", "properties": {}}"#
        let shown = try JSONParser.parse(
            #"{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}"#)
        for type in ["", #""type": "custom", "#, #""type": null, "#] {
            let tools = try tools(#"{\#(type)"name": "f", \#(schema)}"#)
            #expect(tools.functions.map(\.tool) == [shown] && tools.custom.isEmpty && tools.leftOut.isEmpty, "\(type)")
        }
        #expect(try tools(#"{"type": "custom", \#(schema)}"#).leftOut == ["tools[0].input_schema"])
        #expect(try tools(#"{"type": "bash_20250124", "name": "bash"}"#).leftOut == ["tools[0].type=bash_20250124"])
        #expect(throws: APIError.self) { try tools(#"{"type": "custom"}"#) }
    }

    @Test("Pictures, documents and blocks one after the other become parts of a message")
    func parts() throws {
        func parts(_ blocks: String) throws -> [ChatMessageContent] {
            let body = #"{"max_tokens": 1, "messages": [{"role": "user", "content": [\#(blocks)]}]}"#
            return try MessagesRequest(Array(body.utf8)).order.messages[0].content
        }
        let text = try parts(
            #"{"type": "document", "title": "T", "source": {"type": "text", "media_type": "text/plain", "data": "D"}}, {"type": "search_result", "source": "s", "title": "U", "content": [{"type": "text", "text": "E"}]}, {"type": "text", "text": "Q"}"#
        )
        #expect(text.compactMap(\.text).joined() == "T\n\nD\nU\n\nE\nQ")
        let picture = try parts(
            #"{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}, {"type": "text", "text": "Q"}"#
        )
        #expect(picture.count == 2 && picture[0].text == nil && picture[1].text == "Q")
        let wrong = #expect(throws: APIError.self) {
            try parts(#"{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A"}}"#)
        }
        #expect(wrong?.message.contains("messages[0].content[0] is 'data:image/png;base64,A'") == true)
        #expect(wrong?.parameter == "messages[0].content[0]")
    }

    @Test(
        "What is wrong is refused in the protocol's shape, with the field",
        arguments: [
            (#""messages": [{"role": "user", "content": "Hi"}]"#, "'max_tokens' is missing"),
            (#""max_tokens": 0, "messages": [{"role": "user", "content": "Hi"}]"#, "'max_tokens' is 0"),
            (#""max_tokens": 1"#, "'messages' is missing"), (#""max_tokens": 1, "messages": [7]"#, "messages[0] is"),
            (#""max_tokens": 1, "messages": [{"role": "wizard", "content": ""}]"#, "messages[0].role is 'wizard'"),
            (#""max_tokens": 1, "messages": [{"role": "user", "content": 7}]"#, "messages[0].content is"),
            (
                #""max_tokens": 1, "messages": [{"role": "user", "content": [{}]}]"#,
                "messages[0].content[0].type is missing"
            ),
            (
                #""max_tokens": 1, "messages": [{"role": "user", "content": [{"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": ""}}]}]"#,
                "send its text"
            ),
            (
                #""max_tokens": 1, "messages": [{"role": "user", "content": [{"type": "tool_result"}]}]"#,
                "messages[0].content[0].tool_use_id is missing"
            ),
            (
                #""max_tokens": 1, "messages": [{"role": "user", "content": "Hi"}], "tool_choice": {"type": "any"}"#,
                "there are no 'tools'"
            ),
            (
                #""max_tokens": 1, "messages": [{"role": "user", "content": "Hi"}], "stop_sequences": 7"#,
                "'stop_sequences' is"
            ),
            (
                #""max_tokens": 1, "messages": [{"role": "user", "content": "Hi"}], "thinking": {"type": "deep"}"#,
                "'thinking.type' is 'deep'"
            ),
        ])
    func refusals(members: String, message: String) async throws {
        let reply = try await ask(members)
        #expect(reply.status == 400 && reply.body["type"] == "error", "\(reply.body)")
        #expect(reply.body["error"]?["type"] == "invalid_request_error")
        #expect(reply.body["error"]?["message"]?.string?.contains(message) == true, "\(reply.body)")
    }

    /// A turn of the assistant as a hosted model left it, the text that stands for it, and the types that are left out.
    static let hosted: [(blocks: String, text: String, leftOut: [String])] = [
        (
            #"{"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}, {"type": "web_search_tool_result", "tool_use_id": "s", "content": [{"type": "web_search_result", "title": "P", "encrypted_content": "AAAA"}]}, {"type": "text", "text": "Lisbon."}"#,
            "Lisbon.", ["server_tool_use", "web_search_tool_result"]
        ),
        (
            #"{"type": "mcp_tool_use", "id": "m", "name": "look", "server_name": "a", "input": {}}, {"type": "mcp_tool_result", "tool_use_id": "m", "content": [{"type": "text", "text": "24 C"}]}, {"type": "text", "text": "Warm."}"#,
            "24 C\nWarm.", ["mcp_tool_use"]
        ),
        (
            #"{"type": "bash_code_execution_tool_result", "tool_use_id": "s", "content": {"type": "bash_code_execution_result", "stdout": "a", "stderr": "b", "return_code": 0, "content": []}}, {"type": "text", "text": "Done."}"#,
            "a\nb\nDone.", []
        ),
        (#"{"type": "compaction", "content": "Before."}, {"type": "text", "text": "After."}"#, "Before.\nAfter.", []),
    ]

    @Test("Blocks of hosted tools are text where they have one, and left out otherwise", arguments: 0..<hosted.count)
    func hostedBlocks(index: Int) throws {
        let (blocks, text, leftOut) = Self.hosted[index]
        let body =
            #"{"max_tokens": 1, "messages": [\#(Self.question), {"role": "assistant", "content": [\#(blocks)]}, {"role": "user", "content": [{"type": "container_upload", "file_id": "f"}, {"type": "text", "text": "And?"}]}]}"#
        let request = try MessagesRequest(Array(body.utf8))
        #expect(request.order.messages.map(\.role) == [.user, .assistant, .user])
        #expect(request.order.messages[1].text == text)
        #expect(request.order.messages[2].text == "And?")
        let types = request.order.ignored.compactMap { $0.split(separator: "=").last.map(String.init) }
        #expect(types == leftOut + ["container_upload"])
    }

    @Test("Results of a search among tools, and documents that are no text, leave a conversation as it is")
    func results() throws {
        func result(_ content: String) throws -> MessagesRequest {
            try MessagesRequest(
                Array(
                    #"{"max_tokens": 1, "messages": [\#(Self.question), {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "f", "input": {}}]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": [\#(content)]}]}]}"#
                        .utf8))
        }
        let found = try result(#"{"type": "tool_reference", "tool_name": "get_weather"}"#)
        #expect(found.order.messages[2].text == "get_weather" && found.order.ignored.isEmpty)
        let document = try result(
            #"{"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": ""}}"#)
        #expect(document.order.messages[2].text.contains("not read"))
        #expect(document.order.ignored == ["messages[2].content[0].content[0].type=document"])
    }

    @Test("A thread is refused in the words by which Anthropic's packages send all of it")
    func thread() async throws {
        for thread in [#"{"type": "create"}"#, #"{"type": "continue", "previous_message_id": "msg_1"}"#] {
            let reply = try await ask(#""max_tokens": 1, "thread": \#(thread), "messages": [\#(Self.question)]"#)
            #expect(reply.status == 400 && reply.body["error"]?["type"] == "invalid_request_error")
            let details = reply.body["error"]?["details"]
            #expect(
                details?["error_code"] == "thread_unsupported_request" && details?["unsupported"] == .array(["thread"]))
        }
    }

    @Test("A stream begins with the tokens of its prompt")
    func promptTokens() async throws {
        let server = try ServingSupport.server()
        let body = #""messages": [\#(Self.question)], "temperature": 0"#
        let count = try await server.post("/v1/messages/count_tokens", "{\(body)}").body["input_tokens"]?.integer
        let events = try await server.events("/v1/messages", #"{"max_tokens": 2, "stream": true, \#(body)}"#)
        let start = events.first { $0["type"] == "message_start" }?["message"]?["usage"]?["input_tokens"]?.integer
        #expect(start == count && count ?? 0 > 5)
        let end = try #require(events.last { $0["type"] == "message_delta" }?["usage"])
        #expect((end["input_tokens"]?.integer ?? 0) + (end["cache_read_input_tokens"]?.integer ?? 0) == count)
    }

    @Test("A first line that differs in each request is none of the prompt, so what was computed is kept")
    func changingHeading() async throws {
        var configuration = ModelPool.Configuration()
        configuration.cache = LiquidCacheOptions(path: "", enabled: true, diskDisabled: true)
        let server = try ServingSupport.server(nil, configuration)
        var counts: [(computed: Int, kept: Int)] = []
        let system = String(repeating: "You are an agent that writes code. ", count: 20)
        for code in ["1a2b3", "9f8e7"] {
            let reply = try await server.post(
                "/v1/messages",
                #"{"max_tokens": 1, "system": [{"type": "text", "text": "x-anthropic-billing-header: cc_version=2; cch=\#(code);"}, {"type": "text", "text": "\#(system)"}], "messages": [\#(Self.question)]}"#
            )
            let usage = reply.body["usage"]
            counts.append(
                (usage?["input_tokens"]?.integer ?? 0, usage?["cache_read_input_tokens"]?.integer ?? 0))
            #expect(warning(reply).contains("system=x-anthropic-billing-header"))
        }
        #expect(counts[1].kept > (counts[0].computed + counts[0].kept) / 2, "\(counts)")
        #expect(ChangingHeading.removed(from: "x-anthropic-billing-header: a;\n\nBe brief.")?.text == "Be brief.")
        #expect(ChangingHeading.removed(from: "Be brief.\nx-anthropic-billing-header: a;") == nil)
    }

    @Test("A key is taken from the header of Anthropic's clients, and its lack is told in their shape")
    func key() async throws {
        let server = try ServingSupport.server(access: AccessRules(key: "secret"))
        func ask(_ headers: [String: String]) async throws -> WholeReply {
            let body = Array(#"{"max_tokens": 1, "messages": [\#(Self.question)]}"#.utf8)
            var request = ServerRequest(method: "POST", path: "/v1/messages", body: body)
            for (name, value) in headers { request.headers[name] = value }
            return try await WholeReply(server.reply(to: request))
        }
        #expect(try await ask(["x-api-key": "secret"]).status == 200)
        for headers in [[:], ["x-api-key": "other"]] {
            let refused = try await ask(headers)
            #expect(refused.status == 401 && refused.body["error"]?["type"] == "authentication_error")
        }
        let unknown = try await ServingSupport.server().post(
            "/v1/messages", #"{"model": "none", "max_tokens": 1, "messages": [\#(Self.question)]}"#)
        #expect(unknown.status == 404 && unknown.body["error"]?["type"] == "not_found_error", "\(unknown.body)")
    }
}

/// The events that were sent.
private final class EventLog: Sendable {
    private let bytes = Locked<[UInt8]>([])

    @Sendable func send(_ more: [UInt8]) async throws { bytes.withLock { $0 += more } }

    /// The JSON of each.
    var documents: [JSONValue] {
        get throws {
            try String(decoding: bytes.withLock { $0 }, as: UTF8.self).split(separator: "\n")
                .filter { $0.hasPrefix("data: ") }
                .map { try JSONParser.parse(String($0.dropFirst(6))) }
        }
    }
}

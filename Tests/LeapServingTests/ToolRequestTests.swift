import LeapCore
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapServing

/// Requests with tools, and what clients send beside them.
@Suite(.inTurns)
struct ToolRequestTests {
    private static let question = #"{"role": "user", "content": "What is the capital of Portugal?"}"#
    private static let weather =
        #"{"type": "function", "function": {"name": "get_weather", "description": "Weather of a city", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}}"#

    private static func find(_ schema: String, strict: Bool = false) -> String {
        #"{"type": "function", "function": {"name": "find", "strict": \#(strict), "parameters": {"type": "object", "properties": {"p": \#(schema)}}}}"#
    }

    private func warning(_ reply: WholeReply) -> String { reply.headers["warning"] ?? "" }

    @Test("Functions as they were before tools are called, once, in the older shape")
    func legacy() async throws {
        let server = try ServingSupport.server()
        let function =
            #"{"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}"#
        let body =
            #"{"max_tokens": 60, "temperature": 0, "messages": [\#(Self.question)], "functions": [\#(function)], "function_call": {"name": "get_weather"}"#
        let reply = try await server.post("/v1/chat/completions", body + "}")
        let choice = reply.body["choices"]?.array?.first
        #expect(choice?["finish_reason"] == "function_call" && warning(reply).isEmpty, "\(reply.body)")
        #expect(choice?["message"]?["function_call"]?["name"] == "get_weather")
        #expect(choice?["message"]?["function_call"]?["arguments"]?.string?.contains("city") == true)
        #expect(choice?["message"]?["tool_calls"] == nil)
        let stream = await server.reply(
            to: ServerRequest(
                method: "POST", path: "/v1/chat/completions", body: Array((body + #", "stream": true}"#).utf8)))
        let text = try await stream.collectText()
        #expect(text.contains("\"function_call\":{") && !text.contains("tool_calls"), "\(text)")
    }

    @Test("One schema that cannot be enforced takes the answer away only where calls are held to it")
    func demands() async throws {
        let server = try ServingSupport.server()
        func ask(_ tool: String, _ more: String) async throws -> WholeReply {
            try await server.post(
                "/v1/chat/completions",
                #"{"max_tokens": 40, "temperature": 0, "messages": [\#(Self.question)], "tools": [\#(Self.weather), \#(tool)]\#(more)}"#
            )
        }
        for (schema, pointer) in [
            (#"{"type": "string", "pattern": "^(a|b)\\1$"}"#, "p/pattern"), (#"{"type": "STRING"}"#, "p/type"),
            (##"{"$ref": "#/$defs/Lost"}"##, "p/$ref"),
        ] {
            let place = "/tools/1/function/parameters/properties/" + pointer
            let free = try await ask(Self.find(schema), "")
            #expect(free.status == 200 && warning(free).contains(place), "\(free.body) \(warning(free))")
            #expect(free.body["choices"]?.array?.first?["message"]?["content"]?.string?.contains("Lisbon") == true)
            let named = #", "tool_choice": {"type": "function", "function": {"name": "find"}}"#
            for refused in [
                try await ask(Self.find(schema), #", "tool_choice": "required""#),
                try await ask(Self.find(schema), named),
                try await ask(Self.find(schema, strict: true), ""),
            ] {
                #expect(refused.status == 400 && refused.body["error"]?["code"] == "invalid_schema")
                #expect(refused.body["error"]?["message"]?.string?.contains(place) == true, "\(refused.body)")
                #expect(refused.body["error"]?["param"] == "tools[1].function.parameters")
            }
            let other = #", "tool_choice": {"type": "function", "function": {"name": "get_weather"}}"#
            let called = try await ask(Self.find(schema), other)
            #expect(called.status == 200 && warning(called).isEmpty, "\(called.body)")
        }
    }

    @Test(
        "Names of functions and parameters are no reason to refuse",
        arguments: TestLevel.cases(
            [
                "$filter", "StartTime<", "x\\\"y", "@type", "日本語", "filter.name", "first name", "2fa", "größe", "",
            ], standard: 3))
    func names(name: String) async throws {
        let server = try ServingSupport.server()
        let tool =
            #"{"type": "function", "function": {"name": "3d \#(name)", "parameters": {"type": "object", "properties": {"\#(name)": {"type": "boolean"}}, "required": ["\#(name)"]}}}"#
        let free = try await server.post(
            "/v1/chat/completions",
            #"{"max_tokens": 4, "temperature": 0, "messages": [\#(Self.question)], "tools": [\#(tool)]}"#)
        #expect(free.status == 200 && warning(free).isEmpty, "\(free.body)")
        let demanded = try await server.post(
            "/v1/chat/completions",
            #"{"max_tokens": 60, "messages": [\#(Self.question)], "tools": [\#(tool)], "tool_choice": "required", "parallel_tool_calls": false}"#
        )
        let call = try #require(
            demanded.body["choices"]?.array?.first?["message"]?["tool_calls"]?.array?.first?["function"])
        let plain = name.replacing("\\\"", with: "\"")
        #expect(call["name"]?.string == "3d \(plain)")
        let arguments = try JSONParser.parse(try #require(call["arguments"]?.string))
        #expect(arguments.object?.keys == [plain], "\(arguments)")
    }

    @Test("Tools beside a form of answers give one of both, in every protocol")
    func form() async throws {
        let server = try ServingSupport.server()
        let schema =
            #"{"type": "object", "properties": {"answer": {"type": "string", "maxLength": 20}}, "required": ["answer"], "additionalProperties": false}"#
        let function =
            #"{"type": "function", "name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}"#
        func isAnswer(_ text: JSONValue?) -> Bool {
            (try? JSONParser.parse(text?.string ?? ""))?.object?.keys == ["answer"]
        }
        for (choice, expectsCall) in [("auto", nil), ("none", false), ("required", true)] as [(String, Bool?)] {
            let chat = try await server.post(
                "/v1/chat/completions",
                #"{"temperature": 0, "max_tokens": 80, "messages": [\#(Self.question)], "tools": [\#(Self.weather)], "tool_choice": "\#(choice)", "response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": \#(schema)}}}"#
            )
            let message = chat.body["choices"]?.array?.first?["message"]
            let hasCalls = message?["tool_calls"]?.array?.isEmpty == false
            #expect(chat.status == 200 && hasCalls != isAnswer(message?["content"]), "\(choice): \(chat.body)")
            if let expectsCall { #expect(hasCalls == expectsCall) }
            let response = try await server.post(
                "/v1/responses",
                #"{"temperature": 0, "max_output_tokens": 80, "input": "What is the capital of Portugal?", "tools": [\#(function)], "tool_choice": "\#(choice)", "text": {"format": {"type": "json_schema", "name": "a", "schema": \#(schema)}}}"#
            )
            let items = response.body["output"]?.array ?? []
            let isCall = items.contains { $0["type"] == "function_call" }
            #expect(isCall != isAnswer(items.first?["content"]?.array?.first?["text"]), "\(choice): \(response.body)")
            if let expectsCall { #expect(isCall == expectsCall) }
        }
        let ollama = try await server.post(
            "/api/chat",
            #"{"stream": false, "options": {"temperature": 0, "num_predict": 80}, "messages": [\#(Self.question)], "tools": [\#(Self.weather)], "format": \#(schema)}"#
        )
        let message = ollama.body["message"]
        #expect((message?["tool_calls"] != nil) != isAnswer(message?["content"]), "\(ollama.body)")
    }

    @Test("A schema beside json_object is enforced; members without effect are named")
    func jsonObject() async throws {
        let server = try ServingSupport.server()
        func ask(_ path: String, _ format: String) async throws -> WholeReply {
            try await server.post(path, "{\"temperature\": 0, \(format)}")
        }
        let chat = try await ask(
            "/v1/chat/completions",
            #""messages": [{"role": "user", "content": "Tell me a joke."}], "response_format": {"type": "json_object", "schema": {"type": "object", "properties": {"team": {"enum": ["red", "blue"]}}, "required": ["team"], "additionalProperties": false}, "nonsense": 1}"#
        )
        let text = chat.body["choices"]?.array?.first?["message"]?["content"]?.string ?? ""
        let object = try JSONParser.parse(text)
        #expect(object.object?.keys == ["team"] && ["red", "blue"].contains(object["team"]?.string), "\(text)")
        #expect(warning(chat) == #"299 open-leap "without effect: response_format.nonsense""#)
        let named = try await ask(
            "/v1/chat/completions",
            #""max_tokens": 4, "messages": [{"role": "user", "content": "Hi"}], "response_format": {"type": "json_schema", "x": 1, "json_schema": {"name": "a", "strict": true, "y": 2, "schema": {"const": 1}}}"#
        )
        #expect(warning(named).contains("response_format.json_schema.y, response_format.x"), "\(warning(named))")
        let response = try await ask(
            "/v1/responses",
            #""input": "Hi", "text": {"format": {"type": "json_object", "schema": {"const": 7}, "odd": 1}}"#)
        #expect(response.body["output"]?.array?.first?["content"]?.array?.first?["text"] == "7", "\(response.body)")
        #expect(warning(response).contains("text.format.odd"))
        let text2 = try await ask(
            "/v1/chat/completions",
            #""max_tokens": 1, "messages": [{"role": "user", "content": "Hi"}], "response_format": {"type": "text", "schema": {}}"#
        )
        #expect(warning(text2).contains("response_format.schema"))
    }

    @Test("Tools that are no functions, and their items, are left out and named")
    func foreignTools() async throws {
        let server = try ServingSupport.server()
        let function = #"{"type": "function", "name": "f", "parameters": {"type": "object", "properties": {}}}"#
        for type in ["web_search", "namespace", "local_shell", "mcp", "anything_new"] {
            let reply = try await server.post(
                "/v1/responses",
                #"{"max_output_tokens": 4, "input": "Hi", "tools": [\#(function), {"type": "\#(type)", "name": "x"}]}"#)
            #expect(reply.status == 200 && warning(reply).contains("tools[1].type=\(type)"), "\(reply.body)")
            #expect(reply.body["tools"]?.array?.count == 1)
        }
        let google = try await server.post(
            "/v1/chat/completions",
            #"{"max_tokens": 2, "messages": [\#(Self.question)], "tools": [\#(Self.weather), {"googleSearch": {}}]}"#)
        #expect(google.status == 200 && warning(google).contains("tools[1].googleSearch"), "\(google.body)")
        let only = try await server.post(
            "/v1/responses",
            #"{"input": "Hi", "tools": [{"type": "web_search"}], "tool_choice": "required"}"#)
        #expect(only.status == 400 && only.body["error"]?["param"] == "tool_choice")
        for item in [
            #"{"type": "web_search_call", "id": "w", "status": "completed"}"#,
            #"{"type": "local_shell_call", "call_id": "l"}, {"type": "local_shell_call_output", "call_id": "l", "output": ""}"#,
            #"{"type": "compaction", "encrypted_content": "x"}"#,
        ] {
            let reply = try await server.post(
                "/v1/responses",
                #"{"max_output_tokens": 40, "temperature": 0, "input": [{"role": "user", "content": "Hi"}, \#(item), \#(Self.question)]}"#
            )
            #expect(reply.status == 200 && warning(reply).contains("input[1].type="), "\(reply.body)")
        }
    }

    @Test("Refusals, thoughts and calls of custom tools in the history are read; unknown parts are left out and named")
    func history() throws {
        var leftOut: [String] = []
        let messages = try ResponsesInput.read(
            JSONParser.parse(
                #"""
                [{"role": "user", "content": [{"type": "input_text", "text": "Hi"}, {"type": "hologram", "data": "x"}]},
                 {"type": "message", "role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]},
                 {"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm."},
                    {"type": "redacted_thinking", "data": "x"}, {"type": "output_text", "text": "Yes."}]},
                 {"type": "custom_tool_call", "call_id": "c", "name": "apply_patch", "input": "*** x"},
                 {"type": "custom_tool_call_output", "call_id": "c", "output": "done"}]
                """#), leftOut: &leftOut
        ).messages
        #expect(leftOut == ["input[0].content[1].type=hologram"])
        #expect(messages.map(\.text) == ["Hi", "No.", "Yes.", "done"])
        #expect(messages[2].reasoningContent == "Hm." && messages[2].functionCalls?.first?.argumentsJSON == "*** x")
        #expect(messages[2].functionCalls?.first?.name == "apply_patch" && messages[3].toolCallId == "c")
        // The same in chat completions, where what was refused may stand beside the content.
        let chat = try ChatRequest(
            Array(
                #"""
                {"messages": [{"role": "user", "content": [{"type": "file", "file": {}}, {"type": "text", "text": "Hi"}]},
                    {"role": "assistant", "content": null, "refusal": "No."},
                    {"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "p", "input": "x"}}]},
                    {"role": "tool", "tool_call_id": "c", "content": "ok"}, {"role": "user", "content": "Go on"}]}
                """#.utf8))
        #expect(chat.order.ignored == ["messages[0].content[0].type=file"])
        #expect(chat.order.messages.map(\.text) == ["Hi", "No.", "", "ok", "Go on"])
        #expect(chat.order.messages[2].functionCalls?.first?.argumentsJSON == "x")
    }

    @Test(
        "A conversation goes on whatever the arguments of an earlier call look like",
        arguments: TestLevel.cases(
            ["\"\"", #""{\"city\": \"Lis""#, #""hello""#, #""[1]""#, "[1]", "7", "null", #"{"city": "x"}"#], standard: 5
        ))
    func brokenArguments(arguments: String) async throws {
        let server = try ServingSupport.server()
        for path in ["/v1/chat/completions", "/api/chat"] {
            let reply = try await server.post(
                path,
                #"""
                {"stream": false, "max_tokens": 1, "options": {"num_predict": 1}, "tools": [\#(Self.weather)],
                 "messages": [{"role": "user", "content": "Weather?"},
                    {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "type": "function", "function": {"name": "get_weather", "arguments": \#(arguments)}}]},
                    {"role": "tool", "tool_call_id": "c", "content": "24"}]}
                """#)
            #expect(reply.status == 200, "\(path): \(reply.body)")
        }
    }

    @Test("What the limit cuts off says so: the reply, and the item that was being written")
    func cutOff() async throws {
        let server = try ServingSupport.server()
        let response = try await server.post(
            "/v1/responses", #"{"max_output_tokens": 3, "temperature": 0, "input": "What is the capital of Portugal?"}"#
        )
        #expect(response.body["status"] == "incomplete")
        #expect(response.body["output"]?.array?.last?["status"] == "incomplete")
        let whole = try await server.post(
            "/v1/responses", #"{"temperature": 0, "input": "What is the capital of Portugal?"}"#)
        #expect(whole.body["output"]?.array?.last?["status"] == "completed")
        let reply = await server.reply(
            to: ServerRequest(
                method: "POST", path: "/v1/responses",
                body: Array(
                    #"{"stream": true, "max_output_tokens": 3, "temperature": 0, "input": "What is the capital of Portugal?"}"#
                        .utf8)))
        let events = try await reply.collectText()
        #expect(events.contains("response.incomplete") && !events.contains(#""status":"completed""#))
    }
}

/// Forms of answers as vLLM's clients ask for them, and models under further names.
@Suite(.inTurns)
struct GuidedRequestTests {
    /// One model for all cases.
    private static let shared = Result { try ServingSupport.server() }

    @Test(
        "Each field has the effect of the one that is ours",
        arguments: [
            (#""guided_json": {"const": 7}"#, "7"), (#""guided_json": "{\"const\": 8}""#, "8"),
            (#""structured_outputs": {"json": {"const": 9}}"#, "9"),
            (#""guided_choice": ["a \"quoted\"\nchoice"]"#, "a \"quoted\"\nchoice"),
            (#""structured_outputs": {"choice": ["größe"]}"#, "größe"), (#""guided_regex": "x{3}""#, "xxx"),
            (#""structured_outputs": {"regex": "y{2}"}"#, "yy"), (#""guided_grammar": "root ::= \"ok\"""#, "ok"),
            (#""structured_outputs": {"grammar": "root ::= \"no\""}"#, "no"),
        ])
    func guided(field: String, expected: String) async throws {
        let reply = try await Self.shared.get().post(
            "/v1/chat/completions", #"{"max_tokens": 30, "messages": [{"role": "user", "content": "Hi"}], \#(field)}"#)
        #expect(
            reply.body["choices"]?.array?.first?["message"]?["content"]?.string == expected, "\(reply.body)")
        #expect(reply.headers["warning"] == nil)
    }

    @Test("What cannot be a form is refused, what has no effect is named")
    func bad() async throws {
        let server = try ServingSupport.server()
        let prompt = #""max_tokens": 2, "messages": [{"role": "user", "content": "Hi"}]"#
        for field in [#""guided_choice": []"#, #""guided_choice": [1]"#, #""guided_choice": "a""#] {
            #expect(try await server.post("/v1/chat/completions", "{\(prompt), \(field)}").status == 400, "\(field)")
        }
        let named = try await server.post(
            "/v1/chat/completions", #"{\#(prompt), "structured_outputs": {"whitespace_pattern": " "}}"#)
        #expect(named.headers["warning"]?.contains("structured_outputs.whitespace_pattern") == true)
    }

    @Test("A model is found under further names, also those that begin like one, and under its own first")
    func aliases() throws {
        var catalog = ModelCatalog(
            given: [try ServingSupport.demo(), try ServingSupport.demo("claude-x")], downloader: nil)
        catalog.aliases = ["gpt-4o=demo", "claude-*=demo", "a=b", "b=demo", "*=nothing"].compactMap(ModelAlias.init)
        #expect(catalog.aliases.count == 5)
        #expect(try catalog.find("gpt-4o").id == "demo" && catalog.find("claude-sonnet").id == "demo")
        #expect(try catalog.find("claude-x").id == "claude-x" && catalog.find("b").id == "demo")
        #expect(throws: APIError.self) { try catalog.find("a") }
        #expect(throws: APIError.self) { try catalog.find("other") }
        for text in ["", "a", "=b", "a=", "*a=b", "a*b=c"] { #expect(ModelAlias(text) == nil, "\(text)") }
    }
}

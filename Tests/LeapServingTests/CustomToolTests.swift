import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapChat
@testable import LeapCore
@testable import LeapServing

/// Custom tools, and choices among tools.
@Suite(.inTurns)
struct CustomToolTests {
    private let server: Server

    init() throws { server = try ServingSupport.server() }

    private static let format = #"{"type": "grammar", "syntax": "regex", "definition": "[0-9]{3}-[a-f]{2}"}"#
    private static let function =
        #"{"type": "function", "name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}"#

    private func ask(_ members: String) async throws -> WholeReply {
        try await server.post(
            "/v1/responses",
            #"{"temperature": 0, "max_output_tokens": 80, "input": "What is the weather in Lisbon?", \#(members)}"#)
    }

    private static func isCode(_ text: String?) -> Bool {
        text?.wholeMatch(of: #/[0-9]{3}-[a-f]{2}/#) != nil
    }

    @Test("The input of a custom tool is a text that matches its regular expression")
    func grammar() async throws {
        let members =
            #""tools": [{"type": "custom", "name": "code", "description": "A code", "format": \#(Self.format)}], "tool_choice": {"type": "custom", "name": "code"}"#
        let reply = try await ask(members)
        let item = try #require(reply.body["output"]?.array?.last, "\(reply.body)")
        #expect(item["type"] == "custom_tool_call" && item["name"] == "code" && reply.headers["warning"] == nil)
        #expect(Self.isCode(item["input"]?.string) && item["arguments"] == nil, "\(item)")
        #expect(item["id"]?.string?.hasPrefix("ctc_") == true && item["call_id"]?.string?.isEmpty == false)
        let format = try JSONParser.parse(Self.format)
        #expect(reply.body["tools"]?.array?.first?["format"] == format)
        #expect(reply.body["tool_choice"] == .object(["type": "custom", "name": "code"]))
        // The call and its result are read again.
        let id = reply.body["id"]?.string ?? ""
        let next = try await server.post(
            "/v1/responses",
            #"{"max_output_tokens": 4, "previous_response_id": "\#(id)", "input": [{"type": "custom_tool_call_output", "call_id": "\#(item["call_id"]?.string ?? "")", "output": "done"}]}"#
        )
        #expect(next.status == 200, "\(next.body)")
        let events = try await server.events(
            "/v1/responses",
            #"{"temperature": 0, "max_output_tokens": 80, "stream": true, "input": "What is the weather in Lisbon?", \#(members)}"#
        )
        let done = events.first { $0["type"] == "response.custom_tool_call_input.done" }
        #expect(Self.isCode(done?["input"]?.string) && done?["item_id"]?.string?.hasPrefix("ctc_") == true)
        let added = events.first { $0["item"]?["type"] == "custom_tool_call" }
        #expect(added?["item"]?["input"] == "" && added?["item"]?["status"] == "in_progress")
    }

    @Test("Chat completions have custom tools in their own shape, whole and streamed")
    func chat() async throws {
        let inner = #"{"type": "grammar", "grammar": {"syntax": "regex", "definition": "[0-9]{3}-[a-f]{2}"}}"#
        let body =
            #"{"temperature": 0, "max_tokens": 80, "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "code", "input": "123-ab"}}]}, {"role": "tool", "tool_call_id": "c", "content": "ok"}], "tools": [{"type": "custom", "custom": {"name": "code", "format": \#(inner)}}], "tool_choice": {"type": "custom", "custom": {"name": "code"}}"#
        let reply = try await server.post("/v1/chat/completions", body + "}")
        let call = try #require(
            reply.body["choices"]?.array?.first?["message"]?["tool_calls"]?.array?.first, "\(reply.body)")
        #expect(call["type"] == "custom" && call["custom"]?["name"] == "code" && call["function"] == nil)
        #expect(Self.isCode(call["custom"]?["input"]?.string) && reply.headers["warning"] == nil, "\(reply.headers)")
        let chunks = try await server.events("/v1/chat/completions", body + #", "stream": true}"#)
        let streamed = chunks.compactMap { $0["choices"]?.array?.first?["delta"]?["tool_calls"]?.array?.first }
        #expect(Self.isCode(streamed.first?["custom"]?["input"]?.string), "\(streamed)")
    }

    @Test(
        "A format that cannot be kept to is named in Warning, and refused by its name where the tool is demanded",
        arguments: [
            (#"{"type": "grammar", "syntax": "lark", "definition": "start: A"}"#, "tools[0].format"),
            (#"{"type": "grammar", "syntax": "ebnf", "definition": "a"}"#, "tools[0].format"),
            (#"{"type": "grammar", "syntax": "regex"}"#, "tools[0].format"), (#"{"type": "xml"}"#, "tools[0].format"),
            (#"{"type": "grammar", "syntax": "regex", "definition": "(a|b)\\1"}"#, "tools[0].format"),
        ])
    func formats(format: String, parameter: String) async throws {
        let tools = #""tools": [{"type": "custom", "name": "x", "format": \#(format)}, \#(Self.function)]"#
        let free = try await ask(tools)
        #expect(free.status == 200, "\(free.body)")
        #expect(free.headers["warning"]?.contains(/tools(\[0\]\.|\/0\/)format/) == true, "\(free.headers)")
        let demanded = try await ask(tools + #", "tool_choice": {"type": "custom", "name": "x"}"#)
        #expect(demanded.status == 400 && demanded.body["error"]?["param"]?.string == parameter, "\(demanded.body)")
        if format.contains("lark") { #expect(demanded.body["error"]?["code"] == "unsupported_grammar") }
    }

    @Test("The model is told of a grammar that inputs are not held to")
    func told() throws {
        let entry = try JSONParser.parse(
            #"{"type": "custom", "name": "x", "description": "Edits.", "format": {"type": "grammar", "syntax": "lark", "definition": "start: A"}}"#
        )
        let tools = try ToolList([entry])
        let description = tools.functions.first?.description ?? ""
        #expect(description.hasPrefix("Edits.") && description.contains("start: A"))
        #expect(tools.leftOut == ["tools[0].format"])
        try tools.check(.auto)
        #expect(throws: APIError.self) { try tools.check(.function("x")) }
        // Of a call that may be any tool's this one is not demanded, where there are others.
        #expect(throws: APIError.self) { try tools.check(.required) }
        let both = try ToolList([entry, .object(["type": "function", "name": "f"])])
        try both.check(.required)
    }

    @Test("The model is shown a custom tool as a function with one text, without a description where it has none")
    func definitions() throws {
        func definition(_ members: String) throws -> String {
            let tools = try ToolList([JSONParser.parse(#"{"type": "custom", "name": "x"\#(members)}"#)])
            #expect(tools.leftOut.isEmpty)
            return JSONWriter.string(try #require(tools.functions.first).tool).filter { $0 != " " }
        }
        func expected(_ description: String = "", _ pattern: String = "") -> String {
            #"{"type":"function","function":{"name":"x",\#(description)"parameters":{"type":"object","properties":{"input":{"type":"string"\#(pattern)}},"required":["input"],"additionalProperties":false}}}"#
        }
        #expect(try definition("") == expected())
        #expect(try definition(#", "description": "Edits.", "format": null"#) == expected(#""description":"Edits.","#))
        #expect(
            try definition(#", "format": {"type": "grammar", "syntax": "regex", "definition": "a|b"}"#)
                == expected("", #","pattern":"^(?:a|b)$""#))
    }

    @Test("Entries are told by their types; one without is a function or, without a name, another maker's tool")
    func entries() throws {
        func read(_ entries: String) throws -> ToolList { try ToolList(JSONParser.parse(entries).array ?? []) }
        let tools = try read(
            #"[{"type": "mcp", "name": "a"}, {"google_search": {}}, {"name": "b"}, {"function": {"name": "c"}}, {"type": "function", "name": "d"}, {"type": "custom", "name": "e"}]"#
        )
        #expect(tools.leftOut == ["tools[0].type=mcp", "tools[1].google_search"])
        #expect(tools.functions.map(\.name) == ["b", "c", "d", "e"] && tools.custom.keys.sorted() == ["e"])
        for entry in [#"{"type": null, "name": "a"}"#, #"{"type": 7, "google_search": {}}"#, "{}", "7"] {
            let error = #expect(throws: APIError.self) { try read("[\(entry)]") }
            #expect(error?.parameter == "tools[0]", "\(entry)")
        }
    }

    @Test("Allowed tools are the ones that are called")
    func allowed() async throws {
        let tools =
            #""tools": [\#(Self.function), {"type": "custom", "name": "code"}, {"type": "mcp", "server_label": "x"}]"#
        for name in ["get_weather", "code"] {
            let type = name == "code" ? "custom" : "function"
            let choice =
                #"{"type": "allowed_tools", "mode": "required", "tools": [{"type": "\#(type)", "name": "\#(name)"}, {"type": "mcp", "server_label": "x"}]}"#
            let reply = try await ask(#"\#(tools), "tool_choice": \#(choice)"#)
            let calls = (reply.body["output"]?.array ?? []).compactMap { $0["name"]?.string }
            #expect(!calls.isEmpty && Set(calls) == [name], "\(reply.body)")
            let asked = try JSONParser.parse(choice)
            #expect(reply.body["tool_choice"] == asked)
            #expect(reply.body["tools"]?.array?.count == 2)
            let warning = reply.headers["warning"] ?? ""
            #expect(warning.contains("tools[2].type=mcp") && warning.contains("tool_choice.tools[1].type=mcp"))
        }
        let none = try await ask(
            #"\#(tools), "tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": []}"#)
        #expect(none.status == 200 && none.body["output"]?.array?.allSatisfy { $0["type"] == "message" } == true)
        for (choice, parameter) in [
            (#"{"type": "allowed_tools", "mode": "some", "tools": []}"#, "tool_choice.mode"),
            (#"{"type": "allowed_tools", "mode": "auto"}"#, "tool_choice.tools"),
            (
                #"{"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "other"}]}"#,
                "tool_choice.tools[0]"
            ), (#"{"type": "allowed_tools", "mode": "required", "tools": []}"#, "tool_choice"),
        ] {
            let reply = try await ask(#"\#(tools), "tool_choice": \#(choice)"#)
            #expect(reply.status == 400 && reply.body["error"]?["param"]?.string == parameter, "\(reply.body)")
        }
        let chat = try await server.post(
            "/v1/chat/completions",
            #"{"temperature": 0, "max_tokens": 80, "messages": [{"role": "user", "content": "Hi"}], "tools": [{"type": "function", "function": {"name": "f"}}, {"type": "function", "function": {"name": "g"}}], "tool_choice": {"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": [{"type": "function", "function": {"name": "g"}}]}}}"#
        )
        let names = (chat.body["choices"]?.array?.first?["message"]?["tool_calls"]?.array ?? [])
            .compactMap { $0["function"]?["name"]?.string }
        #expect(!names.isEmpty && Set(names) == ["g"], "\(chat.body)")
    }
}

import LeapCore
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

@Suite(.inTurns)
struct KnownMembersTests {
    private func ignored(_ members: String) throws -> [String] {
        try ChatRequest(Array("{\(members)}".utf8)).order.ignored
    }

    @Test("Members inside of fields that have no effect are named with their places, each kind once")
    func nested() throws {
        let found = try ignored(
            #"""
            "messages": [
                {"role": "system", "content": [{"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral"}}]},
                {"role": "user", "content": [
                    {"type": "text", "text": "Hi", "cache_control": {"type": "ephemeral"}}], "weight": 0, "tags": null},
                {"role": "assistant", "content": "Hello!", "weight": 1, "refusal": null, "annotations": []},
                {"role": "user", "content": "And?"}
            ],
            "tools": [{"type": "function", "cache_control": {"a": 1}, "function": {
                "name": "f", "parameters": {"type": "object", "x-order": 3}, "strict": false, "returns": {"type": "string"}}}],
            "tool_choice": {"type": "function", "function": {"name": "f", "mode": "fast"}},
            "response_format": {"type": "text", "indent": 2},
            "stream_options": {"include_usage": true, "include_obfuscation": false}
            """#)
        // Some are told by the reader of a field too; the header has each once.
        #expect(
            Set(found) == [
                "stream_options.include_obfuscation", "messages[0].content[0].cache_control", "messages[1].weight",
                "tools[0].cache_control", "tools[0].function.returns", "response_format.indent",
                "tool_choice.function.mode",
            ])
    }

    @Test("A message as the server sends it, and what clients always send, is named nowhere")
    func silent() throws {
        let found = try ignored(
            #"""
            "messages": [
                {"role": "user", "content": [
                    {"type": "text", "text": "Hi"}, {"type": "text", "text": "there"}], "name": "Ana"},
                {"role": "assistant", "content": "", "refusal": null, "audio": null, "function_call": null, "annotations": [],
                    "reasoning_content": "Well.",
                    "tool_calls": [{"id": "call_1", "index": 0, "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
                {"role": "tool", "tool_call_id": "call_1", "content": "3"}
            ],
            "tools": [{"type": "function", "function": {"name": "f", "description": "", "parameters": {}}}],
            "response_format": {"type": "json_schema", "json_schema": {"name": "x", "strict": true, "schema": {"type": "object"}}}
            """#)
        #expect(found.isEmpty, "\(found)")
    }

    @Test("The number of places is bounded, whatever the request")
    func bounded() throws {
        let members = (0..<1000).map { "\"m\($0)\": 1" }.joined(separator: ", ")
        let found = try ignored(#""messages": [{"role": "user", "content": "Hi", \#(members)}]"#)
        #expect(found.count == 64)
    }

    @Test("They reach the header, in all protocols")
    func header() async throws {
        let server = try ServingSupport.server()
        for (path, body, name) in [
            (
                "/v1/chat/completions",
                #"{"max_tokens": 1, "messages": [{"role": "user", "content": "Hi", "weight": 1}]}"#,
                "messages[0].weight"
            ),
            (
                "/v1/responses",
                #"{"max_output_tokens": 1, "input": [{"role": "user", "content": "Hi", "weight": 1}]}"#,
                "input[0].weight"
            ),
            (
                "/api/chat",
                #"{"stream": false, "options": {"num_predict": 1}, "messages": [{"role": "user", "content": "Hi", "weight": 1}]}"#,
                "messages[0].weight"
            ),
        ] {
            let reply = try await server.post(path, body)
            #expect(reply.status == 200)
            #expect(reply.headers["warning"] == #"299 open-leap "without effect: \#(name)""#, "\(path)")
        }
    }

    @Test("A schema beside json_object is one that the reply follows")
    func schemaOfObject() throws {
        let body =
            #"{"messages": [{"role": "user", "content": "Hi"}], "response_format": {"type": "json_object", "schema": {"type": "object", "required": ["a"]}}}"#
        let request = try ChatRequest(Array(body.utf8))
        #expect(request.order.options.first?.jsonSchemaConstraint == #"{"type":"object","required":["a"]}"#)
        #expect(request.order.ignored.isEmpty)
    }
}

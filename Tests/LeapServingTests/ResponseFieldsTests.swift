import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// The fields of a response beside its output.
@Suite(.inTurns)
struct ResponseFieldsTests {
    private func ask(_ members: String) async throws -> WholeReply {
        try await ServingSupport.server().post(
            "/v1/responses",
            #"{"temperature": 0, "max_output_tokens": 20, "input": "What is the capital of Portugal?"\#(members)}"#)
    }

    @Test("Every field of the protocol is there, with the value that was used")
    func fields() async throws {
        let schema = APIDescription.document(of: try ServingSupport.server().table, page: [:])["components"]?["schemas"]
        let required = try #require(schema?["Response"]?["required"]?.array).compactMap(\.string)
        let plain = try await ask("")
        for name in required { #expect(plain.body.object?.keys.contains(name) == true, "\(name)") }
        #expect(plain.body["temperature"] == .integer(0) && plain.body["max_output_tokens"] == .integer(20))
        #expect((plain.body["top_p"]?.double ?? 0) > 0 && plain.body["text"]?["format"]?["type"] == "text")
        #expect(plain.body["truncation"] == "disabled" && plain.body["reasoning"]?["effort"] == .null)
        #expect(plain.body["completed_at"]?.integer != nil && plain.headers["warning"] == nil, "\(plain.headers)")
        let full = try await ask(
            #", "top_p": 0.5, "presence_penalty": 0.25, "frequency_penalty": 0.5, "truncation": "auto", "prompt_cache_key": "k", "safety_identifier": "s", "metadata": {"a": "b"}, "reasoning": {"effort": "none"}, "text": {"format": {"type": "json_schema", "name": "n", "schema": {"const": 7}}}, "max_tool_calls": 3"#
        )
        #expect(full.body["top_p"] == .double(0.5) && full.body["presence_penalty"] == .double(0.25))
        #expect(full.body["frequency_penalty"] == .double(0.5) && full.body["truncation"] == "auto")
        #expect(full.body["prompt_cache_key"] == "k" && full.body["safety_identifier"] == "s")
        #expect(full.body["reasoning"]?["effort"] == "none" && full.body["metadata"]?["a"] == "b")
        #expect(full.body["text"]?["format"]?["name"] == "n")
        #expect(full.body["output"]?.array?.first?["content"]?.array?.first?["text"] == "7", "\(full.body)")
        // What is not done is told as not done, and named.
        #expect(full.body["background"] == .bool(false) && full.body["max_tool_calls"] == .null)
        #expect(full.headers["warning"]?.contains("max_tool_calls") == true)
        let bad = try await ask(#", "truncation": "some""#)
        #expect(bad.status == 400 && bad.body["error"]?["param"] == "truncation")
    }

    @Test("Functions are repeated with all their members, and a demanded one by its name beside the type")
    func tools() async throws {
        let reply = try await ask(
            #", "tools": [{"type": "function", "name": "f", "strict": true, "parameters": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}}, {"type": "function", "name": "g"}], "tool_choice": {"type": "function", "name": "f"}"#
        )
        let tools = try #require(reply.body["tools"]?.array, "\(reply.body)")
        for tool in tools {
            #expect(Set(tool.object?.keys ?? []) == ["type", "name", "description", "parameters", "strict"], "\(tool)")
        }
        #expect(tools.map { $0["strict"] } == [.bool(true), .bool(false)])
        #expect(reply.body["tool_choice"] == .object(["type": "function", "name": "f"]))
    }

    @Test("Log probabilities come where they are included, streamed too")
    func logprobs() async throws {
        let include = #", "include": ["message.output_text.logprobs"], "top_logprobs": 2"#
        let reply = try await ask(include)
        let part = try #require(reply.body["output"]?.array?.first?["content"]?.array?.first)
        let logprobs = try #require(part["logprobs"]?.array)
        #expect(logprobs.count > 3 && logprobs.allSatisfy { $0["top_logprobs"]?.array?.count == 2 }, "\(part)")
        #expect(reply.body["top_logprobs"] == .integer(2))
        let none = try await ask(#", "top_logprobs": 2"#)
        #expect(none.status == 200 && none.body["top_logprobs"] == .integer(0))
        #expect(try await ask(#", "top_logprobs": 21"#).status == 400)
        let body = try await ServingSupport.server().reply(
            to: ServerRequest(
                method: "POST", path: "/v1/responses",
                body: Array(
                    #"{"stream": true, "temperature": 0, "max_output_tokens": 20, "input": "What is the capital of Portugal?"\#(include)}"#
                        .utf8))
        ).collectText()
        let done = try body.split(separator: "\n").filter { $0.hasPrefix("data: {") }
            .map { try JSONParser.parse(String($0.dropFirst(6))) }
            .first { $0["type"] == "response.output_text.done" }
        #expect(done?["logprobs"]?.array?.count == logprobs.count)
    }

    @Test("A prompt that does not fit is refused, or loses its oldest turns where that is allowed")
    func truncation() async throws {
        var configuration = ModelPool.Configuration()
        configuration.contextSize = 256
        let server = try ServingSupport.server(nil, configuration)
        let turns = (0..<12).map {
            #"{"role": "user", "content": "Tell me the number \#($0) in words, please, and nothing else."}, {"role": "assistant", "content": "It is \#($0)."}"#
        }
        let input = #""input": [\#(turns.joined(separator: ", ")), {"role": "user", "content": "Hi"}]"#
        let refused = try await server.post("/v1/responses", #"{"max_output_tokens": 8, \#(input)}"#)
        #expect(refused.status == 400 && refused.body["error"]?["code"] == "context_length_exceeded", "\(refused.body)")
        let trimmed = try await server.post(
            "/v1/responses", #"{"max_output_tokens": 8, "truncation": "auto", \#(input)}"#)
        #expect(trimmed.status == 200, "\(trimmed.body)")
    }

    @Test("What is to be included is named by strings; other names have no effect, and a warning says so")
    func include() async throws {
        let server = try ServingSupport.server()
        let refused = try await server.post("/v1/responses", #"{"input": "Hi", "include": [{}]}"#)
        #expect(refused.status == 400 && refused.body["error"]?["param"] == "include[0]", "\(refused.body)")
        let reply = try await server.post(
            "/v1/responses", #"{"input": "Hi", "max_output_tokens": 4, "include": ["file_search_call.results"]}"#)
        #expect(reply.status == 200 && reply.headers["warning"]?.contains("include[0]") == true, "\(reply.headers)")
    }

    @Test(
        "Calls and what answers them are told apart by strings",
        arguments: [
            (#"{"type": "function_call", "name": "f", "arguments": "{}", "call_id": {}}"#, "expected a string"),
            (#"{"type": "function_call_output", "output": "1", "call_id": 7}"#, "expected a string"),
            (#"{"type": "function_call_output", "output": "1"}"#, "has no 'call_id'"),
        ])
    func callIdentifiers(item: String, told: String) async throws {
        let server = try ServingSupport.server()
        for (path, field) in [("/v1/responses", "input"), ("/v1/conversations", "items")] {
            let reply = try await server.post(path, #"{"\#(field)": [\#(item)]}"#)
            let error = reply.body["error"]
            #expect(reply.status == 400 && error?["message"]?.string?.contains(told) == true, "\(reply.body)")
            #expect(error?["param"]?.string?.hasPrefix("\(field)[0]") == true, "\(reply.body)")
        }
    }

    @Test("There is no way to make a response shorter")
    func compact() async throws {
        let reply = try await ServingSupport.server().post("/v1/responses/compact", #"{"input": "Hi"}"#)
        #expect(reply.status == 404, "\(reply.body)")
    }
}

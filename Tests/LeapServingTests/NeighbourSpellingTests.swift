import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// The names that other servers have for what is here, too.
@Suite(.inTurns)
struct NeighbourSpellingTests {
    /// One model for all cases.
    private static let shared = Result { try ServingSupport.server() }
    private static let schema =
        #"{"type": "object", "properties": {"city": {"type": "string", "maxLength": 12}}, "required": ["city"], "additionalProperties": false}"#
    private static let question =
        #""temperature": 0, "max_tokens": 40, "messages": [{"role": "user", "content": "What is the capital of Portugal?"}]"#

    @Test(
        "A schema is kept to, whatever it is called",
        arguments: [
            #""response_format": {"type": "json_object", "value": SCHEMA}"#,
            #""response_format": {"type": "json", "value": SCHEMA}"#, #""json_schema": SCHEMA"#,
            #""response_format": {"type": "json_object", "schema": SCHEMA}"#, #""guided_json": SCHEMA"#,
        ])
    func schemas(member: String) async throws {
        let reply = try await Self.shared.get().post(
            "/v1/chat/completions", "{\(Self.question), \(member.replacing("SCHEMA", with: Self.schema))}")
        let text = reply.body["choices"]?.array?.first?["message"]?["content"]?.string ?? ""
        #expect((try? JSONParser.parse(text))?.object?.keys == ["city"], "\(reply.body)")
        #expect(reply.headers["warning"] == nil)
    }

    @Test("A regular expression may stand in a format")
    func regex() async throws {
        let reply = try await ServingSupport.server().post(
            "/v1/chat/completions", #"{\#(Self.question), "response_format": {"type": "regex", "value": "[a-c]{4}"}}"#)
        let text = reply.body["choices"]?.array?.first?["message"]?["content"]?.string ?? ""
        #expect(text.wholeMatch(of: /[a-c]{4}/) != nil, "\(reply.body)")
        let wrong = try await ServingSupport.server().post(
            "/v1/chat/completions", #"{\#(Self.question), "response_format": {"type": "regex", "value": 3}}"#)
        #expect(wrong.status == 400 && wrong.body["error"]?["param"] == "response_format")
    }

    @Test("llama.cpp's limit of tokens counts")
    func limit() async throws {
        let reply = try await ServingSupport.server().post(
            "/v1/chat/completions",
            #"{"temperature": 0, "n_predict": 3, "messages": [{"role": "user", "content": "Hello"}]}"#)
        #expect(reply.body["usage"]?["completion_tokens"]?.integer ?? 9 <= 3 && reply.headers["warning"] == nil)
    }

    @Test("The tokens of a response's prompt are counted as they are computed")
    func inputTokens() async throws {
        let server = try ServingSupport.server()
        let tool =
            #"{"type": "function", "name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}"#
        for members in [
            #""input": "What is the capital of Portugal?", "instructions": "Be brief.""#,
            #""input": [{"role": "user", "content": "Hi"}], "tools": [\#(tool)]"#,
            #""input": "Hi", "tools": [\#(tool)], "tool_choice": "none""#,
            #""input": "Hi", "reasoning": {"effort": "high"}"#,
        ] {
            let count = try await server.post("/v1/responses/input_tokens", "{\(members)}")
            let whole = try await server.post("/v1/responses", #"{"max_output_tokens": 1, \#(members)}"#)
            #expect(count.status == 200 && count.body["object"] == "response.input_tokens", "\(count.body)")
            #expect(count.body["input_tokens"] == whole.body["usage"]?["input_tokens"], "\(members)")
            // A response that goes on from another has that in its prompt.
            let id = whole.body["id"]?.string ?? ""
            let next = try await server.post(
                "/v1/responses/input_tokens", #"{"input": "And?", "previous_response_id": "\#(id)"}"#)
            #expect(next.body["input_tokens"]?.integer ?? 0 > 8)
        }
        let other = await server.reply(to: ServerRequest(method: "POST", path: "/v1/responses/compact"))
        #expect(other.status == 404)
    }

    @Test("Ollama's replies have log probabilities where they are asked for, whole and line by line")
    func ollamaLogprobs() async throws {
        let server = try ServingSupport.server()
        for (path, asked) in [
            ("/api/chat", #""messages": [{"role": "user", "content": "What is the capital of Portugal?"}]"#),
            ("/api/generate", #""prompt": "What is the capital of Portugal?""#),
        ] {
            let body =
                #"{\#(asked), "logprobs": true, "top_logprobs": 2, "options": {"temperature": 0, "num_predict": 6}, "stream": "#
            let whole = try await server.post(path, body + "false}")
            let tokens = try #require(whole.body["logprobs"]?.array, "\(whole.body)")
            #expect(!tokens.isEmpty && tokens.allSatisfy { $0["top_logprobs"]?.array?.count == 2 })
            #expect(whole.headers["warning"] == nil)
            let reply = await server.reply(
                to: ServerRequest(method: "POST", path: path, body: Array((body + "true}").utf8)))
            let lines = try await reply.collectText().split(separator: "\n").map { try JSONParser.parse(String($0)) }
            let streamed = lines.flatMap { $0["logprobs"]?.array ?? [] }.compactMap { $0["token"]?.string }
            let all = tokens.compactMap { $0["token"]?.string }
            #expect(!streamed.isEmpty && Array(all.prefix(streamed.count)) == streamed, "\(streamed) of \(all)")
            let without = try await server.post(path, "{\(asked), \"stream\": false}")
            #expect(without.body["logprobs"] == nil)
        }
    }
}

import LeapCore
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

@Suite(.inTurns)
struct ChatCompletionsTests {
    private func post(_ body: String) async throws -> WholeReply {
        try await ServingSupport.server().post("/v1/chat/completions", body)
    }

    @Test("A question is answered, and its tokens are counted")
    func answer() async throws {
        let reply = try await post(
            #"{"model": "demo", "temperature": 0, "messages": [{"role": "user", "content": "What is the capital of Portugal?"}]}"#
        )
        #expect(reply.status == 200)
        let choice = try #require(reply.body["choices"]?.array?.first)
        #expect(choice["message"]?["content"]?.string?.contains("Lisbon") == true)
        #expect(choice["finish_reason"] == "stop")
        #expect((reply.body["usage"]?["completion_tokens"]?.integer ?? 0) > 3)
        #expect(reply.headers["warning"] == nil)
    }

    @Test("A field without effect is named in a header")
    func ignored() async throws {
        let reply = try await post(
            #"{"model": "demo", "max_tokens": 1, "cache_prompt": false, "verbosity_level": 1, "messages": [{"role": "user", "content": "Hi"}]}"#
        )
        #expect(reply.headers["warning"] == #"299 open-leap "without effect: verbosity_level, cache_prompt""#)
        #expect(reply.body["choices"]?.array?.first?["finish_reason"] == "length")
    }

    @Test(
        "A request that is not as it has to be is refused, with the field's name",
        arguments: [
            (#"[]"#, 400, ""), (#"{"#, 400, ""), (#"{"messages": []}"#, 400, "messages"),
            (#"{"messages": [{"role": "user"}], "max_tokens": 0}"#, 400, "max_tokens"),
            (#"{"messages": [{"role": "nobody", "content": ""}]}"#, 400, "messages[0]"),
            (#"{"messages": [{"role": "user", "content": "Hi"}], "model": "../../etc/passwd"}"#, 404, ""),
            (#"{"messages": [{"role": "user", "content": "Hi"}], "tools": [3]}"#, 400, "tools[0]"),
            (
                #"{"messages": [{"role": "user", "content": [{"type": "text", "text": "What is it?"}, {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}]}]}"#,
                400, "messages[0].content[1]"
            ),
            (
                #"{"messages": [{"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "", "format": "wav"}}]}]}"#,
                400, "messages[0].content[0]"
            ),
            (#"{"messages": [{"role": "user", "content": "Hi", "name": 3}]}"#, 400, "messages[0].name"),
            (
                #"{"messages": [{"role": "user", "content": "Hi"}], "reasoning_effort": "very"}"#, 400,
                "reasoning_effort"
            ),
            (
                #"{"messages": [{"role": "user", "content": "Hi"}], "tools": [{"type": "function", "function": {"name": "f"}}, {"type": "function", "function": {"name": "f"}}]}"#,
                400, "tools"
            ),
            (
                #"{"messages": [{"role": "user", "content": "Hi"}], "response_format": {"type": "xml"}}"#, 400,
                "response_format"
            ),
        ])
    func refused(body: String, status: Int, parameter: String) async throws {
        let reply = try await post(body)
        #expect(reply.status == status)
        let error = try #require(reply.body["error"])
        #expect(error["message"]?.string?.isEmpty == false)
        #expect(error["param"]?.string ?? "" == parameter)
    }

    @Test("Log probabilities are those of the reply's tokens, each with as many others as were asked for")
    func logprobs() async throws {
        let reply = try await post(
            #"{"logprobs": true, "top_logprobs": 2, "temperature": 0, "messages": [{"role": "user", "content": "What is the capital of Portugal?"}]}"#
        )
        let choice = try #require(reply.body["choices"]?.array?.first)
        let tokens = try #require(choice["logprobs"]?["content"]?.array)
        #expect(tokens.count == reply.body["usage"]?["completion_tokens"]?.integer)
        let bytes = tokens.flatMap { $0["bytes"]?.array ?? [] }.compactMap(\.integer).map { UInt8($0) }
        #expect(String(decoding: bytes, as: UTF8.self) == choice["message"]?["content"]?.string)
        for token in tokens {
            #expect(token["top_logprobs"]?.array?.count == 2)
            #expect(token["top_logprobs"]?.array?.first?["token"] == token["token"])
            #expect((token["logprob"]?.double ?? 1) <= 0)
        }
    }

    @Test("Without parallel calls there is one call, where the grammar of calls would go on with others")
    func parallelCalls() async throws {
        func calls(_ arguments: String) async throws -> Int? {
            let reply = try await post(
                #"{"messages": [{"role": "user", "content": "Hi"}], "tools": [{"type": "function", "function": {"name": "f"}}], "tool_choice": "required", "seed": 1, "temperature": 100, "top_k": 0, "top_p": 1, "min_p": 0, "max_tokens": 200, \#(arguments)"n": 8}"#
            )
            return reply.body["choices"]?.array?.compactMap { $0["message"]?["tool_calls"]?.array?.count }.max()
        }
        #expect(try await calls(#""parallel_tool_calls": false, "#) == 1)
        #expect(try await calls(#""parallel_tool_calls": true, "#) ?? 0 > 1)
        #expect(try await calls("") ?? 0 > 1)
    }

    @Test("How much a model thinks is a variable of its template, and asking for none turns it off")
    func effort() throws {
        func options(_ effort: String, _ more: String = "") throws -> GenerationOptions? {
            try ChatRequest(
                Array(
                    #"{"messages": [{"role": "user", "content": "Hi"}], "reasoning_effort": "\#(effort)"\#(more)}"#.utf8
                )
            ).order.options.first
        }
        #expect(try options("high")?.enableThinking == true && options("none")?.enableThinking == false)
        #expect(try options("low")?.further.templateArguments["reasoning_effort"] == "low")
        let other = try options("low", #", "chat_template_kwargs": {"enable_thinking": false}"#)
        #expect(other?.enableThinking == false && other?.further.templateArguments["reasoning_effort"] != nil)
    }

    @Test("More replies than may wait are refused with the status and the header that tell clients to try again")
    func queueFull() async throws {
        var configuration = ModelPool.Configuration()
        configuration.extras.maxActiveGenerations = 1
        configuration.extras.maxQueuedGenerations = 1
        let server = try ServingSupport.server(nil, configuration)
        let body =
            #"{"n": 8, "regex": "[a-z ]{300}", "messages": [{"role": "user", "content": "Tell me a story."}]}"#
        let reply = try await server.post("/v1/chat/completions", body)
        #expect(reply.status == 429)
        #expect(reply.headers["retry-after"] == "1")
        #expect(reply.body["error"]?["type"] == "rate_limit_error")
    }
}

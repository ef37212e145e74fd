import LeapCore
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// Text completions: prompts as texts and tokens, echoes, log probabilities.
@Suite(.inTurns)
struct TextCompletionsTests {
    private static func complete(_ body: String) async throws -> WholeReply {
        try await ServingSupport.server().post("/v1/completions", "{\"model\":\"demo\",\"temperature\":0,\(body)}")
    }

    private static func choices(_ reply: WholeReply) -> [JSONObject] {
        reply.body.object?["choices"]?.array?.compactMap(\.object) ?? []
    }

    private static func tokens(_ text: String) async throws -> [Int] {
        let reply = try await ServingSupport.server().post(
            "/tokenize", JSONWriter.string(.object(["content": .string(text), "add_special": .bool(true)])))
        return reply.body.object?["tokens"]?.array?.compactMap(\.integer) ?? []
    }

    private static func numbers(_ choice: JSONObject, _ name: String) -> [Double?] {
        choice["logprobs"]?.object?[name]?.array?.map(\.double) ?? []
    }

    @Test("The tokens of a text are a prompt as the text is, alone and among others")
    func tokenPrompts() async throws {
        let tokens = try await Self.tokens("The capital of")
        try #require(tokens.count > 2)
        let text = Self.choices(try await Self.complete(#""prompt":"The capital of","max_tokens":6"#))
        let one = Self.choices(try await Self.complete("\"prompt\":\(tokens),\"max_tokens\":6"))
        let two = Self.choices(try await Self.complete("\"prompt\":[\(tokens),\(tokens)],\"max_tokens\":6"))
        #expect(text.count == 1 && text[0]["text"]?.string?.isEmpty == false)
        #expect(one.map { $0["text"] } == text.map { $0["text"] })
        #expect(two.map { $0["text"] } == [text[0]["text"], text[0]["text"]])
    }

    @Test("An echo with log probabilities scores the prompt, alone where no token is asked for")
    func echoes() async throws {
        let prompt = "The capital of France is Paris. Ünïcode 😀."
        let alone = try await Self.complete("\"prompt\":\"\(prompt)\",\"echo\":true,\"logprobs\":2,\"max_tokens\":0")
        let choice = try #require(Self.choices(alone).first)
        #expect(choice["text"]?.string == prompt && choice["finish_reason"] == "length")
        let logprobs = Self.numbers(choice, "token_logprobs")
        #expect(logprobs.count > 5 && logprobs.allSatisfy { ($0 ?? -1) <= 0 })
        let lists = choice["logprobs"]?.object
        #expect(lists?["tokens"]?.array?.count == logprobs.count)
        #expect(lists?["top_logprobs"]?.array?.allSatisfy { (2...3).contains($0.object?.members.count ?? 2) } == true)
        let offsets = Self.numbers(choice, "text_offset").map { Int($0 ?? -1) }
        #expect(offsets.first == 0 && offsets == offsets.sorted() && (offsets.last ?? 99) < prompt.unicodeScalars.count)
        #expect(alone.body.object?["usage"]?.object?["completion_tokens"]?.integer == 0)
        // The same as the score of the text, token by token.
        let lease = try await ServingSupport.pool([ServingSupport.demo()]).lease("demo")
        let score = try await lease.runner.score(prompt, topLogprobs: 0)
        let known = logprobs.suffix(score.tokens.count).compactMap { $0.map { Float($0) } }
        #expect(zip(known, score.tokens).allSatisfy { abs($0 - $1.logprob) < 1e-5 })

        let whole = try await Self.complete(
            "\"prompt\":\"\(prompt)\",\"echo\":true,\"logprobs\":0,\"max_tokens\":2,\"ignore_eos\":true")
        let more = try #require(Self.choices(whole).first)
        #expect(more["text"]?.string?.hasPrefix(prompt) == true)
        #expect(Self.numbers(more, "token_logprobs").count == logprobs.count + 2)
        #expect(zip(Self.numbers(more, "token_logprobs"), logprobs).allSatisfy { $0 == $1 })
    }

    @Test("The token that ends a reply has its log probability, so that a token comes for each that is asked for")
    func ends() async throws {
        // The demo model has nothing to say behind an answer that is whole.
        let tokens = try await Self.tokens("<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello!<|im_end|>")
        let start = try #require(tokens.last)
        let reply = try await Self.complete(
            "\"prompt\":\(tokens),\"echo\":true,\"logprobs\":1,\"max_tokens\":1,\"logit_bias\":{\"\(start)\":100}")
        let choice = try #require(Self.choices(reply).first)
        #expect(choice["finish_reason"] == "stop")
        #expect(Self.numbers(choice, "token_logprobs").count == tokens.count + 1)
        #expect(choice["logprobs"]?.object?["tokens"]?.array?.last == "<|im_end|>")
    }

    @Test("An echo without log probabilities is the prompt in front of the reply, of a text and of tokens")
    func plainEcho() async throws {
        let tokens = try await Self.tokens("The capital of")
        let plain = try #require(
            Self.choices(try await Self.complete(#""prompt":"The capital of","max_tokens":2"#)).first?["text"]?.string)
        for prompt in ["\"The capital of\"", "\(tokens)"] {
            let reply = try await Self.complete("\"prompt\":\(prompt),\"echo\":true,\"max_tokens\":2")
            let choice = try #require(Self.choices(reply).first)
            #expect(choice["text"]?.string?.hasSuffix("The capital of" + plain) == true && choice["logprobs"] == .null)
        }
        let unknown = try await Self.complete(#""prompt":[99999999],"echo":true"#)
        #expect(unknown.status == 400 && unknown.body["error"]?["message"]?.string?.contains("99999999") == true)
    }

    @Test("Log probabilities of a reply alone begin with its first token, in streams at its end")
    func replies() async throws {
        let choice = try #require(
            Self.choices(try await Self.complete(#""prompt":"One, two,","logprobs":1,"max_tokens":3"#)).first)
        #expect(Self.numbers(choice, "token_logprobs").count == 3)
        #expect(Self.numbers(choice, "text_offset").first == 0)
        let stream = try await ServingSupport.server().reply(
            to: ServerRequest(
                method: "POST", path: "/v1/completions",
                body: Array(
                    #"{"prompt":"One, two,","echo":true,"logprobs":1,"max_tokens":0,"stream":true}"#.utf8)))
        let text = try await stream.collectText()
        #expect(
            text.contains("\"text\":\"One, two,\"") && text.contains("token_logprobs")
                && text.hasSuffix("data: [DONE]\n\n"))
    }

    @Test(
        "Prompts and numbers that cannot be taken are refused by name",
        arguments: [
            (#""prompt":[]"#, "prompt"), (#""prompt":[[]]"#, "prompt"), (#""prompt":[1,"a"]"#, "prompt"),
            (#""prompt":[1.5]"#, "prompt"), (#""prompt":"a","logprobs":21"#, "logprobs"),
            (#""prompt":"a","max_tokens":0"#, "max_tokens"), (#""prompt":"a","logit_bias":{"x":1}"#, "logit_bias"),
            (#""prompt":"a","logit_bias":{"1":101}"#, "logit_bias"), (#""prompt":"a","min_tokens":-1"#, "min_tokens"),
        ])
    func refused(body: String, field: String) async throws {
        let reply = try await Self.complete(body)
        #expect(reply.status == 400 && reply.body["error"]?["param"]?.string == field, "\(reply.body)")
    }

    @Test("A token that is not in the vocabulary is named")
    func unknownTokens() async throws {
        for body in [#""prompt":[99999999]"#, #""prompt":"a","logit_bias":{"99999999":1}"#] {
            let reply = try await Self.complete(body)
            #expect(reply.status == 400, "\(reply.body)")
            #expect(reply.body["error"]?["message"]?.string?.contains("99999999") == true, "\(reply.body)")
        }
    }

    @Test("Biases, and ends that are put off, change which tokens come")
    func tokenRules() async throws {
        func reply(_ more: String) async throws -> (text: String, count: Int) {
            let reply = try await Self.complete("\"prompt\":\"One, two, three,\",\"max_tokens\":8\(more)")
            let choice = try #require(Self.choices(reply).first)
            return (
                choice["text"]?.string ?? "",
                reply.body.object?["usage"]?.object?["completion_tokens"]?.integer ?? 0
            )
        }
        let plain = try await reply("")
        let listed = try await Self.complete(#""prompt":"One, two, three,","max_tokens":1,"logprobs":0"#)
        let first = try #require(
            Self.choices(listed).first?["logprobs"]?.object?["tokens"]?.array?.first?.string)
        #expect(plain.text.hasPrefix(first))
        let banned = try await reply(",\"logit_bias\":[[\"\(first)\",false]]")
        #expect(!banned.text.hasPrefix(first))
        let four = try await Self.tokens(" four")
        let forced = try await reply(",\"logit_bias\":{\"\(four[four.count - 1])\":100}")
        #expect(forced.text != plain.text)
        // A chat answer ends by itself after a few tokens, unless it may not.
        let server = try ServingSupport.server()
        func chat(_ more: String) async throws -> Int {
            let reply = try await server.post(
                "/v1/chat/completions",
                "{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}],\"temperature\":0,\"max_tokens\":60\(more)}")
            return reply.body.object?["usage"]?.object?["completion_tokens"]?.integer ?? 0
        }
        let short = try await chat("")
        #expect(short < 60)
        #expect(try await chat(",\"min_tokens\":\(short + 5)") >= short + 5)
        #expect(try await chat(",\"ignore_eos\":true") == 60)
        // A form ends where it ends.
        #expect(try await chat(",\"ignore_eos\":true,\"regex\":\"(yes|no)\"") < 10)
    }
}

import LeapCore
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// The limit of thoughts, in the words of each protocol.
@Suite(.inTurns)
struct ThinkingFieldTests {
    private static let question =
        #"{"role": "user", "content": "Tom has 3 apples and gets 4 more. How many apples does Tom have?"}"#

    private func chat(_ members: String) throws -> GenerationOptions {
        let body = #"{"messages": [\#(Self.question)], \#(members)}"#
        return try #require(try ChatRequest(Array(body.utf8)).order.options.first)
    }

    private func messages(_ members: String) throws -> GenerationOptions {
        let body = #"{"max_tokens": 9, "messages": [\#(Self.question)], \#(members)}"#
        return try MessagesRequest(Array(body.utf8)).order.options[0]
    }

    private func ollama(_ think: String) throws -> GenerationOptions {
        var fields = try RequestFields(Array("{\"think\": \(think)}".utf8))
        return try OllamaOptions(&fields, hasFunctions: false).options
    }

    @Test("Each name is the limit, the first one counts, and -1 is none")
    func names() throws {
        for name in ["reasoning_budget_tokens", "thinking_budget_tokens", "thinking_token_budget", "thinking_budget"] {
            #expect(try chat("\"\(name)\": 7").thinkingBudget == 7)
            #expect(try chat("\"\(name)\": -1").thinkingBudget == nil)
        }
        #expect(try chat(#""thinking_budget": 7, "reasoning_budget_tokens": 5"#).thinkingBudget == 5)
        #expect(try chat(#""chat_template_kwargs": {"thinking_budget": 6}"#).thinkingBudget == 6)
        #expect(try chat(#""reasoning_budget_message": "Enough.""#).thinkingBudgetMessage == "Enough.")
        #expect(try chat(#""reasoning_budget_message": """#).thinkingBudgetMessage == "")
        #expect(try messages(#""thinking": {"type": "enabled", "budget_tokens": 2000}"#).thinkingBudget == 2000)
        #expect(try ollama("64").thinkingBudget == 64)
        #expect(try ollama("64").enableThinking && !ollama("0").enableThinking)
    }

    @Test("Effort is a share of the reply, which a limit in tokens replaces")
    func effort() throws {
        #expect(try chat(#""reasoning_effort": "low""#).further.thinkingShare == 0.125)
        #expect(try chat(#""reasoning_effort": "none""#).further.thinkingShare == nil)
        #expect(try chat(#""reasoning_effort": "low", "thinking_budget": 9"#).thinkingBudget == 9)
        let lifted = try chat(#""reasoning_effort": "low", "thinking_budget": -1"#)
        #expect(lifted.thinkingBudget == nil && lifted.further.thinkingShare == nil)
        #expect(try ollama("\"high\"").further.thinkingShare == 0.5)
        #expect(try messages(#""output_config": {"effort": "medium"}"#).further.thinkingShare == 0.25)
    }

    @Test("The message has at most 4096 bytes")
    func longMessage() throws {
        let most = String(repeating: "a", count: 4096)
        #expect(try chat("\"reasoning_budget_message\": \"\(most)\"").thinkingBudgetMessage == most)
        #expect { try chat("\"reasoning_budget_message\": \"\(most)a\"") } throws: {
            ($0 as? APIError)?.message.contains("reasoning_budget_message") == true
        }
    }

    @Test("What is no number of tokens is refused, with the field's name")
    func malformed() {
        for value in ["-2", "1.5", "\"many\"", "true"] {
            for name in ["reasoning_budget_tokens", "thinking_token_budget", "thinking_budget"] {
                #expect { try chat("\"\(name)\": \(value)") } throws: {
                    ($0 as? APIError)?.message.contains(name) == true
                }
            }
            #expect { try chat("\"chat_template_kwargs\": {\"thinking_budget\": \(value)}") } throws: {
                ($0 as? APIError)?.message.contains("chat_template_kwargs.thinking_budget") == true
            }
            #expect { try messages("\"thinking\": {\"type\": \"enabled\", \"budget_tokens\": \(value)}") } throws: {
                ($0 as? APIError)?.message.contains("thinking.budget_tokens") == true
            }
        }
        #expect { try ollama("-2") } throws: { ($0 as? APIError)?.message.contains("think") == true }
    }

    @Test("A limit ends the reasoning, no mark of which is in the answer, and the usage tells it")
    func effect() async throws {
        func reply(_ members: String) async throws -> WholeReply {
            try await ServingSupport.server().post(
                "/v1/chat/completions",
                #"{"temperature": 0, "max_tokens": 60, "chat_template_kwargs": {"enable_thinking": true}, "messages": [\#(Self.question)]\#(members)}"#
            )
        }
        let free = try await reply("")
        let details = try #require(free.body["usage"]?["completion_tokens_details"])
        #expect((details["reasoning_tokens"]?.integer ?? 0) > 2 && details["reasoning_cut"] == nil)
        let tight = try await reply(#", "thinking_token_budget": 1"#)
        let cut = try #require(tight.body["usage"]?["completion_tokens_details"])
        #expect(cut["reasoning_tokens"]?.integer == 1 && cut["reasoning_cut"]?.bool == true)
        let text = tight.body["choices"]?.array?.first?["message"]?["content"]?.string ?? ""
        #expect(!text.contains("think>") && tight.headers["warning"] == nil)
    }

    @Test("A completion that is not being written cannot be controlled, and other actions are refused")
    func control() async throws {
        func post(_ body: String) async throws -> Int {
            try await ServingSupport.server().post("/v1/chat/completions/control", body).status
        }
        #expect(try await post(#"{"id": "chatcmpl-none", "action": "reasoning_end"}"#) == 404)
        #expect(try await post(#"{"id": "chatcmpl-none", "action": "stop"}"#) == 400)
        #expect(try await post(#"{"action": "reasoning_end"}"#) == 400)
        let running = RunningReplies()
        let control = ReplyControl()
        running.add(control, id: "chatcmpl-1")
        let request = ServerRequest(
            method: "POST", path: "/v1/chat/completions/control",
            body: Array(#"{"id": "chatcmpl-1", "action": "reasoning_end"}"#.utf8))
        #expect(try await running.reply(to: request).status == 200)
        withExtendedLifetime(control) {}
    }

    @Test("Only the key that began a completion ends its reasoning; to others it is unknown")
    func otherKeys() async throws {
        let running = RunningReplies()
        func own(_ name: String) -> RunningReplies {
            RunningReplies(running, of: KeyHolder(AccessKey(name: name, key: name), now: { 0 }))
        }
        let control = ReplyControl()
        own("alice").add(control, id: "chatcmpl-1")
        func request(_ id: String) -> ServerRequest {
            ServerRequest(
                method: "POST", path: "/v1/chat/completions/control",
                body: Array("{\"id\": \"\(id)\", \"action\": \"reasoning_end\"}".utf8))
        }
        for (others, id) in [(own("bob"), "chatcmpl-1"), (running, "chatcmpl-1"), (running, "alice/chatcmpl-1")] {
            let error = await #expect(throws: APIError.self) { try await others.reply(to: request(id)) }
            #expect(error?.status == 404)
        }
        #expect(try await own("alice").reply(to: request("chatcmpl-1")).status == 200)
        withExtendedLifetime(control) {}
    }
}

import LeapBase
import LeapCore
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// Limits of thoughts in whole replies: by hand, beside forms and tools, beside other replies, and by default.
@Suite(.inTurns)
struct ThinkingReplyTests {
    private static let question =
        #"{"role": "user", "content": "Tom has 3 apples and gets 4 more. How many apples does Tom have?"}"#
    private static let thinking = #""temperature": 0, "chat_template_kwargs": {"enable_thinking": true}"#

    private func chat(_ server: LeapServing.Server, _ members: String) async throws -> WholeReply {
        try await server.post(
            "/v1/chat/completions", "{\(Self.thinking), \"messages\": [\(Self.question)], \(members)}")
    }

    private func message(_ reply: WholeReply) -> JSONValue? { reply.body["choices"]?.array?.first?["message"] }

    private func details(_ reply: WholeReply) -> JSONValue? { reply.body["usage"]?["completion_tokens_details"] }

    @Test("A control request ends the thoughts of a stream while it is written, and the answer follows")
    func live() async throws {
        let server = try ServingSupport.server()
        let mark = try await server.post("/tokenize", #"{"content": "</think>"}"#)
        let tokens = try #require(mark.body["tokens"]?.array?.compactMap({ $0.integer }))
        // By itself the model ends its thoughts never.
        let bias = tokens.map { "[\($0), false]" }.joined(separator: ", ")
        let body =
            "{\(Self.thinking), \"messages\": [\(Self.question)], \"max_tokens\": 1000, \"logit_bias\": [\(bias)], "
            + #""stream": true, "stream_options": {"include_usage": true}}"#
        let (found, status) = try await Self.controlled(server, body)
        #expect(status == 200)
        let content = found.compactMap { $0["choices"]?.array?.first?["delta"]?["content"]?.string }.joined()
        #expect(!content.isEmpty && !content.contains("think>"))
        let usage = try #require(found.last?["usage"]?["completion_tokens_details"])
        #expect(usage["reasoning_cut"]?.bool == true && (usage["reasoning_tokens"]?.integer ?? 0) < 1000)
        // It has ended, so that it can be controlled no more.
        let id = found.first?["id"]?.string ?? ""
        let late = try await server.post(
            "/v1/chat/completions/control", "{\"id\": \"\(id)\", \"action\": \"reasoning_end\"}")
        #expect(late.status == 404)
    }

    /// Streams a reply and ends its thoughts with the first of them; the stream is gone when it returns.
    private static func controlled(_ server: Server, _ body: String) async throws -> (events: [JSONValue], status: Int?)
    {
        let reply = await server.reply(
            to: ServerRequest(method: "POST", path: "/v1/chat/completions", body: Array(body.utf8)))
        guard case .stream(let write) = reply.body else {
            Issue.record("no stream")
            return ([], nil)
        }
        let events = Locked<[JSONValue]>([])
        let status = Locked<Int?>(nil)
        try await write { bytes in
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("data: {") }
            for line in lines {
                let event = try JSONParser.parse(String(line.dropFirst(6)))
                events.withLock { $0.append(event) }
                let isThought = event["choices"]?.array?.first?["delta"]?["reasoning_content"]?.string != nil
                guard isThought, status.withLock({ $0 }) == nil, let id = event["id"]?.string else { continue }
                let control = await server.reply(
                    to: ServerRequest(
                        method: "POST", path: "/v1/chat/completions/control",
                        body: Array("{\"id\": \"\(id)\", \"action\": \"reasoning_end\"}".utf8)))
                status.withLock { $0 = control.status }
            }
        }
        return (events.withLock { $0 }, status.withLock { $0 })
    }

    @Test("A call that is demanded, and a form, come behind thoughts that were ended")
    func forms() async throws {
        let server = try ServingSupport.server()
        let call = try await chat(
            server,
            #"""
            "max_tokens": 200, "thinking_budget": 1, "tool_choice": "required", "tools": [{"type": "function",
            "function": {"name": "add", "parameters": {"type": "object",
            "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a", "b"]}}}]
            """#)
        let arguments = message(call)?["tool_calls"]?.array?.first?["function"]?["arguments"]?.string
        #expect(try JSONParser.parse(arguments ?? "")["a"]?.integer != nil)
        #expect((details(call)?["reasoning_tokens"]?.integer ?? 0) <= 1, "\(call.body)")
        let form = try await chat(
            server,
            #"""
            "max_tokens": 200, "thinking_budget": 1, "response_format": {"type": "json_schema", "json_schema": {"name": "n",
            "schema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}}}
            """#)
        #expect(try JSONParser.parse(message(form)?["content"]?.string ?? "")["n"]?.integer != nil)
        #expect((details(form)?["reasoning_tokens"]?.integer ?? 0) <= 1, "\(form.body)")
    }

    @Test("Replies that are written together keep their limits, with the text that each gets alone")
    func together() async throws {
        let server = try ServingSupport.server()
        let members = ["\"thinking_budget\": 0", "\"thinking_budget\": 3", "\"thinking_budget\": -1"].map {
            $0 + ", \"max_tokens\": 40"
        }
        var alone: [JSONValue?] = []
        for members in members { alone.append(message(try await chat(server, members))) }
        async let first = chat(server, members[0])
        async let second = chat(server, members[1])
        async let third = chat(server, members[2])
        let replies = try await [first, second, third]
        #expect(replies.map(message) == alone)
        #expect(replies.map { details($0)?["reasoning_cut"]?.bool ?? false } == [true, true, false])
    }

    @Test("The server's limit and message are for requests without one, by the model's name before those of all")
    func defaults() async throws {
        var configuration = ModelPool.Configuration()
        configuration.thinking.budgets = [nil: 1, "free": 1000]
        configuration.thinking.messages = ["demo": "I answer now."]
        let server = try ServingSupport.server([ServingSupport.demo(), ServingSupport.demo("free")], configuration)
        func cut(_ members: String) async throws -> (isCut: Bool, reasoning: String) {
            let reply = try await chat(server, "\"max_tokens\": 60\(members)")
            return (
                details(reply)?["reasoning_cut"]?.bool ?? false, message(reply)?["reasoning_content"]?.string ?? ""
            )
        }
        let usual = try await cut("")
        #expect(usual.isCut && usual.reasoning.hasSuffix("I answer now."))
        let own = try await cut(#", "thinking_budget": 2, "reasoning_budget_message": "Enough.""#)
        #expect(own.isCut && own.reasoning.hasSuffix("Enough."))
        #expect(try await !cut(#", "thinking_budget": -1"#).isCut)
        #expect(try await !cut(#", "model": "free""#).isCut)
    }

    @Test("A default is a value, or a model and a value")
    func entries() {
        typealias Entry = ThinkingDefaults.Entry
        #expect(Entry("5")?.model == nil && Entry("5")?.text == "5")
        #expect(Entry("demo=5")?.model == "demo" && Entry("demo=5")?.text == "5")
        #expect(Entry("hf:a/b:Q4=I answer = now")?.text == "I answer = now")
        #expect(Entry("I answer = now")?.model == nil)
        for text in ["", "=5", "demo="] { #expect(Entry(text) == nil, "\(text)") }
    }

    @Test("Responses read the variables of the template, the limit among them")
    func responses() async throws {
        let reply = try await ServingSupport.server().post(
            "/v1/responses",
            #"{"temperature": 0, "max_output_tokens": 60, "chat_template_kwargs": {"enable_thinking": true, "thinking_budget": 1}, "input": "Tom has 3 apples and gets 4 more. How many apples does Tom have?"}"#
        )
        let details = try #require(reply.body["usage"]?["output_tokens_details"])
        #expect(details["reasoning_tokens"]?.integer == 1 && details["reasoning_cut"]?.bool == true)
        #expect(reply.headers["warning"] == nil)
    }
}

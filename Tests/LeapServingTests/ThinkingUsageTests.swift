import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// The tokens of thoughts, and whether a limit ended them, in the figures of each protocol.
@Suite(.inTurns)
struct ThinkingUsageTests {
    private static let question = "Tom has 3 apples and gets 4 more. How many apples does Tom have?"
    private static let messages = #""messages": [{"role": "user", "content": "\#(question)"}]"#

    /// A request of a protocol, and where its answer has the figures.
    struct Request: Sendable, CustomTestStringConvertible {
        let path: String
        /// The members without a limit.
        let members: String
        /// The member that limits thoughts to a token.
        let limit: String
        /// The names on the way to the figures.
        let place: [String]
        let count: String
        let cut: String
        var testDescription: String { path }
    }

    static let requests = [
        Request(
            path: "/v1/chat/completions",
            members: #""temperature": 0, "max_tokens": 60, "chat_template_kwargs": {"enable_thinking": true}, "#
                + messages,
            limit: #""thinking_budget": 1"#, place: ["usage", "completion_tokens_details"], count: "reasoning_tokens",
            cut: "reasoning_cut"),
        Request(
            path: "/v1/responses",
            members:
                #""temperature": 0, "max_output_tokens": 60, "reasoning": {"effort": "max"}, "input": "\#(question)""#,
            limit: #""thinking_budget": 1"#, place: ["usage", "output_tokens_details"], count: "reasoning_tokens",
            cut: "reasoning_cut"),
        Request(
            path: "/v1/messages",
            members: #""temperature": 0, "max_tokens": 60, "# + messages,
            limit: #""thinking": {"type": "enabled", "budget_tokens": 1}"#, place: ["usage", "output_tokens_details"],
            count: "thinking_tokens", cut: "thinking_cut"),
        Request(
            path: "/api/chat",
            members: #""stream": false, "options": {"temperature": 0, "num_predict": 60}, "# + messages,
            limit: #""think": 1"#, place: [], count: "thinking_count", cut: "thinking_cut"),
    ]

    /// The members that have the model think without a limit, where `members` do not.
    private static let unlimited = [
        "/v1/messages": #""thinking": {"type": "enabled", "budget_tokens": 1000}"#, "/api/chat": #""think": true"#,
    ]

    @Test("The figures tell the tokens of thoughts, and a forced end alone", arguments: requests)
    func figures(request: Request) async throws {
        let server = try ServingSupport.server()
        func figures(_ more: String?) async throws -> JSONValue {
            let members = [request.members, more].compactMap { $0 }.joined(separator: ", ")
            let reply = try await server.post(request.path, "{\(members)}")
            #expect(reply.status == 200, "\(reply.body)")
            return try request.place.reduce(reply.body) { try #require($0[$1]) }
        }
        let free = try await figures(Self.unlimited[request.path])
        #expect((free[request.count]?.integer ?? 0) > 2 && free[request.cut] == nil, "\(free)")
        let tight = try await figures(request.limit)
        #expect(tight[request.count]?.integer == 1 && tight[request.cut]?.bool == true, "\(tight)")
    }

    @Test("A reply that goes on behind a message has no thoughts and no limit of its own")
    func continued() async throws {
        let body = """
            {"temperature": 0, "max_tokens": 8, "thinking_budget": 1, "continue_final_message": true,
             "chat_template_kwargs": {"enable_thinking": true},
             "messages": [{"role": "user", "content": "\(Self.question)"}, {"role": "assistant", "content": "Tom has"}]}
            """
        let reply = try await ServingSupport.server().post("/v1/chat/completions", body)
        #expect(reply.status == 200, "\(reply.body)")
        #expect(reply.body["usage"]?["completion_tokens_details"] == nil)
        let message = reply.body["choices"]?.array?.first?["message"]
        #expect(message?["reasoning_content"] == nil && message?["content"]?.string?.contains("think>") == false)
    }
}

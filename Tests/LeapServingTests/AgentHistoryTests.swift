import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// Histories as agents send them.
@Suite(.inTurns)
struct AgentHistoryTests {
    @Test(
        "A conversation with nothing but a system message is answered, in every protocol",
        arguments: [
            ("/v1/chat/completions", #"{"max_tokens": 2, "messages": [{"role": "system", "content": "Greet."}]}"#),
            ("/v1/chat/completions", #"{"max_tokens": 2, "messages": [{"role": "developer", "content": "Greet."}]}"#),
            ("/v1/responses", #"{"max_output_tokens": 2, "input": [{"role": "system", "content": "Greet."}]}"#),
            ("/v1/messages", #"{"max_tokens": 2, "messages": [{"role": "system", "content": "Greet."}]}"#),
            (
                "/api/chat",
                #"{"stream": false, "options": {"num_predict": 2}, "messages": [{"role": "system", "content": "Greet."}]}"#
            ),
        ])
    func systemAlone(path: String, body: String) async throws {
        let reply = try await ServingSupport.server().post(path, body)
        #expect(reply.status == 200, "\(reply.body)")
    }

    @Test("A call that was never answered does not end a conversation")
    func unanswered() async throws {
        let reply = try await ServingSupport.server().post(
            "/v1/chat/completions",
            #"{"max_tokens": 2, "messages": [{"role": "user", "content": "Weather?"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}, {"role": "user", "content": "Never mind."}]}"#
        )
        #expect(reply.status == 200, "\(reply.body)")
    }
}

import LeapCore
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// The spans of replies and transcripts within a realtime connection.
@Suite(.inTurns, .timeLimit(.minutes(30)))
struct RealtimeSpanTests {
    /// A connection whose messages are read as they come.
    private struct Client {
        let connection: RealtimeConnection
        let messages: AsyncStream<RealtimeConnection.Incoming>
        let input: AsyncStream<RealtimeConnection.Incoming>.Continuation

        init(_ server: LeapServing.Server) throws {
            let headers = [
                "host": "leap.example:8080",
                "traceparent": "00-\(RequestSpanTests.trace)-\(RequestSpanTests.parent)-01", "x-request-id": "mine",
            ]
            connection = try #require(
                server.realtimeConnection(
                    ServerRequest(method: "GET", path: "/v1/realtime", headers: headers, body: [])))
            (messages, input) = AsyncStream.makeStream()
        }

        func send(_ json: String) { input.yield(.text(Array(json.utf8), Held())) }

        /// The next event of a type.
        func next(_ type: String) async throws -> JSONValue {
            for await message in connection.outbox.messages {
                guard case .text(let bytes) = message else { break }
                connection.outbox.took(bytes.count)
                let event = try JSONParser.parse(bytes)
                if event["type"]?.string == type { return event }
            }
            throw LeapGenerationException("no \(type)")
        }

        private final class Held: Sendable {}
    }

    @Test("Each reply of a connection has a span of its own, in the trace of the connection's request")
    func replies() async throws {
        let bench = try RequestSpanTests.Bench()
        let client = try Client(bench.server)
        async let end: Void = client.connection.run(client.messages)
        client.send(
            #"{"type": "conversation.item.create", "item": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "What is the capital of Portugal?"}]}}"#
        )
        client.send(#"{"type": "response.create", "response": {"temperature": 0}}"#)
        let first = try await client.next("response.done")
        client.send(#"{"type": "response.create", "response": {"instructions": "Tell me a long story."}}"#)
        _ = try await client.next("response.created")
        client.send(#"{"type": "response.cancel"}"#)
        let second = try await client.next("response.done")
        client.input.finish()
        await end

        let spans = try await bench.spans()
        let replies = spans.filter { $0.name == "chat demo" }.sorted { $0.start < $1.start }
        try #require(replies.count == 2)
        for (span, event) in zip(replies, [first, second]) {
            #expect(span.traceID == RequestSpanTests.trace && span.parent == RequestSpanTests.parent)
            #expect(span.text("http.route") == "/v1/realtime" && span.text("gen_ai.response.model") == "demo")
            #expect(span.text("gen_ai.response.id") == event["response"]?["id"]?.string)
            #expect(span.texts("http.request.header.x-request-id") == ["mine"])
        }
        let usage = try #require(first["response"]?["usage"])
        #expect(replies[0].whole("gen_ai.usage.input_tokens") == usage["input_tokens"]?.integer)
        #expect(replies[0].whole("gen_ai.usage.output_tokens") == usage["output_tokens"]?.integer)
        #expect(replies[0].number("gen_ai.request.temperature") == 0 && !replies[0].isFailed)
        RequestSpanTests.check(["queue", "prompt", "decode"], below: replies[0], of: spans)
        #expect(second["response"]?["status"] == "cancelled" && replies[1].isFailed)
        #expect(replies[1].text("error.type") != nil)
    }
}

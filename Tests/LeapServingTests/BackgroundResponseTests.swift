import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// Responses that nobody waits for.
@Suite(.inTurns, .timeLimit(.minutes(30)))
struct BackgroundResponseTests {
    private let server: Server

    init() throws { server = try ServingSupport.server() }

    private func call(_ method: String, _ path: String) async throws -> WholeReply {
        try await WholeReply(server.reply(to: ServerRequest(method: method, path: path)))
    }

    private func end(_ id: String) async throws -> JSONValue {
        while true {
            let reply = try await call("GET", "/v1/responses/\(id)")
            if reply.status != 200 || reply.body["status"] != "in_progress" { return reply.body }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    @Test("A response in the background is fetched until it is completed, and can be gone on from")
    func completed() async throws {
        let conversation = try await server.post("/v1/conversations", "{}").body["id"]?.string ?? ""
        let begun = try await server.post(
            "/v1/responses",
            #"{"background": true, "conversation": "\#(conversation)", "temperature": 0, "input": "What is the capital of Portugal?"}"#
        )
        let id = try #require(begun.body["id"]?.string)
        #expect(begun.status == 200 && begun.body["background"] == .bool(true) && begun.headers["warning"] == nil)
        #expect(begun.body["status"] == "in_progress" && begun.body["output"] == .array([]))
        let ended = try await end(id)
        #expect(ended["status"] == "completed")
        #expect(
            ended["output"]?.array?.first?["content"]?.array?.first?["text"]?.string?.contains("Lisbon") == true)
        let items = try await call("GET", "/v1/conversations/\(conversation)/items")
        #expect(items.body["data"]?.array?.count == 2)
        let same = try await call("POST", "/v1/responses/\(id)/cancel")
        #expect(same.body == ended)
        let next = try await server.post(
            "/v1/responses", #"{"max_output_tokens": 2, "previous_response_id": "\#(id)", "input": "And?"}"#)
        #expect(next.status == 200)
    }

    @Test("One in progress is cancelled, and stays so; one that is removed is gone")
    func cancelled() async throws {
        let long = #"{"background": true, "regex": "[a-z ]{2000}", "input": "Tell me a story."}"#
        let id = try #require(try await server.post("/v1/responses", long).body["id"]?.string)
        let early = try await server.post("/v1/responses", #"{"previous_response_id": "\#(id)", "input": "And?"}"#)
        #expect(early.status == 400 && early.body["error"]?["param"] == "previous_response_id")
        let cancelled = try await call("POST", "/v1/responses/\(id)/cancel")
        #expect(cancelled.status == 200 && cancelled.body["status"] == "cancelled")
        #expect(try await call("POST", "/v1/responses/\(id)/cancel").body == cancelled.body)
        let other = try #require(try await server.post("/v1/responses", long).body["id"]?.string)
        #expect(try await call("DELETE", "/v1/responses/\(other)").status == 200)
        #expect(try await call("GET", "/v1/responses/\(other)").status == 404)
        #expect(try await call("GET", "/v1/responses/\(id)").body["status"] == "cancelled")
        let plain = try await server.post("/v1/responses", #"{"max_output_tokens": 1, "input": "Hi"}"#)
        let refused = try await call("POST", "/v1/responses/\(plain.body["id"]?.string ?? "")/cancel")
        #expect(refused.status == 400 && refused.body["error"]?["param"] == "background")
    }

    @Test(
        "What is wrong with a request is told at once",
        arguments: [
            (#""store": false"#, "background"), (#""stream": true"#, "background"),
            (#""grammar": "root ::= root""#, nil), (#""max_output_tokens": 0"#, nil),
        ] as [(String, String?)])
    func refused(member: String, parameter: String?) async throws {
        let reply = try await server.post("/v1/responses", #"{"background": true, "input": "Hi", \#(member)}"#)
        #expect(reply.status == 400, "\(reply.body)")
        if let parameter { #expect(reply.body["error"]?["param"]?.string == parameter) }
        let long = String(repeating: "fox ", count: 20_000)
        let tooLong = try await server.post("/v1/responses", #"{"background": true, "input": "\#(long)"}"#)
        #expect(tooLong.status == 400 && tooLong.body["error"]?["code"] == "context_length_exceeded")
    }
}

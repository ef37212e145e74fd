import LeapCore
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// The questions of llama.cpp's clients about models.
@Suite(.inTurns, .timeLimit(.minutes(30)))
struct ModelStateTests {
    private func get(_ server: Server, _ target: String) async throws -> WholeReply {
        var request = ServerRequest(method: "GET", path: RequestPath.of(target: target))
        request.query = RequestQuery(target: target)
        return try await WholeReply(server.reply(to: request))
    }

    @Test("The properties of a model are those that it is served with")
    func properties() async throws {
        var configuration = ModelPool.Configuration()
        configuration.contextSize = 512
        configuration.extras.maxActiveGenerations = 3
        let server = try ServingSupport.server(nil, configuration)
        let reply = try await get(server, "/props")
        let settings = reply.body["default_generation_settings"]
        #expect(reply.status == 200 && settings?["n_ctx"] == .integer(512), "\(reply.body)")
        #expect(settings?["params"]?["temperature"]?.double != nil && settings?["params"]?["repeat_penalty"] != nil)
        #expect(reply.body["total_slots"] == .integer(3) && reply.body["model_alias"] == "demo")
        #expect(reply.body["model_path"]?.string?.contains("/") == false)
        #expect(
            reply.body["modalities"] == .object(["vision": .bool(false), "audio": .bool(false), "video": .bool(false)]))
        #expect(reply.body["eos_token"]?.string?.isEmpty == false)
        #expect(try await get(server, "/props?model=demo").body == reply.body)
        #expect(try await get(server, "/props?model=other").status == 404)
    }

    @Test("Slots are in use while replies are written, and having none free can be an error")
    func slots() async throws {
        var configuration = ModelPool.Configuration()
        configuration.extras.maxActiveGenerations = 2
        let server = try ServingSupport.server(nil, configuration)
        func active() async throws -> Int {
            try await get(server, "/slots").body.array?.count { $0["is_processing"] == .bool(true) } ?? -1
        }
        let idle = try await get(server, "/slots?fail_on_no_slot=1")
        #expect(idle.body.array?.map { $0["id"] } == [.integer(0), .integer(1)], "\(idle.body)")
        // Nothing is loaded for the question.
        #expect(idle.body.array?.first?["n_ctx"] == .integer(0))
        let body =
            #"{"n": 2, "stream": true, "regex": "[a-z ]{2000}", "messages": [{"role": "user", "content": "Tell me a story."}]}"#
        let stream = await server.reply(
            to: ServerRequest(method: "POST", path: "/v1/chat/completions", body: Array(body.utf8)))
        let reading = Task { try await stream.collectText() }
        while try await active() < 2 { await Task.yield() }
        let full = try await get(server, "/slots?fail_on_no_slot=1")
        #expect(full.status == 503 && full.body["error"]?["code"] == "no_slot", "\(full.body)")
        let open = try await get(server, "/slots?fail_on_no_slot=0")
        #expect(open.status == 200 && (open.body.array?.first?["n_ctx"]?.integer ?? 0) > 0)
        reading.cancel()
        _ = try? await reading.value
        while try await active() > 0 { await Task.yield() }
        #expect(try await get(server, "/slots?model=other").status == 404)
    }
}

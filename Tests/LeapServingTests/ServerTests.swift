import LeapJSON
import Testing

@testable import LeapServing

struct ServerTests {
    @Test(
        "Paths and methods that are not answered are refused, with what is",
        arguments: [
            ("GET", "/v1/nothing", 404), ("GET", "/v1/chat/completions", 405),
            ("DELETE", "/health", 405), ("GET", "/health", 200), ("GET", "/health/", 200), ("HEAD", "/health", 200),
            ("GET", "/v1/models/demo", 200), ("GET", "/v1/models/../demo", 404), ("GET", "/v1/responses/none", 404),
            ("PUT", "/v1/responses/none", 404),
        ])
    func routes(method: String, path: String, status: Int) async throws {
        let reply = try await WholeReply(ServingSupport.server().reply(to: ServerRequest(method: method, path: path)))
        #expect(reply.status == status)
        #expect((reply.body["error"]?["message"]?.string == nil) == (status == 200))
    }

    @Test("Counts of paths from outside are one, however many there are")
    func metrics() async throws {
        let server = try ServingSupport.server()
        for index in 0..<50 { _ = await server.reply(to: ServerRequest(method: "GET", path: "/x\(index)")) }
        let reply = await server.reply(to: ServerRequest(method: "GET", path: "/metrics"))
        guard case .bytes(let bytes) = reply.body else { return }
        let page = String(decoding: bytes, as: UTF8.self)
        #expect(page.contains("leap_http_requests_total{path=\"other\",status=\"404\"} 50\n"))
        #expect(!page.contains("/x"))
    }

    @Test("Each prompt of a request is counted once, however many texts go on with it")
    func usage() async throws {
        func prompts(_ body: String) async throws -> Int? {
            try await ServingSupport.server().post("/v1/completions", body).body["usage"]?["prompt_tokens"]?.integer
        }
        let first = try #require(try await prompts(#"{"prompt": "Once upon a time", "max_tokens": 2}"#))
        let second = try #require(try await prompts(#"{"prompt": "Hello", "max_tokens": 2}"#))
        let together = try await prompts(#"{"prompt": ["Once upon a time", "Hello"], "n": 3, "max_tokens": 2}"#)
        #expect(together == first + second)
    }

    @Test("Vectors come as numbers and as base64, the same")
    func embeddings() async throws {
        let server = try ServingSupport.server([ServingSupport.fixture("embeddings/bert-mean")])
        let numbers = try await server.post("/v1/embeddings", #"{"input": ["time", "a device"]}"#)
        #expect(numbers.status == 200)
        let vectors = try #require(numbers.body["data"]?.array?.map { $0["embedding"]?.array?.compactMap(\.double) })
        #expect(vectors.map { $0?.count } == [36, 36])
        let ollama = try await server.post("/api/embed", #"{"model": "bert-mean", "input": "time"}"#)
        #expect(ollama.body["embeddings"]?.array?.first?.array?.compactMap(\.double) == vectors[0])
        let base64 = try await server.post("/v1/embeddings", #"{"input": "time", "encoding_format": "base64"}"#)
        // 36 numbers of 4 bytes.
        #expect(base64.body["data"]?.array?.first?["embedding"]?.string?.utf8.count == 192)
        let refused = try await server.post("/v1/embeddings", #"{"input": "time", "encoding_format": "hex"}"#)
        #expect(refused.status == 400)
        #expect(refused.body["error"]?["param"] == "encoding_format")
    }
}

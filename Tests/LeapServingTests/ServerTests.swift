import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

@Suite(.inTurns)
struct ServerTests {
    @Test(
        "Paths and methods that are not answered are refused, with what is",
        arguments: [
            ("GET", "/v1/nothing", 404), ("GET", "/v1/chat/completions", 405),
            ("DELETE", "/health", 405), ("GET", "/health", 200), ("GET", "/health/", 200), ("HEAD", "/health", 200),
            ("GET", "/v1/models/demo", 200), ("GET", "/v1/models/../demo", 404), ("GET", "/v1/responses/none", 404),
            ("PUT", "/v1/responses/none", 405), ("GET", "/v1/responses/{id}", 404), ("GET", "/v1/models/%64emo", 200),
            ("GET", "/v1/models/%ff", 404), ("GET", "/v1/models/%00", 404), ("GET", "//health", 404),
        ])
    func routes(method: String, path: String, status: Int) async throws {
        let reply = try await WholeReply(ServingSupport.server().reply(to: ServerRequest(method: method, path: path)))
        #expect(reply.status == status)
        #expect((reply.body["error"]?["message"]?.string == nil) == (status == 200))
    }

    @Test("A request for the head alone gets the length of the body, and no body")
    func head() async throws {
        let server = try ServingSupport.server()
        let whole = try await WholeReply(server.reply(to: ServerRequest(method: "GET", path: "/health")))
        let reply = try await WholeReply(server.reply(to: ServerRequest(method: "HEAD", path: "/health")))
        #expect(reply.body == .null)
        #expect(reply.headers["content-length"] == "15" && whole.body == .object(["status": "ok"]))
        #expect(reply.headers["content-type"] == whole.headers["content-type"])
    }

    @Test("A path names the methods that it answers", arguments: [("OPTIONS", 204), ("PATCH", 405)])
    func allow(method: String, status: Int) async throws {
        let server = try ServingSupport.server()
        for (path, expected) in [
            ("/health", "GET, HEAD, OPTIONS"), ("/tokenize", "POST, OPTIONS"),
            ("/v1/responses/x", "DELETE, GET, HEAD, OPTIONS"),
        ] {
            let reply = try await WholeReply(server.reply(to: ServerRequest(method: method, path: path)))
            #expect(reply.status == status)
            #expect(reply.headers["allow"] == expected)
        }
    }

    @Test("An answer that takes too long is an error of its own")
    func timeout() async throws {
        let pool = ServingSupport.pool([try ServingSupport.demo()])
        _ = try await pool.lease(nil)
        let server = Server(pool: pool, access: AccessRules(), requestTimeout: .milliseconds(200))
        // Hours of work.
        let body =
            #"{"n": 16, "regex": "[a-z ]{3000}", "temperature": 1, "messages": [{"role": "user", "content": "Hi"}]"#
        let whole = try await server.post("/v1/chat/completions", body + "}")
        #expect(whole.status == 504)
        #expect(whole.body["error"]?["code"] == "request_timeout")
    }

    @Test("A request counts as active until its last byte is sent, or it is given up")
    func active() async throws {
        let server = try ServingSupport.server()
        func active() async throws -> Bool {
            try await server.reply(to: ServerRequest(method: "GET", path: "/metrics")).collectText()
                .contains("leap_http_requests_active 2\n")
        }
        var reply: ServerReply? = await server.reply(
            to: ServerRequest(
                method: "POST", path: "/v1/completions",
                body: Array(#"{"prompt": "Once", "max_tokens": 4, "stream": true}"#.utf8)))
        #expect(try await active())
        withExtendedLifetime(reply) {}
        reply = nil
        #expect(try await !active())
    }

    @Test("What a model is made for is told by its file")
    func capabilities() async throws {
        let server = try ServingSupport.server([
            ServingSupport.demo(), ServingSupport.fixture("embeddings/bert-mean"),
        ])
        func capabilities(_ model: String) async throws -> JSONValue? {
            try await server.post("/api/show", "{\"model\": \"\(model)\"}").body["capabilities"]
        }
        #expect(try await capabilities("demo") == .array(["completion", "tools"]))
        #expect(try await capabilities("bert-mean") == .array(["embedding"]))
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

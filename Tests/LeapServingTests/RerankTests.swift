import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// `/v1/rerank`, as clients of Jina's and Cohere's APIs ask for it.
@Suite(.inTurns)
struct RerankTests {
    private func server() throws -> Server {
        try ServingSupport.server([
            ServingSupport.fixture("embeddings/bert-rank"), ServingSupport.fixture("embeddings/bert-mean"),
        ])
    }

    @Test("Results come best first, with their places and what they cost")
    func results() async throws {
        let server = try server()
        let reply = try await server.post(
            "/v1/rerank",
            #"{"model": "bert-rank", "query": "time", "documents": ["a device", {"text": "time"}, "tokens"], "rank_fields": ["text"]}"#
        )
        #expect(reply.status == 200 && reply.body["model"] == "bert-rank")
        let results = try #require(reply.body["results"]?.array)
        let scores = results.compactMap { $0["relevance_score"]?.double }
        #expect(scores.count == 3 && scores == scores.sorted(by: >) && scores.allSatisfy { (0...1).contains($0) })
        #expect(Set(results.compactMap { $0["index"]?.integer }) == [0, 1, 2])
        #expect(results.allSatisfy { $0["document"] == nil })
        let tokens = reply.body["usage"]?["total_tokens"]?.integer ?? 0
        #expect(tokens >= 3 * 5 && reply.body["usage"]?["prompt_tokens"]?.integer == tokens)
        #expect(reply.headers["warning"]?.contains("rank_fields") == true)

        let top = try await server.post(
            "/v1/rerank",
            #"{"model": "bert-rank", "query": "time", "documents": ["a device", {"text": "time"}, "tokens"], "top_n": 2, "return_documents": true}"#
        )
        let best = try #require(top.body["results"]?.array)
        #expect(best.count == 2)
        let texts = ["a device", "time", "tokens"]
        for (result, whole) in zip(best, results) {
            #expect(result["index"] == whole["index"] && result["relevance_score"] == whole["relevance_score"])
            #expect(result["document"]?["text"]?.string == result["index"]?.integer.map { texts[$0] })
        }
    }

    @Test("The paths of other servers of rerankers are the same", arguments: Server.aliases.keys.sorted())
    func aliases(path: String) async throws {
        let reply = try await server().post(path, #"{"model": "bert-rank", "query": "time", "documents": ["a", "b"]}"#)
        #expect(reply.status == 200 && reply.body["results"]?.array?.count == 2)
    }

    @Test("A late-interaction model ranks too, and computes the query once")
    func lateInteraction() async throws {
        let server = try ServingSupport.server([ServingSupport.fixture("embeddings/lfm2-colbert")])
        let reply = try await server.post(
            "/v1/rerank", #"{"query": "time", "documents": ["a device", {"text": "time"}, "tokens"]}"#)
        let results = try #require(reply.body["results"]?.array)
        let scores = results.compactMap { $0["relevance_score"]?.double }
        #expect(scores.count == 3 && scores == scores.sorted(by: >) && scores.allSatisfy { (0...1).contains($0) })
        #expect(results[0]["index"]?.integer == 1 && abs(scores[0] - 1) < 1e-4)
        func count(_ text: String) async throws -> Int {
            let body = JSONWriter.string(.object(["content": .string(text), "add_special": .bool(true)]))
            return try await server.post("/tokenize", body).body["tokens"]?.array?.count ?? 0
        }
        var tokens = 0
        for text in ["time", "a device", "time", "tokens"] { tokens += try await count(text) }
        #expect(reply.body["usage"]?["total_tokens"]?.integer == tokens)
        let show = try await server.post("/api/show", #"{"model": "lfm2-colbert"}"#)
        #expect(show.body["capabilities"]?.array?.compactMap(\.string) == ["reranking", "embedding"])
    }

    @Test(
        "What is wrong with a request is named",
        arguments: [
            (#"{"documents": ["a"]}"#, "query"), (#"{"query": "", "documents": ["a"]}"#, "query"),
            (#"{"query": 3, "documents": ["a"]}"#, "query"), (#"{"query": "a"}"#, "documents"),
            (#"{"query": "a", "documents": []}"#, "documents"), (#"{"query": "a", "documents": "b"}"#, "documents"),
            (#"{"query": "a", "documents": ["b", 3]}"#, "documents[1]"),
            (#"{"query": "a", "documents": [{"title": "b"}]}"#, "documents[0]"),
            (#"{"query": "a", "documents": ["b"], "top_n": 0}"#, "top_n"),
            (#"{"query": "a", "documents": ["b"], "return_documents": "yes"}"#, "return_documents"),
        ])
    func refused(body: String, field: String) async throws {
        let reply = try await server().post("/v1/rerank", body)
        #expect(reply.status == 400 && reply.body["error"]?["param"]?.string == field, "\(reply.body)")
    }

    @Test("Too many documents, too long ones, and models of other kinds are 400")
    func limits() async throws {
        let server = try server()
        let many = JSONValue.array([JSONValue](repeating: "a", count: RerankRequests.maxDocuments + 1))
        let reply = try await server.post(
            "/v1/rerank", JSONWriter.string(.object(["query": "a", "documents": many])))
        #expect(reply.status == 400 && reply.body["error"]?["message"]?.string?.contains("2048") == true)

        let long = String(repeating: "time ", count: 400)
        let body = #""model": "bert-rank", "query": "a", "documents": ["b", "\#(long)"]"#
        let refused = try await server.post("/v1/rerank", "{\(body), \"truncate\": false}")
        #expect(refused.status == 400 && refused.body["error"]?["code"] == "context_length_exceeded")
        #expect(refused.body["error"]?["message"]?.string?.contains("document 1 has") == true, "\(refused.body)")
        for members in ["", ", \"truncate\": true"] {
            let cut = try await server.post("/v1/rerank", "{\(body)\(members)}")
            #expect(cut.status == 200 && cut.headers["warning"]?.contains("documents[1]") == true, "\(cut.headers)")
        }

        let other = try await server.post(
            "/v1/rerank", #"{"model": "bert-mean", "query": "a", "documents": ["b"]}"#)
        #expect(other.status == 400 && other.body["error"]?["message"]?.string?.contains("reranker") == true)
    }
}

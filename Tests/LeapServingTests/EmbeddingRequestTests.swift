import Foundation
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapServing

/// Requests for vectors by tokens, and for shorter vectors.
@Suite(.inTurns)
struct EmbeddingRequestTests {
    private static func vectors(_ body: String) async throws -> [[Double]] {
        let server = try ServingSupport.server([ServingSupport.fixture("embeddings/bert-mean")])
        let reply = try await server.post("/v1/embeddings", "{\(body)}")
        return reply.body.object?["data"]?.array?.compactMap {
            $0.object?["embedding"]?.array?.compactMap(\.double)
        } ?? []
    }

    @Test("The tokens of a text give the vector of the text")
    func tokens() async throws {
        let server = try ServingSupport.server([ServingSupport.fixture("embeddings/bert-mean")])
        let reply = try await server.post("/tokenize", #"{"content":"time flies","add_special":true}"#)
        let tokens = reply.body.object?["tokens"]?.array?.compactMap(\.integer) ?? []
        try #require(tokens.count > 2)
        let text = try await Self.vectors(#""input":"time flies""#)
        #expect(try await Self.vectors("\"input\":\(tokens)") == text)
        #expect(try await Self.vectors("\"input\":[\(tokens),\"time flies\"]") == text + text)
    }

    @Test("Fewer dimensions are the first ones, at length 1")
    func dimensions() async throws {
        let whole = try #require(try await Self.vectors(#""input":"time""#).first)
        let half = try #require(
            try await Self.vectors("\"input\":\"time\",\"dimensions\":\(whole.count / 2)").first)
        #expect(half.count == whole.count / 2)
        #expect(abs(half.reduce(0) { $0 + $1 * $1 } - 1) < 1e-5)
        let scale = half[0] / whole[0]
        #expect(zip(half, whole).allSatisfy { abs($0 - $1 * scale) < 1e-5 })
        #expect(try await Self.vectors("\"input\":\"time\",\"dimensions\":\(whole.count + 1)").isEmpty)
    }

    @Test("A vector of each token, as Jina's API gives them, by a field or a path of its own")
    func multiVector() async throws {
        let server = try ServingSupport.server([ServingSupport.fixture("embeddings/lfm2-colbert")])
        func embeddings(_ path: String, _ body: String) async throws -> [[[Double]]] {
            let reply = try await server.post(path, "{\(body)}")
            #expect(reply.status == 200, "\(reply.body)")
            let data = reply.body["data"]?.array ?? []
            #expect(data.allSatisfy { $0["embedding"] == nil && $0["object"] == "embedding" })
            return data.map { item in
                (item["embeddings"]?.array ?? []).map { $0.array?.compactMap(\.double) ?? [] }
            }
        }
        let input = #""input":["time flies","a"]"#
        let found = try await embeddings("/v1/embeddings", input + #","return_multivector":true"#)
        let content = try await server.post("/tokenize", #"{"content":"time flies","add_special":true}"#)
        #expect(found.count == 2 && found[0].count == content.body["tokens"]?.array?.count)
        for vector in found.joined() {
            #expect(vector.count == 24 && abs(vector.reduce(0) { $0 + $1 * $1 } - 1) < 1e-5)
        }
        let other = try await embeddings("/v1/multi-vector", input + #","embedding_type":"float","input_type":"query""#)
        #expect(other == found)
        let shorter = try await embeddings("/v1/multi-vector", input + #","dimensions":8"#)
        #expect(shorter.joined().allSatisfy { $0.count == 8 } && shorter[0].count == found[0].count)
        let base64 = try await server.post("/v1/multi-vector", "{\(input),\"embedding_type\":\"base64\"}")
        let texts = base64.body["data"]?.array?.first?["embeddings"]?.array?.compactMap(\.string) ?? []
        let bytes = texts.compactMap { Data(base64Encoded: $0) }
        #expect(bytes.count == found[0].count && bytes.allSatisfy { $0.count == 4 * 24 })
        for (type, field) in [("hex", "embedding_type"), ("hex", "encoding_format")] {
            let reply = try await server.post("/v1/multi-vector", "{\(input),\"\(field)\":\"\(type)\"}")
            #expect(reply.status == 400 && reply.body["error"]?["param"]?.string == field)
        }
        // Without it the model has no single vector of a text.
        #expect(try await server.post("/v1/embeddings", "{\(input)}").status == 400)
    }

    @Test("input_type chooses the marker of a model that has both, and is named for others")
    func inputType() async throws {
        let plain = ServingSupport.fixture("embeddings/lfm2-colbert")
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/embeddings/lfm2-colbert.gguf").path
        let marked = try MarkedModelFile.write(source)
        defer { try? FileManager.default.removeItem(at: marked) }
        let server = try ServingSupport.server([plain, ModelCatalog.model(path: marked.path, id: "marked")])
        func reply(_ model: String, _ type: String) async throws -> WholeReply {
            try await server.post(
                "/v1/multi-vector", #"{"model":"\#(model)","input":"time, time","input_type":\#(type)}"#)
        }
        func count(_ reply: WholeReply) -> Int? { reply.body["data"]?.array?.first?["embeddings"]?.array?.count }
        let (none, query) = (try await reply("marked", "null"), try await reply("marked", #""query""#))
        let document = try await reply("marked", #""document""#)
        let tokens = try #require(count(none))
        #expect(count(query) == tokens + 1 && query.headers["warning"] == nil)
        // The marker is there, and the comma is not.
        #expect(count(document) == tokens && document.body["data"] != none.body["data"])
        let other = try await reply("marked", #""passage""#)
        #expect(other.status == 400 && other.body["error"]?["param"] == "input_type")
        let without = try await reply("lfm2-colbert", #""query""#)
        #expect(count(without) == tokens && without.headers["warning"]?.contains("input_type") == true)
    }
}

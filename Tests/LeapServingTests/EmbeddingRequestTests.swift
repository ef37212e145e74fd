import LeapJSON
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
}

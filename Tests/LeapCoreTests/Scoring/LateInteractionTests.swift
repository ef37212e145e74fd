import Foundation
import LeapCore
import LeapTestTraits
import Testing

/// Ranking by the vectors of tokens, on a tiny random ColBERT model.
@Suite(.inTurns)
struct LateInteractionTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures/embeddings")

    private static func model() async throws -> any ModelRunner {
        // With keys and values as the reference has them.
        let options = LiquidInferenceEngineOptions(bundlePath: "", extras: #"{"kv_cache_type":"f32"}"#)
        return try await Leap.load(url: folder.appendingPathComponent("lfm2-colbert.gguf"), options: options)
    }

    /// The vectors that transformers computes for the tokens of some texts.
    private struct Reference: Decodable {
        struct Text: Decodable {
            let text: String
            let ids: [Int32]
            let states: [Double]
        }

        let width: Int
        let texts: [Text]

        static func load() throws -> Reference {
            let url = LateInteractionTests.folder.appendingPathComponent("lfm2-colbert.json")
            return try JSONDecoder().decode(Reference.self, from: Data(contentsOf: url))
        }

        /// The vectors of a text's tokens, of length 1.
        func vectors(_ text: Text) -> [[Double]] {
            (0..<text.ids.count).map { row in
                let vector = text.states[row * width..<(row + 1) * width]
                let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
                return vector.map { $0 / length }
            }
        }
    }

    /// The sum over a query's vectors of the largest dot product with a document's, in double precision.
    private static func maxSim(_ query: [[Double]], _ document: [[Double]]) -> Double {
        var sum = 0.0
        for asked in query {
            var largest = -Double.infinity
            for vector in document {
                var product = 0.0
                for index in asked.indices { product += asked[index] * vector[index] }
                largest = max(largest, product)
            }
            sum += largest
        }
        return sum
    }

    @Test("Scores are those of the reference's vectors, whatever the query")
    func reference() async throws {
        let reference = try Reference.load()
        let runner = try await Self.model()
        let documents = reference.texts.map(\.text)
        var worst = 0.0
        for query in reference.texts {
            let found = try await runner.rank(query: query.text, documents: documents)
            #expect(Set(found.map(\.index)) == Set(documents.indices))
            for (better, worse) in zip(found, found.dropFirst()) { #expect(better.logit >= worse.logit) }
            for ranking in found {
                let document = reference.texts[ranking.index]
                let expected = Self.maxSim(reference.vectors(query), reference.vectors(document))
                worst = max(worst, abs(Double(ranking.logit) - expected))
                #expect(abs(Double(ranking.relevance) - min(max(expected / Double(query.ids.count), 0), 1)) < 1e-5)
                #expect(ranking.queryTokenCount == query.ids.count && ranking.tokenCount == document.ids.count)
                #expect(!ranking.isTruncated)
            }
            // A text is most like itself: each token finds itself.
            let own = try #require(found.first { documents[$0.index] == query.text })
            #expect(abs(own.relevance - 1) < 1e-5)
        }
        print("largest difference of late interaction: \(worst)")
        #expect(worst < 1e-3)
    }

    @Test("Documents that were kept rank as they do when they are read again, without being read")
    func kept() async throws {
        let runner = try await Self.model()
        let documents = try Reference.load().texts.map(\.text) + ["", "a"]
        let made = try await runner.embed(documents, options: EmbeddingOptions(pooling: .perToken))
        let kept = try JSONDecoder().decode([TextEmbedding].self, from: JSONEncoder().encode(made))
        #expect(kept == made)
        for query in ["How many tokens?", "", documents[0]] {
            let read = try await runner.rank(query: query, documents: documents)
            let before = runner.statistics.computedPromptTokens
            let again = try await runner.rank(query: query, embeddings: kept)
            #expect(again == read)
            #expect(runner.statistics.computedPromptTokens - before == again.first?.queryTokenCount)
            let vectors = try await runner.embed(query, options: EmbeddingOptions(pooling: .perToken))
            for ranking in again { #expect(vectors.lateInteraction(with: kept[ranking.index]) == ranking.logit) }
        }
        // Equal documents are told apart by their place.
        let places = try await runner.rank(query: "time", embeddings: kept).map(\.index)
        let (first, last) = (try #require(places.firstIndex(of: 5)), try #require(places.firstIndex(of: 7)))
        #expect(documents[5] == documents[7] && last == first + 1)
        #expect(try await runner.rank(query: "time", embeddings: []).isEmpty)
        #expect(try await runner.rank(query: "time", documents: []).isEmpty)
    }

    @Test("The score of vectors of any length is the sum of the largest products")
    func anyLength() async throws {
        let runner = try await Self.model()
        let whole = try await runner.embed("once upon a time", options: EmbeddingOptions(pooling: .perToken))
        for count in [1, 7, 8, 9, 16, 24] {
            func cut(_ embedding: TextEmbedding) throws -> TextEmbedding {
                struct Parts: Encodable {
                    let vectors: [[Float]]
                    let tokenCount: Int
                    let isTruncated = false
                }
                let parts = Parts(
                    vectors: embedding.vectors.map { Array($0.prefix(count)) }, tokenCount: embedding.tokenCount)
                return try JSONDecoder().decode(TextEmbedding.self, from: JSONEncoder().encode(parts))
            }
            let query = try cut(whole)
            let document = try cut(try await runner.embed("a device", options: EmbeddingOptions(pooling: .perToken)))
            let expected = Self.maxSim(
                query.vectors.map { $0.map { Double($0) } }, document.vectors.map { $0.map { Double($0) } })
            #expect(abs(Double(query.lateInteraction(with: document)) - expected) < 1e-5)
            if count < 24 {
                let error = await #expect(throws: LeapGenerationException.self) {
                    try await runner.rank(query: "a", embeddings: [whole, document])
                }
                #expect(error?.message.contains("document 1 has vectors of \(count)") == true)
            }
        }
        let pooled = try await runner.embed("a device", options: EmbeddingOptions(pooling: .mean))
        let error = await #expect(throws: LeapGenerationException.self) {
            try await runner.rank(query: "a", embeddings: [whole, pooled])
        }
        #expect(error?.message.contains("document 1 has 1 vectors") == true)
    }

    @Test("Texts that are too long are errors that name them, or documents cut where that is allowed")
    func tooLong() async throws {
        let runner = try await Self.model()
        let documents = ["time", String(repeating: "time ", count: runner.contextSize)]
        let error = await #expect(throws: LeapGenerationPromptExceedContextLengthException.self) {
            try await runner.rank(query: "a", documents: documents)
        }
        #expect(error?.message.contains("document 1 has") == true && error?.availableTokens == runner.contextSize)
        let options = RankingOptions(truncate: true)
        let found = try await runner.rank(query: "a", documents: documents, options: options)
        let cut = try #require(found.first { $0.index == 1 })
        #expect(cut.isTruncated && cut.tokenCount == runner.contextSize && found.count { $0.isTruncated } == 1)
        let hopeless = await #expect(throws: LeapGenerationPromptExceedContextLengthException.self) {
            try await runner.rank(query: documents[1], documents: ["time"], options: options)
        }
        #expect(hopeless?.message.contains("the query has") == true)
    }

    @Test("More documents than are tokenised at once keep their places")
    func many() async throws {
        let runner = try await Self.model()
        let documents = (0..<300).map { "How many tokens are in \($0) words?" }
        let found = try await runner.rank(query: "words", documents: documents)
        #expect(found.map(\.index).sorted() == Array(0..<300))
        for index in [0, 255, 256, 299] {
            let alone = try await runner.rank(query: "words", documents: [documents[index]])
            #expect(found.first { $0.index == index }?.logit == alone[0].logit)
        }
    }
}

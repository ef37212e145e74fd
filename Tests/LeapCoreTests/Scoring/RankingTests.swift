import Foundation
import LeapCore
import LeapDemoModel
import LeapTestTraits
import Testing

/// Documents in the order in which they answer a query through the API, on tiny random models.
@Suite(.inTurns)
struct RankingTests {
    private static func url(_ name: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/embeddings/\(name).gguf")
    }

    private static let query = "How many tokens are in a word?"
    private static let documents = [
        "Once upon a time there was an engine.", "", "tokens", "How many tokens are in 1234567 words? Not many.",
        "Once upon a time there was an engine.",
    ]

    @Test("Documents come in order, each as it is alone", arguments: ["bert-rank", "modern-bert-rank"])
    func order(name: String) async throws {
        let runner = try await Leap.load(url: Self.url(name))
        let found = try await runner.rank(query: Self.query, documents: Self.documents)
        #expect(Set(found.map(\.index)) == [0, 1, 2, 3, 4])
        for (better, worse) in zip(found, found.dropFirst()) { #expect(better.logit >= worse.logit) }
        for ranking in found {
            let alone = try await runner.rank(query: Self.query, documents: [Self.documents[ranking.index]])
            #expect(alone.count == 1 && alone[0].logit == ranking.logit && alone[0].tokenCount == ranking.tokenCount)
            #expect(abs(Double(ranking.relevance) - 1 / (1 + exp(-Double(ranking.logit)))) < 1e-6)
            #expect(!ranking.isTruncated)
        }
        // Equal documents are told apart by their place.
        let places = found.map(\.index)
        let (first, last) = (try #require(places.firstIndex(of: 0)), try #require(places.firstIndex(of: 4)))
        #expect(last == first + 1)
        #expect(try await runner.rank(query: Self.query, documents: []).isEmpty)
        let other = try await runner.rank(query: "time", documents: Self.documents)
        #expect(other.map(\.logit) != found.map(\.logit))
    }

    @Test("A document that is too long is an error that names it, or cut where that is allowed")
    func tooLong() async throws {
        let runner = try await Leap.load(url: Self.url("bert-rank"))
        let documents = ["time", String(repeating: "time ", count: 400)]
        let error = await #expect(throws: LeapGenerationPromptExceedContextLengthException.self) {
            try await runner.rank(query: Self.query, documents: documents)
        }
        #expect(error?.message.contains("document 1") == true && error?.availableTokens == 160)
        let options = RankingOptions(truncate: true)
        let found = try await runner.rank(query: Self.query, documents: documents, options: options)
        let cut = try #require(found.first { $0.index == 1 })
        #expect(cut.isTruncated && cut.tokenCount == 160 && found.count { $0.isTruncated } == 1)
        // A query that leaves no room cannot be helped.
        let hopeless = await #expect(throws: LeapGenerationPromptExceedContextLengthException.self) {
            try await runner.rank(query: documents[1], documents: ["time"], options: options)
        }
        #expect(hopeless?.message.contains("query") == true)
    }

    @Test("More documents than are tokenised at once keep their places")
    func many() async throws {
        let runner = try await Leap.load(url: Self.url("modern-bert-rank"))
        let documents = (0..<300).map { "How many tokens are in \($0) words?" }
        let found = try await runner.rank(query: "words", documents: documents)
        #expect(found.map(\.index).sorted() == Array(0..<300))
        for index in [0, 255, 256, 299] {
            let alone = try await runner.rank(query: "words", documents: [documents[index]])
            #expect(found.first { $0.index == index }?.logit == alone[0].logit)
        }
    }

    @Test("Models of other kinds say that they do not rank, and a reranker that it makes no vectors")
    func otherKinds() async throws {
        for url in [Self.url("bert-mean"), try LeapDemoModel.url] {
            let runner = try await Leap.load(url: url)
            let error = await #expect(throws: LeapGenerationException.self) {
                try await runner.rank(query: "a", documents: ["b"])
            }
            #expect(error?.message.contains("reranker") == true)
        }
        let runner = try await Leap.load(url: Self.url("bert-rank"))
        let error = await #expect(throws: LeapGenerationException.self) { try await runner.embed("a") }
        #expect(error?.message.contains("rank") == true)
        #expect(try await runner.embed("a", options: EmbeddingOptions(pooling: .cls)).vector.count == 32)
        await #expect(throws: LeapGenerationException.self) {
            for try await _ in runner.createConversation().generateResponse(userTextMessage: "Hello.") {}
        }
        await runner.unload()
        let unloaded = await #expect(throws: LeapGenerationException.self) {
            try await runner.rank(query: "a", documents: ["b"])
        }
        #expect(unloaded?.message.contains("unloaded") == true)
    }
}

import Foundation
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore

/// Markers of queries and documents, on a tiny random ColBERT model whose vocabulary has them.
@Suite(.inTurns)
struct TextMarkerTests {
    private static let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/embeddings/lfm2-colbert.gguf")
    private static let documents = ["Once upon a time, there was a device.", "words!", "?!", "[D] time", ""]

    private static func runner(dropping dropped: String? = nil) async throws -> LiquidInferenceEngineRunner {
        let url = try MarkedModelFile.write(source.path, dropping: dropped)
        defer { try? FileManager.default.removeItem(at: url) }
        return try #require(try await Leap.load(url: url) as? LiquidInferenceEngineRunner)
    }

    /// The vectors of a text's tokens with a marker behind the start, without those of punctuation.
    private static func vectors(
        _ runner: LiquidInferenceEngineRunner, _ text: String, _ marker: TokenID, dropsPunctuation: Bool
    ) async throws -> [[Float]] {
        let tokenizer = try runner.promptSource().builder.tokenizer
        var tokens = tokenizer.encode(text)
        if tokens.dropFirst().first != marker { tokens.insert(marker, at: 1) }
        let read = try await runner.embed([.tokens(tokens)], options: EmbeddingOptions(pooling: .perToken))
        let marks = Set("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~".map { String($0) })
        #expect(marks.count == 32)
        return zip(read[0].vectors, tokens).filter { !dropsPunctuation || !marks.contains(tokenizer.text(of: $1)) }
            .map(\.0)
    }

    @Test("A text has the marker of its role behind its start, and a document no vectors of punctuation")
    func roles() async throws {
        let runner = try await Self.runner()
        #expect(runner.marksRoles)
        let plain = try await runner.embed(Self.documents, options: EmbeddingOptions(pooling: .perToken))
        for role in EmbeddingOptions.Role.allCases {
            let marker = role == .query ? MarkedModelFile.query : MarkedModelFile.document
            let isDocument = role == .document
            let found = try await runner.embed(Self.documents, options: EmbeddingOptions(role: role))
            for (index, text) in Self.documents.enumerated() {
                let expected = try await Self.vectors(runner, text, marker, dropsPunctuation: isDocument)
                #expect(found[index].vectors == expected, "\(text)")
                let hasMarker = isDocument && text.hasPrefix("[D] ")
                #expect(found[index].tokenCount == plain[index].tokenCount + (hasMarker ? 0 : 1))
            }
        }
        // The start and the marker of "?!".
        let marks = try await runner.embed("?!", options: EmbeddingOptions(role: .document))
        #expect(marks.vectors.count == 2 && marks.tokenCount > 3)
    }

    @Test("Rankings have the markers, also of documents that were read before, unless the options leave them out")
    func ranking() async throws {
        let runner = try await Self.runner()
        let kept = try await runner.embed(Self.documents, options: EmbeddingOptions(role: .document))
        let asked = try await runner.embed("time", options: EmbeddingOptions(role: .query))
        let found = try await runner.rank(query: "time", documents: Self.documents)
        #expect(try await runner.rank(query: "time", embeddings: kept) == found)
        for ranking in found { #expect(ranking.logit == asked.lateInteraction(with: kept[ranking.index])) }
        #expect(found.first?.queryTokenCount == asked.tokenCount)

        let options = RankingOptions(marksRoles: false)
        let bare = try await runner.embed(Self.documents, options: EmbeddingOptions(pooling: .perToken))
        let plain = try await runner.rank(query: "time", documents: Self.documents, options: options)
        #expect(plain != found && plain.first?.queryTokenCount == asked.tokenCount - 1)
        #expect(try await runner.rank(query: "time", embeddings: bare, options: options) == plain)
    }

    @Test("A text that is cut keeps its marker, which takes the place of a token")
    func truncation() async throws {
        let runner = try await Self.runner()
        let long = String(repeating: "time ", count: runner.contextSize)
        let cut = try await runner.embed(long, options: EmbeddingOptions(role: .query, truncate: true))
        #expect(cut.isTruncated && cut.tokenCount == runner.contextSize)
        await #expect(throws: LeapGenerationPromptExceedContextLengthException.self) {
            try await runner.embed(long, options: EmbeddingOptions(role: .query))
        }
    }

    @Test("A role without markers, or without a vector for each token, is an error; rankings then have no markers")
    func refused() async throws {
        for dropped in ["[Q] ", "[D] "] {
            let runner = try await Self.runner(dropping: dropped)
            #expect(!runner.marksRoles)
            let error = await #expect(throws: LeapGenerationException.self) {
                try await runner.embed("a", options: EmbeddingOptions(role: .query))
            }
            #expect(error?.message.contains("no markers") == true)
            let plain = try await runner.embed("a", options: EmbeddingOptions(pooling: .perToken))
            #expect(try await runner.rank(query: "a", documents: ["b"]).first?.queryTokenCount == plain.tokenCount)
        }
        let runner = try await Self.runner()
        var options = EmbeddingOptions(pooling: .mean)
        options.role = .query
        let pooled = options
        let error = await #expect(throws: LeapGenerationException.self) {
            try await runner.embed("a", options: pooled)
        }
        #expect(error?.message.contains("perToken") == true)
    }
}

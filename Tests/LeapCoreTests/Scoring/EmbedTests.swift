import Foundation
import LeapCore
import LeapDemoModel
import LeapTestTraits
import Testing

/// Vectors of texts through the API, on tiny random models.
@Suite(.inTurns)
struct EmbedTests {
    private static func url(_ name: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .appendingPathComponent("Fixtures/embeddings/\(name).gguf")
    }

    private static let texts = ["Once upon a time.", "How many tokens are in 1234567 words?", "", "a"]

    @Test(
        "Each text has a vector of length 1, by the file's pooling",
        arguments: ["bert-mean", "bert-cls", "lfm2-retrieval", "qwen3-last"])
    func vectors(name: String) async throws {
        let runner = try await Leap.load(url: Self.url(name))
        let found = try await runner.embed(Self.texts)
        #expect(found.count == Self.texts.count)
        for (text, embedding) in zip(Self.texts, found) {
            #expect(embedding.vectors.count == 1 && embedding.tokenCount > 0 && !embedding.isTruncated)
            #expect(abs(embedding.similarity(to: embedding) - 1) < 1e-5)
            #expect(try await runner.embed(text) == embedding)
        }
        let pooling =
            EmbeddingOptions.Pooling(rawValue: name.split(separator: "-").last.map { String($0) } ?? "") ?? .cls
        #expect(try await runner.embed(Self.texts, options: EmbeddingOptions(pooling: pooling)) == found)
        #expect(runner.statistics.computedPromptTokens > 0)
    }

    @Test("Pooling and length are as the options say")
    func options() async throws {
        let runner = try await Leap.load(url: Self.url("bert-mean"))
        let text = Self.texts[1]
        let mean = try await runner.embed(text)
        for pooling in [EmbeddingOptions.Pooling.cls, .last] {
            #expect(try await runner.embed(text, options: EmbeddingOptions(pooling: pooling)) != mean)
        }
        let each = try await runner.embed(text, options: EmbeddingOptions(pooling: .perToken))
        #expect(each.vectors.count == each.tokenCount && each.tokenCount > 5)
        let raw = try await runner.embed(text, options: EmbeddingOptions(normalize: false))
        let length = raw.similarity(to: raw).squareRoot()
        #expect(abs(length - 1) > 1e-3)
        for (a, b) in zip(raw.vector, mean.vector) { #expect(abs(a / length - b) < 1e-5) }
    }

    @Test("A model that writes text embeds by its last token")
    func generative() async throws {
        let runner = try await Leap.load(url: LeapDemoModel.url)
        let texts = ["Tell me a story about a fox.", "Tell me a tale about a fox.", "3 + 4"]
        let found = try await runner.embed(texts)
        #expect(try await runner.embed(texts, options: EmbeddingOptions(pooling: .last)) == found)
        #expect(found[0].similarity(to: found[1]) > found[0].similarity(to: found[2]))
    }

    @Test("A text that is too long is an error, or cut where that is allowed")
    func tooLong() async throws {
        let runner = try await Leap.load(url: Self.url("bert-mean"))
        let long = Self.texts + [String(repeating: "time ", count: 400)]
        let error = await #expect(throws: LeapGenerationPromptExceedContextLengthException.self) {
            try await runner.embed(long)
        }
        #expect(error?.message.contains("text 4") == true)
        #expect(error?.availableTokens == 160 && (error?.neededTokens ?? 0) > 160)
        let cut = try await runner.embed(long, options: EmbeddingOptions(truncate: true))
        #expect(cut[4].isTruncated && cut[4].tokenCount == 160)
        #expect(cut.prefix(4).allSatisfy { !$0.isTruncated })
        let exact = try await runner.embed(Self.texts)
        #expect(Array(cut.prefix(4)) == exact)
    }

    @Test("More texts than are tokenised at once come in order")
    func many() async throws {
        let runner = try await Leap.load(url: Self.url("bert-cls"))
        let texts = (0..<600).map { "How many tokens are in \($0) words?" }
        let found = try await runner.embed(texts)
        #expect(found.count == 600)
        for index in [0, 255, 256, 599] { #expect(try await runner.embed(texts[index]) == found[index]) }
        #expect(try await runner.embed([String]()).isEmpty)
    }

    @Test("A file that names no pooling asks for one")
    func noPooling() async throws {
        let runner = try await Leap.load(url: Self.url("lfm2-colbert"))
        let error = await #expect(throws: LeapGenerationException.self) { try await runner.embed("a") }
        #expect(error?.message.contains("pooling") == true)
        let each = try await runner.embed(
            "Once upon a time.", options: EmbeddingOptions(pooling: .perToken))
        #expect(each.vectors.count == each.tokenCount && each.vector.count == 24)
    }

    @Test(
        "Chat with a model that makes vectors is refused by an error that says what it is for",
        arguments: ["bert-mean", "lfm2-retrieval", "lfm2-colbert"])
    func chat(name: String) async throws {
        let runner = try await Leap.load(url: Self.url(name))
        let error = await #expect(throws: LeapGenerationException.self) {
            for try await _ in runner.createConversation().generateResponse(userTextMessage: "Hello.") {}
        }
        #expect(error?.message.contains("embed") == true, "\(error?.message ?? "")")
        let score = await #expect(throws: LeapGenerationException.self) { try await runner.score("Hello there.") }
        #expect(score?.message.contains("embed") == true)
    }

    @Test("Unloading and cancelling end it with their errors")
    func ends() async throws {
        let runner = try await Leap.load(url: Self.url("bert-mean"))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await runner.embed(Self.texts)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        await runner.unload()
        let error = await #expect(throws: LeapGenerationException.self) { try await runner.embed("a") }
        #expect(error?.message.contains("unloaded") == true)
    }
}

import Foundation
import LeapCore
import LeapGGUF
import LeapTestSupport
import LeapTestTraits
import Testing

/// Masks in texts through the API, on a tiny random model.
@Suite(.inTurns)
struct FillMaskTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures")
    private static let source = folder.appendingPathComponent("embeddings/modern-bert-rank.gguf").path
    private static let mask = MaskedModelFile.mask.name

    /// Loads a model of a file that is removed behind it.
    private static func load(_ changes: [String: GGUFValue?] = [:]) async throws -> any ModelRunner {
        let url = try MaskedModelFile.write(source, changing: changes)
        defer { try? FileManager.default.removeItem(at: url) }
        return try await Leap.load(url: url)
    }

    @Test("Each mask has its words, most likely first, as many as are asked for")
    func words() async throws {
        let runner = try await Self.load()
        let text = "once upon a \(Self.mask) there was \(Self.mask)"
        let found = try await runner.fillMask(text)
        #expect(found.count == 2 && found.allSatisfy { $0.candidates.count == 5 } && found[0] != found[1])
        for mask in found {
            let probabilities = mask.candidates.map(\.probability)
            #expect(probabilities == probabilities.sorted(by: >) && probabilities.allSatisfy { (0...1).contains($0) })
        }
        let all = try await runner.fillMask(text, options: FillMaskOptions(count: 1_000_000))
        #expect(abs(all[0].candidates.reduce(0) { $0 + $1.probability } - 1) < 1e-3)
        #expect(all.map { Array($0.candidates.prefix(5)) } == found.map(\.candidates))
        let coded = try JSONDecoder().decode([MaskedWord].self, from: JSONEncoder().encode(found))
        #expect(coded == found)
    }

    @Test("Other control tokens in the text are text")
    func literal() async throws {
        let runner = try await Self.load()
        func count(_ text: String) async throws -> Int {
            let before = runner.statistics.computedPromptTokens
            #expect(try await runner.fillMask(text).count == 1)
            return runner.statistics.computedPromptTokens - before
        }
        // As a control token it would be one.
        let (plain, spelled) = (try await count("a \(Self.mask) b"), try await count("a \(Self.mask) b<|im_end|>"))
        #expect(plain > 2 && spelled > plain + 3)
    }

    @Test("What cannot be filled is an error that says what to do")
    func refused() async throws {
        let runner = try await Self.load()
        func message(_ runner: any ModelRunner, _ text: String, count: Int = 5) async -> String {
            let error = await #expect(throws: LeapGenerationException.self) {
                try await runner.fillMask(text, options: FillMaskOptions(count: count))
            }
            return error?.message ?? ""
        }
        #expect(await message(runner, "a text").contains("write \(Self.mask)"))
        #expect(await message(runner, "a \(Self.mask)", count: 0).contains("count"))
        let long = await #expect(throws: LeapGenerationPromptExceedContextLengthException.self) {
            try await runner.fillMask(String(repeating: "time ", count: 400) + Self.mask)
        }
        #expect(long?.availableTokens == runner.contextSize && (long?.neededTokens ?? 0) > runner.contextSize)
        await runner.unload()
        #expect(await message(runner, Self.mask).contains("unloaded"))

        let maskless = try await Self.load(["tokenizer.ggml.mask_token_id": nil])
        let missing = await message(maskless, Self.mask)
        #expect(missing.contains("tokenizer.ggml.mask_token_id") && missing.contains(".gguf"))
        let causal = try await Leap.load(url: Self.folder.appendingPathComponent("lfm2.gguf"))
        let found = await message(causal, Self.mask)
        #expect(found.contains("lfm2.gguf") && found.contains("a causal model"), "\(found)")
        let headless = try await Leap.load(url: Self.folder.appendingPathComponent("embeddings/bert-mean.gguf"))
        #expect(await message(headless, "a [MASK]").contains("cls.weight"))
    }
}

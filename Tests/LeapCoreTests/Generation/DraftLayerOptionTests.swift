import Foundation
import LeapCore
import LeapGGUF
import LeapTestSupport
import LeapTestTraits
import Testing

/// The effects of `draftLayers` in the extras, and the statistics that show them.
@Suite(.inTurns)
struct DraftLayerOptionTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures")
    private static let template = "{% for message in messages %}{{ message.content }}{% endfor %}"

    /// Writes a model with a block that predicts further tokens, both random.
    private static func write(in folder: borrowing TemporaryFolder) throws -> URL {
        let trunk = try GGUFFile.open(path: fixtures.appendingPathComponent("qwen35.gguf").path)
        let block = try GGUFFile.open(path: fixtures.appendingPathComponent("mtp/mtp-qwen35.gguf").path)
        var writer = GGUFWriter(copyingMetadataOf: block)
        for tensor in trunk.tensors { try writer.add(tensor) }
        for tensor in block.tensors where trunk.tensor(tensor.name) == nil { try writer.add(tensor) }
        let url = folder.url.appendingPathComponent("whole.gguf")
        try writer.write(to: url.path)
        return url
    }

    private func run(
        _ url: URL, _ extras: String?, generation: String? = nil
    ) async throws -> (text: String, statistics: ModelStatistics) {
        let runner = try await Leap.load(
            url: url,
            options: LiquidInferenceEngineOptions(
                bundlePath: url.path, contextSize: 256, chatTemplate: Self.template, extras: extras))
        var text = ""
        let options = GenerationOptions(temperature: 0, maxTokens: 40, extras: generation)
        for try await response in runner.createConversation().generateResponse(
            userTextMessage: "Hello, hello, hello", generationOptions: options)
        {
            if case .chunk(let chunk) = response { text += chunk }
        }
        return (text, runner.statistics)
    }

    @Test("The reply is the same; layers of the model propose unless they are off, at most as many tokens as asked for")
    func effect() async throws {
        let folder = try TemporaryFolder()
        let url = try Self.write(in: folder)
        let off = try await run(url, #"{"draftLayers":"off"}"#)
        #expect(off.statistics.draftedTokens == 0 && off.statistics.draftedTokensByPosition.isEmpty)
        for extras in [nil, #"{"draftLayers":"auto"}"#, #"{"draftLayers":1}"#] {
            let on = try await run(url, extras)
            #expect(on.text == off.text && on.statistics.draftedTokens > 0)
            #expect(on.statistics.draftedTokensByPosition.reduce(0, +) == on.statistics.draftedTokens)
            #expect(on.statistics.acceptedTokensByPosition.reduce(0, +) == on.statistics.acceptedTokens)
            if extras?.contains("1") == true { #expect(on.statistics.draftedTokensByPosition.count == 1) }
        }
        let without = try await run(url, nil, generation: #"{"speculation":"off"}"#)
        #expect(without.text == off.text && without.statistics.draftedTokens == 0)
    }

    @Test("A model that is loaded with 'speculation' off proposes nothing, unless a generation asks for it")
    func explicitOff() async throws {
        let folder = try TemporaryFolder()
        let url = try Self.write(in: folder)
        for extras in [#"{"speculation":"off"}"#, #"{"speculation":{"mode":"off"},"draftLayers":"auto"}"#] {
            #expect(try await run(url, extras).statistics.draftedTokens == 0)
            #expect(try await run(url, extras, generation: #"{"speculation":"draft"}"#).statistics.draftedTokens > 0)
        }
    }

    @Test("A file with the layers alone is a draft model, and values that are not known are refused by name")
    func apart() async throws {
        let trunk = Self.fixtures.appendingPathComponent("qwen35.gguf")
        let block = Self.fixtures.appendingPathComponent("mtp/mtp-qwen35.gguf").path
        let plain = try await run(trunk, nil)
        let apart = try await run(trunk, #"{"speculation":{"draftModel":"\#(block)"}}"#)
        #expect(apart.text == plain.text && apart.statistics.draftedTokens > 0 && plain.statistics.draftedTokens == 0)
        let missing = await #expect(throws: LeapModelLoadingException.self) {
            try await run(trunk, #"{"draftLayers":2}"#)
        }
        #expect(missing?.message.contains("has no layers that predict further tokens") == true)
        for value in ["0", "17", "true", #""all""#] {
            let error = await #expect(throws: LeapModelLoadingException.self) {
                try await run(trunk, #"{"draftLayers":\#(value)}"#)
            }
            #expect(error?.message.contains("'draftLayers' in the extras") == true, "\(value)")
        }
    }
}

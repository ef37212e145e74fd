import Foundation
import LeapGGUF
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The demo model's block that predicts further tokens, which was trained: the tokens that it proposes are right.
@Suite(.inTurns)
struct DemoDraftLayerTests {
    private static let block = Fixture.folder.appendingPathComponent("demo/mtp-leap-demo-Q8_0.gguf").path
    private static let questions = [
        "Tell me a story about a fox.", "What is the capital of France?", "Count to 9.",
    ]

    private static func engine(
        _ model: Model, draft: (any DraftSource)? = nil, _ change: (inout EngineOptions) -> Void = { _ in }
    ) throws -> SteppedEngine {
        try SteppedEngine(model, draft: draft) { options in
            options.keyValueType = .f16
            options.draftCost = 0.1
            change(&options)
        }
    }

    private static func request(_ question: String, _ model: Model, _ speculation: Speculation) -> GenerationRequest {
        let text = "<|im_start|>user\n\(question)<|im_end|>\n<|im_start|>assistant\n"
        var request = GenerationRequest(
            prompt: model.tokenizer.encode(text, parseSpecial: true), sampling: .greedy, maxTokens: 60)
        request.speculation = speculation
        return request
    }

    @Test("Of what the block proposes, at least half is right, and the text is the same as without")
    func accepted() throws {
        let model = try Model.load(path: Fixture.demoPath)
        let engine = try Self.engine(model, draft: try DraftSources.load(path: Self.block))
        var (drafted, accepted) = (0, 0)
        for question in Self.questions {
            let plain = engine.start(Self.request(question, model, .off))
            engine.runToEnd()
            let checked = engine.start(Self.request(question, model, .draft))
            engine.runToEnd()
            #expect(plain.tokens == checked.tokens && checked.error == nil)
            let progress = try #require(checked.result?.progress)
            drafted += progress.draftedTokens
            accepted += progress.acceptedTokens
        }
        #expect(drafted > 20 && 2 * accepted > drafted, "\(accepted) of \(drafted)")
    }

    @Test("In one file with the model, it proposes the same")
    func joined() throws {
        let block = try GGUFFile.open(path: Self.block)
        var writer = GGUFWriter(copyingMetadataOf: try GGUFFile.open(path: Fixture.demoPath))
        for key in block.metadata.keys where key.hasPrefix("lfm2.") {
            if let value = block.metadata[key] { writer.set(key, value) }
        }
        for tensor in try GGUFFile.open(path: Fixture.demoPath).tensors { try writer.add(tensor) }
        for tensor in block.tensors { try writer.add(tensor) }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).gguf")
        defer { try? FileManager.default.removeItem(at: file) }
        try writer.write(to: file.path)
        let joined = try Model.load(path: file.path)
        let both = [
            try Self.engine(
                try Model.load(path: Fixture.demoPath), draft: try DraftSources.load(path: Self.block)),
            try Self.engine(joined) { $0.draftLayers = .automatic },
        ]
        let results = both.map { engine in
            let running = engine.start(Self.request(Self.questions[1], joined, .draft))
            engine.runToEnd()
            return running
        }
        #expect(results[0].tokens == results[1].tokens && !results[0].tokens.isEmpty)
        #expect(results[0].result?.progress.draftedTokens == results[1].result?.progress.draftedTokens)
        #expect(results[0].result?.progress.acceptedTokens ?? 0 > 0)
    }
}

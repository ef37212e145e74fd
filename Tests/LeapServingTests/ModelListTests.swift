import Foundation
import LeapCore
import LeapJSON
import Testing

@testable import LeapServing

/// The contents of the list of models.
@Suite(.timeLimit(.minutes(30)))
struct ModelListTests {
    private static func modalities(_ model: JSONValue?) -> [[String]] {
        ["input_modalities", "output_modalities"].map { name in
            (model?["architecture"]?[name]?.array ?? []).compactMap(\.string)
        }
    }

    /// The demo model that hears and speaks.
    private static var speaker: ServedModel {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let name = "Sources/LeapAudioDemoModel/Resources/leap-audio-demo-Q8_0.gguf"
        return ModelCatalog.model(path: root.appendingPathComponent(name).path, id: "speaker")
    }

    private static func list(_ server: Server) async throws -> [String: JSONValue] {
        let reply = try WholeReply(await server.reply(to: ServerRequest(method: "GET", path: "/v1/models")))
        let models = reply.body["data"]?.array ?? []
        return Dictionary(uniqueKeysWithValues: models.map { ($0["id"]?.string ?? "", $0) })
    }

    @Test("What each model takes and gives is told by its files, and nothing is loaded for it")
    func modalities() async throws {
        var deaf = AudioRequestTests.model()
        deaf.id = "deaf"
        if case .files(var files) = deaf.source {
            // A projector whose vectors this model does not take.
            files.modelPath = ServingSupport.fixture("qwen3-odd-heads").path
            deaf.source = .files(files)
        }
        let server = try ServingSupport.server([
            ServingSupport.demo(), ServingSupport.fixture("vision/vision"), AudioRequestTests.model(), deaf,
            ServingSupport.fixture("embeddings/bert-mean"), ServingSupport.fixture("embeddings/lfm2-colbert"),
            ServingSupport.fixture("embeddings/lfm2-retrieval"), ServingSupport.fixture("embeddings/qwen3-last"),
            ServingSupport.fixture("embeddings/bert-rank"), ServingSupport.fixture("embeddings/nomic-bert"),
            Self.speaker,
        ])
        let models = try await Self.list(server)
        let expected: [String: [[String]]] = [
            "demo": [["text"], ["text"]], "vision": [["text", "image"], ["text"]],
            "ears": [["text", "audio"], ["text"]], "deaf": [["text"], ["text"]],
            "bert-mean": [["text"], ["embeddings"]], "lfm2-colbert": [["text"], ["embeddings"]],
            "lfm2-retrieval": [["text"], ["embeddings"]], "qwen3-last": [["text"], ["text"]],
            "bert-rank": [["text"], ["scores"]], "nomic-bert": [["text"], ["embeddings"]],
            "speaker": [["text", "audio"], ["text", "audio"]],
        ]
        for (id, value) in expected { #expect(Self.modalities(models[id]) == value, "\(id)") }
        #expect(models.values.allSatisfy { $0["loaded"]?.bool == false })
    }

    @Test("A loaded model tells the same as its files did, and a file that is no model tells nothing")
    func loaded() async throws {
        let broken = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).gguf")
        try Data("no model".utf8).write(to: broken)
        defer { try? FileManager.default.removeItem(at: broken) }
        let server = try ServingSupport.server(
            [ServingSupport.fixture("vision/vision"), ModelCatalog.model(path: broken.path, id: "broken")])
        let before = try await Self.list(server)
        _ = try await server.post("/api/show", #"{"model": "vision"}"#)
        let after = try await Self.list(server)
        #expect(after["vision"]?["loaded"]?.bool == true)
        #expect(after["vision"]?["architecture"] == before["vision"]?["architecture"])
        #expect(before["broken"] != nil && before["broken"]?["architecture"] == nil)
        // A file that is replaced is read again.
        try FileManager.default.removeItem(at: broken)
        try FileManager.default.copyItem(atPath: ServingSupport.fixture("lfm2").path, toPath: broken.path)
        let mended = try await Self.list(server)["broken"]
        #expect(Self.modalities(mended) == [["text"], ["text"]])
    }
}

import Foundation
import LeapCore
import LeapDemoModel
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapServing

/// The contents of the list of models.
@Suite(.inTurns, .timeLimit(.minutes(30)))
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

    @Test("Anthropic's clients get the members of their protocol, and pages of the list")
    func anthropic() async throws {
        let server = try ServingSupport.server([
            ServingSupport.demo("a"), ServingSupport.demo("b"), ServingSupport.demo("c"),
        ])
        func get(_ target: String, _ headers: [String: String] = ["anthropic-version": "2023-06-01"]) async throws
            -> WholeReply
        {
            var request = ServerRequest(method: "GET", path: RequestPath.of(target: target), headers: headers)
            request.query = RequestQuery(target: target)
            return try await WholeReply(server.reply(to: request))
        }
        let list = try await get("/v1/models?limit=20")
        let models = try #require(list.body["data"]?.array)
        #expect(list.body["has_more"] == .bool(false) && list.body["first_id"] == "a" && list.body["last_id"] == "c")
        for model in [models[0], try await get("/v1/models/a").body] {
            #expect(model["type"] == "model" && model["display_name"] == "a" && model["object"] == "model")
            #expect(model["created_at"]?.string?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
        }
        for (query, ids, more) in [
            ("limit=2", ["a", "b"], true), ("limit=2&after_id=b", ["c"], false), ("limit=1&before_id=c", ["b"], true),
            ("after_id=c", [], false), ("before_id=a", [], false),
        ] {
            let page = try await get("/v1/models?" + query)
            #expect((page.body["data"]?.array ?? []).compactMap { $0["id"]?.string } == ids, "\(query)")
            #expect(page.body["has_more"] == .bool(more), "\(query)")
        }
        for query in ["limit=0", "limit=x", "after_id=none"] {
            #expect(try await get("/v1/models?" + query).status == 400, "\(query)")
        }
        // OpenAI's clients get what they got before.
        let plain = try await get("/v1/models?limit=1", [:])
        #expect(plain.body["data"]?.array?.count == 3 && plain.body["has_more"] == nil)
        #expect(plain.body["data"]?.array?.first?["created_at"] == nil)
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

    @Test("TypeSafe's clients get the list of their protocol too")
    func typeSafe() async throws {
        let server = try ServingSupport.server([ServingSupport.demo("a"), ServingSupport.demo("b")])
        let reply = try await WholeReply(
            server.reply(
                to: ServerRequest(method: "GET", path: "/v1/models", headers: ["x-typesafe-sdk": "python/0.7.5"])))
        let models = try #require(reply.body["models"]?.array)
        #expect(models.compactMap { $0["name"]?.string } == ["a", "b"])
        #expect(
            models.allSatisfy {
                $0["description"]?.string != nil
                    && $0["release_date"]?.string?.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil
            })
        #expect(reply.body["data"]?.array?.count == 2)
    }

    @Test("A decision model gives decisions, and text beside them only where its file has a chat template")
    func decisions() async throws {
        let plain = try DecisionModelFile.write(ServingSupport.fixture("lfm2").weightsPath, type: "openjev")
        let chats = try DecisionModelFile.write(try LeapDemoModel.url.path, type: "openjev")
        defer { for url in [plain, chats] { try? FileManager.default.removeItem(at: url) } }
        let server = try ServingSupport.server([
            ModelCatalog.model(path: plain.path, id: "plain"), ModelCatalog.model(path: chats.path, id: "chats"),
        ])
        let before = try await Self.list(server)
        #expect(Self.modalities(before["plain"]) == [["text"], ["decisions"]])
        #expect(Self.modalities(before["chats"]) == [["text"], ["text", "decisions"]])
        for name in ["plain", "chats"] {
            let show = try await server.post("/api/show", #"{"model": "\#(name)"}"#)
            let capabilities = show.body["capabilities"]?.array?.compactMap(\.string) ?? []
            #expect(capabilities.contains("decisions") && capabilities.contains("completion") == (name == "chats"))
            #expect(try await Self.list(server)[name]?["architecture"] == before[name]?["architecture"], "\(name)")
        }
        let reply = try await server.post(
            "/v1/systemone",
            #"{"model": "plain", "state": "s", "questions": {"a": {"type": "choice", "instructions": "b", "criteria": {"c": null, "d": null}}}}"#
        )
        #expect(reply.status == 200 && reply.body["reading"] == "trained", "\(reply.body)")
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

import Foundation
import LeapBase
import LeapDemoModel
import LeapJSON
import LeapSDK
import LeapTestTraits
import LeapTransfers
import Testing

@testable import LeapServing

/// The first questions of Ollama's clients, and their requests about models.
@Suite(.inTurns, .timeLimit(.minutes(30)))
struct OllamaModelTests {
    private func get(_ server: Server, _ path: String) async throws -> WholeReply {
        try await WholeReply(server.reply(to: ServerRequest(method: "GET", path: path)))
    }

    /// The oldest versions that clients accept: Copilot's chat, Codex, clients of `/v1/messages` and of decisions.
    static let leastVersions = [[0, 6, 4], [0, 13, 4], [0, 14, 2], [0, 35, 0]]

    @Test("The version is one of Ollama's that clients accept", arguments: leastVersions)
    func version(least: [Int]) async throws {
        let text = try await get(try ServingSupport.server(), "/api/version").body["version"]?.string ?? ""
        let parts = text.split(separator: ".").compactMap { Int($0) }
        #expect(parts.count == 3 && !parts.lexicographicallyPrecedes(least))
    }

    @Test("Models are told apart by their digests, which are those of their files")
    func digests() async throws {
        let folder = NSTemporaryDirectory() + "leap-digest-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var data = try Data(contentsOf: try LeapDemoModel.url)
        let copy = folder + "/copy.gguf"
        try data.write(to: URL(fileURLWithPath: copy))
        data[data.count - 1] ^= 1
        let other = folder + "/other.gguf"
        try data.write(to: URL(fileURLWithPath: other))
        let server = try ServingSupport.server([
            ServingSupport.demo(), ModelCatalog.model(path: copy), ModelCatalog.model(path: other),
            ServingSupport.fixture("lfm2"), ServingSupport.fixture("qwen3"),
            ModelCatalog.model(path: #filePath, id: "damaged"), ModelCatalog.model(path: folder + "/none", id: "gone"),
        ])
        let models = try await get(server, "/api/tags").body["models"]?.array ?? []
        let digests = models.compactMap { $0["digest"]?.string }
        #expect(models.count == 7 && digests.count == 7)
        #expect(digests.allSatisfy { $0.count == 64 && $0.allSatisfy(\.isHexDigit) })
        #expect(digests[0] == digests[1])
        #expect(Set(digests).count == 6)
        #expect(
            try await get(server, "/api/tags").body["models"]?.array?.compactMap { $0["digest"]?.string } == digests)
    }

    @Test("What a model is stands in its details, and in the keys that clients look up")
    func show() async throws {
        let server = try ServingSupport.server()
        let tags = try await get(server, "/api/tags").body["models"]?.array?.first?["details"]
        let reply = try await server.post("/api/show", #"{"model": "demo"}"#)
        let details = try #require(reply.body["details"])
        #expect(details == tags)
        #expect(details["parameter_size"]?.string?.hasSuffix("M") == true)
        #expect(details["quantization_level"]?.string?.isEmpty == false && details["quantization_level"] != "unknown")
        let info = try #require(reply.body["model_info"])
        let architecture = try #require(info["general.architecture"]?.string)
        #expect(details["family"]?.string == architecture)
        #expect(details["families"] == .array([.string(architecture)]))
        let context = try #require(info["\(architecture).context_length"]?.integer)
        #expect(context > 256 && info["general.context_length"]?.integer == context)
        #expect((info["\(architecture).embedding_length"]?.integer ?? 0) > 0)
        #expect((info["general.parameter_count"]?.integer ?? 0) > 1_000_000)
        var configuration = ModelPool.Configuration()
        configuration.contextSize = 256
        let short = try await ServingSupport.server(nil, configuration).post("/api/show", #"{"name": "demo"}"#)
        #expect(short.body["model_info"]?["\(architecture).context_length"]?.integer == 256)
    }

    @Test("Sizes are written as people write them")
    func sizes() throws {
        guard case .path(let path) = try ServingSupport.demo().source else { return }
        var description = try ModelDescription(reading: path)
        for (count, text) in [
            (7, "7"), (1000, "1K"), (12_340, "12.34K"), (361_821_120, "361.82M"), (1_170_340_608, "1.2B"),
            (8_000_000_000, "8B"), (70_600_000_000, "70.6B"),
        ] {
            description.parameterCount = count
            #expect(description.parameterSize == text)
        }
    }

    @Test("What is in memory is listed with the time that it goes; keep_alive says when, and 0 that it goes now")
    func running() async throws {
        let server = try ServingSupport.server()
        func models() async throws -> [JSONValue] { try await get(server, "/api/ps").body["models"]?.array ?? [] }
        #expect(try await models().isEmpty)
        let loaded = try await server.post("/api/chat", #"{"model": "demo", "messages": [], "keep_alive": "10m"}"#)
        #expect(loaded.body["done_reason"] == "load")
        let entry = try #require(try await models().first)
        #expect(
            entry["name"] == "demo" && entry["size_vram"]?.integer == 0 && (entry["context_length"]?.integer ?? 0) > 256
        )
        let tags = try await get(server, "/api/tags").body["models"]?.array
        #expect(entry["digest"] == tags?.first?["digest"])
        let expires = try Date(try #require(entry["expires_at"]?.string), strategy: .iso8601)
        #expect(abs(expires.timeIntervalSinceNow - 600) < 120)
        _ = try await server.post("/api/generate", #"{"model": "demo", "keep_alive": -1}"#)
        let later = try Date(try #require(try await models().first?["expires_at"]?.string), strategy: .iso8601)
        #expect(later.timeIntervalSinceNow > 86_400 * 365)
        let unloaded = try await server.post("/api/generate", #"{"model": "demo", "keep_alive": 0}"#)
        #expect(unloaded.body["done_reason"] == "unload" && unloaded.body["done"] == .bool(true))
        while try await !models().isEmpty { try await Task.sleep(for: .milliseconds(2)) }
        let answer = try await server.post(
            "/api/generate",
            #"{"model": "demo", "prompt": "Hi", "stream": false, "keep_alive": "0s", "options": {"num_predict": 2}}"#)
        #expect(answer.status == 200 && answer.headers["warning"] == nil)
        while try await !models().isEmpty { try await Task.sleep(for: .milliseconds(2)) }
        let refused = try await server.post("/api/generate", #"{"model": "demo", "keep_alive": "soon"}"#)
        #expect(refused.status == 400 && refused.body["error"]?.string?.contains("keep_alive") == true)
    }

    @Test(
        "Errors are texts under /api/, whatever is wrong",
        arguments: [
            ("POST", "/api/chat", #"{"model": "nothing", "messages": [{"role": "user", "content": "Hi"}]}"#, 404),
            ("POST", "/api/chat", #"{"#, 400), ("POST", "/api/show", #"{"model": "nothing"}"#, 404),
            ("GET", "/api/nothing", "", 404), ("GET", "/api/chat", "", 405), ("POST", "/api/embeddings", #"[]"#, 400),
            ("POST", "/api/generate", #"{"prompt": 3}"#, 400), ("POST", "/api/pull", #"{}"#, 400),
            ("POST", "/api/chat", #"{"messages": [{"role": "user", "content": "Hi"}], "format": 3}"#, 400),
            ("DELETE", "/api/delete", #"{}"#, 400), ("POST", "/api/copy", #"{"source": "demo"}"#, 400),
        ])
    func errors(method: String, path: String, body: String, status: Int) async throws {
        let reply = try await WholeReply(
            ServingSupport.server().reply(to: ServerRequest(method: method, path: path, body: Array(body.utf8))))
        #expect(reply.status == status)
        #expect(reply.body["error"]?.string?.isEmpty == false && reply.body.object?.count == 1)
    }

    @Test("A text has one vector, in the older way too")
    func embeddings() async throws {
        let server = try ServingSupport.server([ServingSupport.fixture("embeddings/bert-mean")])
        let one = try await server.post("/api/embeddings", #"{"model": "bert-mean", "prompt": "time"}"#)
        let new = try await server.post("/api/embed", #"{"model": "bert-mean", "input": "time", "dimensions": 0}"#)
        #expect(one.status == 200 && one.body["embedding"]?.array?.count == 36)
        #expect(one.body["embedding"] == new.body["embeddings"]?.array?.first)
        #expect(try await server.post("/api/embeddings", #"{"prompt": ""}"#).body["embedding"] == .array([]))
        #expect(try await server.post("/api/embeddings", #"{}"#).body["embedding"] == .array([]))
    }

    @Test("Pictures of generate are read as those of a chat; an older model says why it reads none")
    func pictures() async throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let picture = try Data(contentsOf: tests.appendingPathComponent("LeapVisionTests/Fixtures/17x9-RGB.png"))
            .base64EncodedString()
        let server = try ServingSupport.server([ServingSupport.fixture("vision/vision"), ServingSupport.demo()])
        let rest = #""stream": false, "options": {"num_predict": 2, "temperature": 0}"#
        let chat = try await server.post(
            "/api/chat",
            #"{"messages": [{"role": "user", "content": "What is it?", "images": ["\#(picture)"]}], \#(rest)}"#)
        #expect(chat.status == 200)
        for image in [picture, "data:image/png;base64,\(picture)"] {
            let reply = try await server.post(
                "/api/generate", #"{"prompt": "What is it?", "images": ["\#(image)"], \#(rest)}"#)
            #expect(reply.status == 200)
            #expect(reply.body["prompt_eval_count"] == chat.body["prompt_eval_count"])
            #expect(reply.body["response"] == chat.body["message"]?["content"])
        }
        for (body, words) in [
            (#"{"model": "demo", "prompt": "x", "images": ["\#(picture)"]}"#, "'images'"),
            (#"{"prompt": "x", "images": [3]}"#, "'images[0]'"), (#"{"prompt": "x", "images": ["AAAA"]}"#, "JPEG"),
            (#"{"prompt": "x", "raw": true, "images": ["\#(picture)"]}"#, "'raw'"),
        ] {
            let reply = try await server.post("/api/generate", body)
            #expect(reply.status == 400 && reply.body["error"]?.string?.contains(words) == true, "\(reply.body)")
        }
    }

    @Test("An empty format is none, and an empty system message is none")
    func empty() async throws {
        let server = try ServingSupport.server()
        let rest = #""stream": false, "options": {"num_predict": 4, "temperature": 0}"#
        let plain = try await server.post("/api/generate", #"{"prompt": "Hi", \#(rest)}"#)
        let empty = try await server.post("/api/generate", #"{"prompt": "Hi", "format": "", "system": "", \#(rest)}"#)
        #expect(empty.status == 200 && empty.body["response"] == plain.body["response"])
        #expect(empty.body["prompt_eval_count"] == plain.body["prompt_eval_count"])
    }

    @Test("A model gets another name, answers by it, and is removed again")
    func copies() async throws {
        let folder = NSTemporaryDirectory() + "leap-copy-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let downloader = LeapDownloader(config: LeapDownloaderConfig(saveDir: folder))
        let pool = ModelPool(
            catalog: ModelCatalog(given: [try ServingSupport.demo()], downloader: downloader), configuration: .init())
        let server = Server(pool: pool, access: AccessRules())
        func names() async throws -> [String?] {
            try await get(server, "/api/tags").body["models"]?.array?.map { $0["name"]?.string } ?? []
        }
        func delete(_ name: String) async throws -> WholeReply {
            try await WholeReply(
                server.reply(
                    to: ServerRequest(
                        method: "DELETE", path: "/api/delete", body: Array(#"{"model": "\#(name)"}"#.utf8))))
        }
        let first = try await server.post("/api/copy", #"{"source": "demo", "destination": "mine"}"#)
        #expect(first.status == 200 && first.body == .null)
        let second = try await server.post("/api/copy", #"{"source": "mine:latest", "destination": "yours:latest"}"#)
        #expect(second.status == 200)
        #expect(Set(try await names()) == ["demo", "mine", "yours"])
        let digests = try await get(server, "/api/tags").body["models"]?.array?.compactMap { $0["digest"]?.string }
        #expect(digests.map { Set($0).count } == 1)
        let answer = try await server.post(
            "/api/generate", #"{"model": "yours", "prompt": "Hi", "stream": false, "options": {"num_predict": 2}}"#)
        #expect(answer.status == 200 && answer.body["model"] == "yours")
        #expect(try await delete("mine").status == 200)
        #expect(try await delete("mine").status == 404)
        #expect(try await delete("yours").status == 200)
        #expect(try await names() == ["demo"])
        let given = try await delete("demo")
        #expect(given.status == 400 && given.body["error"]?.string?.contains("started with") == true)
        for (body, status) in [
            (#"{"source": "nothing", "destination": "x"}"#, 404), (#"{"source": "demo", "destination": "../x"}"#, 400),
            (#"{"source": "demo", "destination": "https://example.org/x.gguf"}"#, 400),
            (#"{"source": "demo", "destination": "demo"}"#, 400), (#"{"source": "demo", "destination": ""}"#, 400),
        ] {
            #expect(try await server.post("/api/copy", body).status == status, "\(body)")
        }
        #expect(try await names() == ["demo"])
        let closed = Server(pool: pool, access: AccessRules(), allowsPulls: false)
        #expect(try await closed.post("/api/copy", #"{"source": "demo", "destination": "x"}"#).status == 403)
    }
}

import Foundation
import LeapBase
import LeapDemoModel
import LeapHashing
import LeapJSON
import LeapSDK
import LeapTestTraits
import LeapTransfers
import MisbehavingServer
import Testing

@testable import LeapServing

/// Pulls, from a server on this machine in the place of Hugging Face.
@Suite(.inTurns, .timeLimit(.minutes(30)))
struct PullTests {
    @Test("A pull tells of files, digests and bytes; the model can be used then, and a second pull asks nobody")
    func pulls() async throws {
        let hub = try Hub()
        let lines = try await hub.pull()
        #expect(lines.first?["status"] == "pulling manifest")
        #expect(lines.last == .object(["status": "success"]))
        let steps = lines.filter { $0["completed"] != nil }
        #expect(!steps.isEmpty)
        for step in steps {
            #expect(step["status"] == "pulling demo-Q8_0.gguf")
            #expect(step["digest"]?.string == "sha256:\(hub.sha256)")
            #expect(step["total"]?.integer == hub.model.count)
        }
        let counts = steps.compactMap { $0["completed"]?.integer }
        #expect(counts == counts.sorted() && counts.last == hub.model.count)
        let models = try await WholeReply(
            hub.server.reply(to: ServerRequest(method: "GET", path: "/v1/models")))
        #expect(models.body["data"]?.array?.map { $0["id"] } == ["hf:owner/demo:Q8_0"])
        let reply = try await hub.server.post(
            "/v1/chat/completions",
            #"{"model": "hf:owner/demo:Q8_0", "messages": [{"role": "user", "content": "Hello!"}], "max_tokens": 2}"#)
        #expect(reply.status == 200)
        let count = hub.source.requests.count
        #expect(try await hub.pull().last == .object(["status": "success"]))
        let whole = try await hub.server.post("/api/pull", #"{"model": "hf.co/owner/demo:Q8_0", "stream": false}"#)
        #expect(whole.status == 200 && whole.body == .object(["status": "success"]))
        #expect(hub.source.requests.count == count)
    }

    @Test("A client that goes away stops the transfer; the next pull goes on from there")
    func stops() async throws {
        let hub = try Hub()
        hub.isHeld.withLock { $0 = true }
        let (halves, half) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await hub.pull { line in
                if let have = line["completed"]?.integer, have > hub.model.count / 4 { half.yield() }
            }
        }
        for await _ in halves { break }
        task.cancel()
        _ = await task.result
        let reference = try ModelReference.parse(Hub.name, endpoint: hub.source.url(""))
        guard case .stopped(let fraction) = hub.downloader.store.state(reference) else {
            Issue.record("it goes on: \(hub.downloader.store.state(reference))")
            return
        }
        #expect(fraction > 0.2 && fraction < 1)
        let before = hub.sent.withLock { $0 }
        hub.isHeld.withLock { $0 = false }
        let lines = try await hub.pull()
        #expect(lines.last == .object(["status": "success"]))
        #expect(hub.sent.withLock { $0 } - before < hub.model.count * 3 / 4)
    }

    @Test(
        "What cannot be fetched is refused by name",
        arguments: [
            (#"{}"#, 400, "'model' is missing"), (#"{"model": "a/b/c"}"#, 400, "hf:owner/name:QUANTIZATION"),
            (#"{"model": "hf:owner/none:Q8_0"}"#, 404, "/owner/none"),
            (#"{"model": "hf:owner/demo:Q2_K"}"#, 404, "Q2_K"),
            (#"{"model": "file:///etc/passwd.json"}"#, 400, "an address"),
            (#"{"model": "http://127.0.0.1/m.gguf"}"#, 400, "an address"),
        ])
    func refuses(body: String, status: Int, words: String) async throws {
        let hub = try Hub()
        let whole = try await hub.server.post(
            "/api/pull", String(body.dropLast()) + (body == "{}" ? "}" : #", "stream": false}"#))
        #expect(whole.status == status)
        #expect(whole.body["error"]?.string?.contains(words) == true, "\(whole.body)")
        guard status == 404 else { return }
        // A streamed pull has begun by then, so its last line has the error, as Ollama's.
        let lines = try await hub.pull(body)
        #expect(lines.last?["error"]?.string?.contains(words) == true)
    }

    @Test("A few models are fetched at a time, and a place is free again when its client is served")
    func places() async throws {
        let hub = try Hub()
        let request = ServerRequest(
            method: "POST", path: "/api/pull", body: Array(#"{"model": "hf:owner/demo:Q8_0"}"#.utf8))
        var replies: [ServerReply] = []
        for _ in 0..<PullRequests.maxPulls { replies.append(await hub.server.reply(to: request)) }
        #expect(replies.allSatisfy { $0.status == 200 })
        #expect(await hub.server.reply(to: request).status == 429)
        replies = []
        #expect(await hub.server.reply(to: request).status == 200)
    }

    @Test("A model that the server was started with is there; a server without a store fetches none")
    func given() async throws {
        let server = try ServingSupport.server()
        #expect(try await server.post("/api/pull", #"{"model": "demo"}"#).body == .object(["status": "success"]))
        #expect(try await server.post("/api/pull", #"{"model": "other"}"#).status == 404)
    }
}

/// A repository with one model, and a server that fetches from there.
private final class Hub: Sendable {
    static let name = "hf:owner/demo:Q8_0"
    let model: [UInt8]
    let sha256: String
    let source: MisbehavingServer.Server
    let downloader: LeapDownloader
    let server: LeapServing.Server
    /// The flag that makes the model's bytes stop half-way.
    let isHeld = Locked(false)
    let sent = Locked(0)
    private let folder = NSTemporaryDirectory() + "leap-pull-" + UUID().uuidString

    init() throws {
        let model = Array(try Data(contentsOf: try LeapDemoModel.url))
        self.model = model
        let sha256 = Hexadecimal.text(of: SHA256.hash(model))
        self.sha256 = sha256
        let (isHeld, sent) = (isHeld, sent)
        source = try MisbehavingServer.Server { request in
            switch request.path {
            case "/api/models/owner/demo/tree/main":
                return .text(
                    #"[{"type": "file", "path": "demo-Q8_0.gguf", "size": \#(model.count), "lfs": {"oid": "\#(sha256)", "size": \#(model.count)}}]"#
                )
            case "/owner/demo/resolve/main/demo-Q8_0.gguf":
                let range = request.range(size: model.count) ?? 0..<model.count
                return Reply(
                    status: 206,
                    fields: [
                        ("ETag", "\"m\""), ("Accept-Ranges", "bytes"),
                        ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(model.count)"),
                    ], body: .bytes(Array(model[range]))
                ).with {
                    $0.longestPiece = 64 << 10
                    $0.onSent = { count in sent.withLock { $0 += count } }
                    $0.isHeld = { isHeld.withLock { $0 } && sent.withLock { $0 } > model.count / 2 }
                }
            default: return Reply(status: 404)
            }
        }
        downloader = LeapDownloader(
            config: LeapDownloaderConfig(saveDir: folder, endpoint: source.url(""), maxAttempts: 2))
        server = LeapServing.Server(
            pool: ModelPool(catalog: ModelCatalog(given: [], downloader: downloader), configuration: .init()),
            access: AccessRules())
    }

    deinit {
        source.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The lines of a pull.
    func pull(
        _ body: String = #"{"model": "hf:owner/demo:Q8_0"}"#, each: @escaping @Sendable (JSONValue) -> Void = { _ in }
    ) async throws -> [JSONValue] {
        let reply = await server.reply(to: ServerRequest(method: "POST", path: "/api/pull", body: Array(body.utf8)))
        guard case .stream(let stream) = reply.body else { return [try WholeReply(reply).body] }
        let lines = Locked<[JSONValue]>([])
        try await stream { bytes in
            let line = try JSONParser.parse(bytes)
            lines.withLock { $0.append(line) }
            each(line)
        }
        return lines.withLock { $0 }
    }
}

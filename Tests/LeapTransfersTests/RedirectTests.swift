import Foundation
import LeapBase
import LeapHTTP
import LeapTestTraits
import LeapTransfers
import MisbehavingServer
import Testing

/// Redirects, credentials and addresses that expire.
@Suite(.inServerTurns, .timeLimit(.minutes(30)))
struct RedirectTests {
    let content = Content(count: 2_000_003)

    @Test("The token goes to the endpoint and to no other host, and the hash comes from the first answer")
    func tokenStaysHome() async throws {
        let content = content
        let storage = try Server { $0.serve(content) }
        defer { storage.stop() }
        let target = storage.url("/blob?signature=secret").absoluteString
        let bench = try Workbench({ $0.token = "hf_secret" }) { _ in
            .redirect(
                to: target,
                fields: [("x-linked-etag", "\"\(sha256(content.bytes))\""), ("x-linked-size", "\(content.count)")])
        }
        let model = try await bench.install()
        #expect(model.files[0].isVerified)
        #expect(bench.server.requests.allSatisfy { $0.fields["authorization"] == "Bearer hf_secret" })
        #expect(storage.requests.allSatisfy { $0.fields["authorization"] == nil })
        #expect(model.files[0].name == "model.gguf")
        let manifest = try String(contentsOfFile: model.folder + "/manifest.json", encoding: .utf8)
        #expect(!manifest.contains("secret"))
    }

    @Test("A signed address that expires on the way is asked for again at its origin")
    func expires() async throws {
        let content = content
        let bench = try Workbench({ $0.connections = 2 }) { request in
            if request.path == "/model.gguf" { return .redirect(to: "/blob?at=\(request.index)") }
            // Each signed address serves three requests.
            let age = request.index - (Int(request.target.split(separator: "=").last ?? "") ?? 0)
            return age <= 3 ? request.serve(content) : Reply(status: 403)
        }
        #expect(try bench.bytes(try await bench.install()) == content.bytes)
        #expect(bench.server.requests.filter { $0.path == "/model.gguf" }.count > 1)
    }

    @Test("Redirects in a loop and without end are given up", arguments: [true, false])
    func loops(cycle: Bool) async throws {
        let bench = try Workbench { request in .redirect(to: cycle ? "/model.gguf" : "/model.gguf?\(request.index)") }
        let error = await failure { try await bench.install() }
        #expect(error?.code == .tooManyRedirects)
        #expect(bench.server.requests.count <= 11)
    }

    @Test(
        "Redirects to other schemes are not followed",
        arguments: ["ftp://127.0.0.1/x", "file:///etc/passwd", "gopher://x/"])
    func otherSchemes(location: String) async throws {
        let bench = try Workbench { _ in .redirect(to: location) }
        let error = await failure { try await bench.install() }
        #expect(error?.code == .invalidAddress || error?.code == .protocolViolation)
        #expect(bench.visibleModels.isEmpty)
    }

    @Test("A redirect from https to http is not followed")
    func downgrade() async throws {
        let transport = ScriptedTransport { request in
            HTTPHead(status: 302, fields: [("Location", "http://storage.invalid\(request.url.path)")])
        }
        let endpoint = try #require(URL(string: "https://hub.invalid"))
        let folder = NSTemporaryDirectory() + "leap-transfers-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let configuration = TransferConfiguration(folder: folder, endpoint: endpoint, token: "secret")
        let store = ModelStore(configuration: configuration, transport: transport)
        let error = await failure {
            try await store.install(.file(endpoint.appendingPathComponent("model.gguf")))
        }
        #expect(error?.code == .invalidAddress)
        #expect(transport.requests.map(\.url.scheme) == ["https"])
    }

    @Test("The token stays with the endpoint's scheme and port, too")
    func tokenStaysAtThePort() async throws {
        let endpoint = try #require(URL(string: "https://hub.invalid/mirror"))
        let hops = [
            "https://hub.invalid:444/model.gguf", "https://HUB.invalid/model.gguf",
            "https://sub.hub.invalid/model.gguf",
        ]
        let transport = ScriptedTransport { request in
            let index = hops.firstIndex(of: request.url.absoluteString).map { $0 + 1 } ?? 0
            return index < hops.count
                ? HTTPHead(status: 302, fields: [("Location", hops[index])]) : HTTPHead(status: 404, fields: [])
        }
        let folder = NSTemporaryDirectory() + "leap-transfers-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let configuration = TransferConfiguration(folder: folder, endpoint: endpoint, token: "secret")
        let store = ModelStore(configuration: configuration, transport: transport)
        _ = await failure { try await store.install(.file(endpoint.appendingPathComponent("model.gguf"))) }
        let tokens = transport.requests.prefix(4).map { request in
            request.fields.contains { $0.name == "Authorization" }
        }
        #expect(tokens == [true, false, true, false])
    }

    @Test("A redirect that does not say where to is an error")
    func nowhere() async throws {
        let bench = try Workbench { _ in Reply(status: 302) }
        #expect(await failure { try await bench.install() }?.code == .protocolViolation)
    }

    @Test(
        "Addresses that are not http or https are refused", arguments: ["ftp://host/model.gguf", "http:///model.gguf"])
    func schemes(text: String) async throws {
        let bench = try Workbench { _ in Reply() }
        let url = try #require(URL(string: text))
        let error = await failure { try await bench.store.install(.file(url)) }
        #expect(error?.code == .invalidAddress)
    }
}

/// A transport that answers with heads alone, for addresses that no local server can have.
final class ScriptedTransport: Transport {
    private let script: @Sendable (HTTPRequest) -> HTTPHead
    private let log = Locked<[HTTPRequest]>([])

    init(script: @escaping @Sendable (HTTPRequest) -> HTTPHead) {
        self.script = script
    }

    var requests: [HTTPRequest] { log.withLock { $0 } }

    func send(_ request: HTTPRequest, to receiver: HTTPReceiver) async throws -> HTTPHead {
        log.withLock { $0.append(request) }
        let head = script(request)
        _ = try receiver.head(head)
        return head
    }
}

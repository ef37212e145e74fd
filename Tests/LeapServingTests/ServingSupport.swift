import Foundation
import LeapBase
import LeapDemoModel
import LeapJSON

@testable import LeapServing

/// Servers and requests of the tests.
enum ServingSupport {
    /// A model of the tests' fixtures.
    static func fixture(_ name: String) -> ServedModel {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return ModelCatalog.model(path: folder.appendingPathComponent("Fixtures/\(name).gguf").path)
    }

    static func demo(_ id: String = "demo") throws -> ServedModel {
        ModelCatalog.model(path: try LeapDemoModel.url.path, id: id)
    }

    static func pool(_ models: [ServedModel], _ configuration: ModelPool.Configuration = .init()) -> ModelPool {
        ModelPool(catalog: ModelCatalog(given: models, downloader: nil), configuration: configuration)
    }

    static func server(
        _ models: [ServedModel]? = nil, _ configuration: ModelPool.Configuration = .init(),
        access: AccessRules = AccessRules()
    ) throws -> Server {
        Server(pool: pool(try models ?? [demo()], configuration), access: access)
    }
}

/// A reply whose body came in one piece.
struct WholeReply {
    let status: Int
    let headers: [String: String]
    let body: JSONValue

    init(_ reply: ServerReply) throws {
        guard case .bytes(let bytes) = reply.body else { throw APIError.invalid("a stream") }
        status = reply.status
        headers = Dictionary(reply.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        body = bytes.isEmpty ? .null : try JSONParser.parse(bytes)
    }
}

extension ServerReply {
    /// The whole body.
    func collectText() async throws -> String { String(decoding: try await collect(), as: UTF8.self) }

    /// The bytes of the whole body.
    func collect() async throws -> [UInt8] {
        switch body {
        case .bytes(let bytes): return bytes
        case .stream(let write):
            let collected = Locked<[UInt8]>([])
            try await write { bytes in collected.withLock { $0 += bytes } }
            return collected.withLock { $0 }
        }
    }
}

extension Server {
    /// The reply to a request that carries JSON.
    func post(_ path: String, _ body: String) async throws -> WholeReply {
        try await WholeReply(reply(to: ServerRequest(method: "POST", path: path, body: Array(body.utf8))))
    }
}

extension Server {
    /// The data of the events that answer a request with `stream`, without the last one.
    func events(_ path: String, _ body: String) async throws -> [JSONValue] {
        let reply = await reply(to: ServerRequest(method: "POST", path: path, body: Array(body.utf8)))
        return try await reply.collectText().split(separator: "\n").filter { $0.hasPrefix("data: {") }
            .map { try JSONParser.parse(String($0.dropFirst(6))) }
    }
}

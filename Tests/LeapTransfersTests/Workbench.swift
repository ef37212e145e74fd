import Foundation
import LeapBase
import LeapHTTP
import LeapHashing
import LeapTransfers
import MisbehavingServer
import Testing

/// A folder, a server and a store for one test.
final class Workbench: Sendable {
    let folder: String
    let server: Server
    let configuration: TransferConfiguration

    /// - Parameter servesChecksums: whether the script answers requests for `.sha256` files too; else there are none.
    init(
        servesChecksums: Bool = false, _ change: (inout TransferConfiguration) -> Void = { _ in },
        script: @escaping Server.Script
    ) throws {
        folder = NSTemporaryDirectory() + "leap-transfers-" + UUID().uuidString
        server = try Server { request in
            request.path.hasSuffix(".sha256") && !servesChecksums ? Reply(status: 404) : script(request)
        }
        var configuration = TransferConfiguration(folder: folder, endpoint: server.url(""))
        configuration.retry.attempts = 4
        configuration.retry.baseDelay = 0.02
        configuration.retry.longestDelay = 0.1
        // Long, so that a busy machine is not taken for a slow server; tests of slow servers set them shorter.
        configuration.responseTimeout = 120
        configuration.stallTimeout = 120
        configuration.diskMargin = 0
        configuration.shortestRange = 64 << 10
        configuration.longestRange = 1 << 20
        change(&configuration)
        self.configuration = configuration
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    var store: ModelStore { ModelStore(configuration: configuration, transport: StandardTransport.make()) }

    /// The name of `/model.gguf` of the server.
    var model: ModelReference { .file(server.url("/model.gguf")) }

    /// Bytes that the journal of the unfinished model vouches for.
    var journaled: Int64 { store.listUnfinished().first?.bytes ?? 0 }

    /// Fetches `/model.gguf` of the server.
    func install(
        _ path: String = "/model.gguf", force: Bool = false, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> InstalledModel {
        try await store.install(.file(server.url(path)), force: force, progress: progress)
    }

    /// The bytes of the installed model.
    func bytes(_ model: InstalledModel) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: try #require(model.path(.model)))))
    }

    /// Every file under the store that looks like a model, whether it is one or not.
    var visibleModels: [String] {
        let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return all.filter { $0.hasSuffix(".gguf") || $0.hasSuffix("manifest.json") }
    }

    var partialFiles: [String] {
        let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return all.filter { $0.hasSuffix(".partial") }
    }
}

func sha256(_ bytes: [UInt8]) -> String {
    Hexadecimal.text(of: SHA256.hash(bytes))
}

/// Runs `body` and returns the download error it must throw.
func failure(_ body: () async throws -> InstalledModel, sourceLocation: SourceLocation = #_sourceLocation) async
    -> DownloadError?
{
    do {
        _ = try await body()
        Issue.record("no error was thrown", sourceLocation: sourceLocation)
    } catch let error as DownloadError {
        return error
    } catch {
        Issue.record("another error was thrown: \(error)", sourceLocation: sourceLocation)
    }
    return nil
}

/// Waits until `condition` holds; the suite's time limit is the test's.
func wait(until condition: () throws -> Bool) async throws {
    while try !condition() { try await Task.sleep(nanoseconds: 5_000_000) }
}

/// Counts, from any thread.
final class Counter: Sendable {
    private let value = Locked(0)

    /// The count before this call.
    @discardableResult func next() -> Int {
        value.withLock { value in
            defer { value += 1 }
            return value
        }
    }

    func add(_ amount: Int) { value.withLock { $0 += amount } }

    var count: Int { value.withLock { $0 } }
}

/// The number of bytes that a server may send, changed from any thread.
final class Gate: Sendable {
    private let value = Locked(Int.max)

    var limit: Int { value.withLock { $0 } }
    func set(_ limit: Int) { value.withLock { $0 = limit } }
}

/// The digest's bytes.
func digest256(_ bytes: [UInt8]) -> [UInt8] { SHA256.hash(bytes) }

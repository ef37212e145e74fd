import BackgroundURLSession
import Foundation
import LeapBase
import LeapHTTP
import LeapTestTraits
import LeapTransfers
import MisbehavingServer
import Testing

@testable import LeapModelDownloaderOverStubs

/// Background sessions, over a stub of the system's part of them; a process ends and another one takes over in one
/// process of tests.
@Suite(.inServerTurns, .timeLimit(.minutes(30)))
struct BackgroundTransportTests {
    private static let file = (0..<4096).map { UInt8(truncatingIfNeeded: $0 * 7) }
    private static let size = file.count

    private let identifier = "test." + UUID().uuidString
    private var system: StubTransfers { .shared }

    private var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.default
        configuration.identifier = identifier
        return configuration
    }

    /// Returns the transport that an app has from its launch to its end.
    private func launch() -> BackgroundTransport { BackgroundTransport(configuration, identifier) }

    private func request(_ range: Range<Int64>, query: String = "") throws -> HTTPRequest {
        let url = try #require(URL(string: "http://models.example/file.gguf" + query))
        var fields = [(name: "Range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)")]
        fields.append((name: "If-Range", value: "\"one\""))
        return HTTPRequest(url: url, fields: fields)
    }

    private static func answer(_ request: URLRequest) -> StubTransfers.Answer {
        let ends = (request.value(forHTTPHeaderField: "Range") ?? "").split { !$0.isNumber }.compactMap { Int($0) }
        guard ends.count == 2, ends[1] < size else {
            return StubTransfers.Answer(status: 416, fields: [:], body: Data())
        }
        return StubTransfers.Answer(
            status: 206,
            fields: ["Content-Range": "bytes \(ends[0])-\(ends[1])/\(size)", "ETag": "\"one\""],
            body: Data(file[ends[0]...ends[1]]))
    }

    /// The answer to a request.
    private struct Received: Sendable {
        var head: HTTPHead?
        var bytes: [UInt8] = []
        var arriving: Int64 = 0
    }

    private func send(
        _ request: HTTPRequest, by transport: BackgroundTransport, into received: Locked<Received> = Locked(Received())
    ) async throws -> Received {
        var receiver = HTTPReceiver(
            head: { head in
                received.withLock { $0.head = head }
                return true
            },
            body: { block in
                received.withLock { $0.bytes += block }
                return true
            })
        receiver.arriving = { bytes in received.withLock { $0.arriving += bytes } }
        _ = try await transport.send(request, to: receiver)
        return received.withLock { $0 }
    }

    private func until(_ condition: () -> Bool) async throws {
        for _ in 0..<60_000 where !condition() { try await Task.sleep(for: .milliseconds(1)) }
        try #require(condition())
    }

    /// The one transfer that is under way.
    private func transfer() async throws -> StubTransfer {
        try await until { system.running(identifier).count == 1 }
        return try #require(system.running(identifier).first)
    }

    /// Begins a request in a process that ends before its answer comes.
    private func abandoned(_ range: Range<Int64>) async throws -> (transfer: StubTransfer, waiting: Task<Void, Never>) {
        let request = try request(range, query: "?signature=a")
        let process = launch()
        let waiting = Task { _ = try? await send(request, by: process) }
        let transfer = try await transfer()
        system.endProcess(identifier)
        return (transfer, waiting)
    }

    @Test(
        "What arrived while the app was gone is used by its next launch, and the system's handler is called when all is told"
    )
    @MainActor
    func relaunchAfterTheEnd() async throws {
        let (transfer, waiting) = try await abandoned(100..<300)
        try system.finish(transfer, identifier, Self.answer(transfer.request))
        let process = launch()
        await withCheckedContinuation { told in process.handleEvents { told.resume() } }
        let received = try await send(try request(100..<300, query: "?signature=b"), by: process)
        #expect(received.bytes == Array(Self.file[100..<300]))
        #expect(received.head?.status == 206 && received.head?["content-range"] == "bytes 100-299/4096")
        #expect(system.count(identifier) == 1)
        // Given out once: the next request is a new transfer.
        system.answer(identifier) { Self.answer($0) }
        #expect(try await send(try request(100..<300), by: process).bytes.count == 200)
        #expect(system.count(identifier) == 2)
        waiting.cancel()
        await waiting.value
    }

    @Test("What is still on its way at the next launch is waited for instead of being fetched twice")
    func relaunchOnTheWay() async throws {
        let (transfer, waiting) = try await abandoned(0..<50)
        let process = launch()
        let received = Locked(Received())
        let request = try request(0..<50)
        let sending = Task { try await send(request, by: process, into: received) }
        // Bytes are told of once somebody waits.
        while received.withLock({ $0.arriving }) == 0 {
            system.write(transfer, identifier, bytes: 10)
            try await Task.sleep(for: .milliseconds(1))
        }
        try system.finish(transfer, identifier, Self.answer(transfer.request))
        #expect(try await sending.value.bytes == Array(Self.file[0..<50]))
        #expect(system.count(identifier) == 1)
        waiting.cancel()
        await waiting.value
    }

    @Test("A task that was made and not started is started at the next launch; one of another's is cancelled")
    func leftBehind() async throws {
        let session = URLSession(configuration: configuration, delegate: nil, delegateQueue: nil)
        let url = try #require(URL(string: "http://models.example/file.gguf"))
        var message = URLRequest(url: url)
        message.setValue("bytes=10-19", forHTTPHeaderField: "Range")
        let made = session.downloadTask(with: message)
        made.taskDescription = PartKey(url: url, validator: "\"one\"", range: 10..<20).description
        let strange = session.downloadTask(with: message)
        strange.taskDescription = "not ours"
        strange.resume()
        system.endProcess(identifier)
        system.answer(identifier) { Self.answer($0) }
        let process = launch()
        #expect(try await send(try request(10..<20), by: process).bytes == Array(Self.file[10..<20]))
        #expect(system.count(identifier) == 2)
        try await until { strange.state == .completed && strange.response == nil }
    }

    @Test("An answer that is no part of the file is handed on by its status, and not kept")
    func refusal() async throws {
        let process = launch()
        system.answer(identifier) { Self.answer($0) }
        #expect(try await send(try request(5000..<5100), by: process).head?.status == 416)
        #expect(try await send(try request(5000..<5100), by: process).head?.status == 416)
        #expect(system.count(identifier) == 2)
    }

    @Test("A connection that is lost is a failure of the network that names the address without its query")
    func lost() async throws {
        let process = launch()
        let request = try request(0..<50, query: "?signature=secret")
        let sending = Task { try await send(request, by: process) }
        system.fail(try await transfer(), identifier, URLError(.networkConnectionLost))
        let error = await #expect(throws: DownloadError.self) { try await sending.value }
        #expect(error?.code == .network)
        #expect(error?.description.contains("models.example/file.gguf") == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test("A request that is cancelled ends its transfer, unless another one waits for it")
    func cancellation() async throws {
        let process = launch()
        let request = try request(0..<50)
        let first = Task { try await send(request, by: process) }
        let transfer = try await transfer()
        let received = Locked(Received())
        let second = Task { try await send(request, by: process, into: received) }
        while received.withLock({ $0.arriving }) == 0 {
            system.write(transfer, identifier, bytes: 1)
            try await Task.sleep(for: .milliseconds(1))
        }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(system.running(identifier).count == 1)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        try await until { system.running(identifier).isEmpty }
    }

    @Test("A part that the system carries is told as handed over; one in the foreground is not")
    func handedOver() async throws {
        let process = launch()
        system.answer(identifier) { Self.answer($0) }
        let server = try Server { _ in .text("plain") }
        defer { server.stop() }
        let count = Locked(0)
        var receiver = HTTPReceiver(head: { _ in true }, body: { _ in true })
        receiver.handedOver = { count.withLock { $0 += 1 } }
        _ = try await process.send(HTTPRequest(url: server.url("/a")), to: receiver)
        #expect(count.withLock { $0 } == 0)
        _ = try await process.send(try request(0..<50), to: receiver)
        #expect(count.withLock { $0 } == 1)
    }

    @Test("Requests with a token, and those without a range, go through the foreground")
    func foreground() async throws {
        let server = try Server { request in .text(request.fields["authorization"] ?? "none") }
        defer { server.stop() }
        let process = launch()
        let plain = HTTPRequest(url: server.url("/a"))
        #expect(String(decoding: try await send(plain, by: process).bytes, as: UTF8.self) == "none")
        let token = HTTPRequest(
            url: server.url("/a"), fields: [("Range", "bytes=0-9"), ("Authorization", "Bearer x")])
        #expect(String(decoding: try await send(token, by: process).bytes, as: UTF8.self) == "Bearer x")
        #expect(system.count(identifier) == 0)
    }

    @Test("Two transports of one identifier are one")
    func shared() {
        let first = BackgroundTransport.of(configuration)
        #expect(first != nil && first === BackgroundTransport.of(configuration))
        #expect(BackgroundTransport.of(.default) == nil)
    }

    @Test("A model is fetched through a background session, and the system's handler is called")
    @MainActor
    func model() async throws {
        let bench = try ModelBench()
        system.answer(identifier) { bench.answer($0) }
        let downloader = ModelDownloader(config: bench.config, sessionConfiguration: configuration)
        let downloaded = try await downloader.downloadModel(modelName: "Demo", quantizationType: "Q8_0")
        #expect(Array(try Data(contentsOf: URL(fileURLWithPath: downloaded.localModelPath))) == bench.model)
        #expect(system.count(identifier) > 1)
        // No more than the header came from the server itself.
        #expect(bench.server.bytesSent < bench.model.count / 2)
        let foreground = ModelDownloader(config: bench.config)
        await withCheckedContinuation { told in foreground.handleBackgroundEvents { told.resume() } }
    }
}

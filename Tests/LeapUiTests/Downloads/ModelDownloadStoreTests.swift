import Foundation
import LeapBase
import LeapSDK
import Testing

@testable import LeapUi

/// A download whose every step a test takes.
final class ScriptedDownload: ModelDownloadSource {
    struct Script {
        var isDownloaded = false
        var space: Result<DownloadSpace, any Error> = .success(DownloadSpace(needed: 10, available: 20))
        var calls: [String] = []
        var removal: (any Error)?
        var continuations: [AsyncStream<ProgressData>.Continuation] = []
    }

    let script = Locked(Script())

    var calls: [String] { script.withLock { $0.calls } }

    func isDownloaded() async -> Bool { script.withLock { $0.isDownloaded } }
    func space() async throws -> DownloadSpace { try script.withLock { try $0.space.get() } }
    func start() { script.withLock { $0.calls.append("start") } }
    func stop() {
        script.withLock { $0.calls.append("stop") }
        end()
    }
    func progress() -> AsyncStream<ProgressData> {
        let (stream, continuation) = AsyncStream.makeStream(of: ProgressData.self)
        script.withLock { script in
            script.calls.append("follow")
            script.continuations.append(continuation)
        }
        return stream
    }
    func remove() async throws {
        try script.withLock { script in
            script.calls.append("remove")
            if let error = script.removal { throw error }
            script.isDownloaded = false
        }
    }

    func send(_ data: ProgressData) {
        for continuation in script.withLock({ $0.continuations }) { continuation.yield(data) }
    }
    func end() { for continuation in script.withLock({ $0.continuations }) { continuation.finish() } }
}

@MainActor
struct ModelDownloadStoreTests {
    private let source = ScriptedDownload()
    private let store: ModelDownloadStore

    init() { store = ModelDownloadStore(source: source) }

    private func data(
        _ bytes: Int64, phase: DownloadPhase = .downloading, speed: Int64 = 0, note: String? = nil,
        left: Duration? = nil, waiting: DownloadWait? = nil
    ) -> ProgressData {
        ProgressData(
            bytes: bytes, total: 4_500_000_000, phase: phase, bytesPerSecond: speed, note: note, timeLeft: left,
            waiting: waiting)
    }

    /// Lets the store's task go on until something is so.
    private func until(_ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for _ in 0..<100_000 where !condition() { await Task.yield() }
        try #require(condition(), sourceLocation: sourceLocation)
    }

    @Test("A download goes from the disk space over bytes, speed and time left to the model")
    func download() async throws {
        #expect(store.state.action == nil && store.statusText.isEmpty)
        let following = Task { await store.start() }
        try await until { source.calls == ["start", "follow"] }
        #expect(store.state.phase == .preparing && store.actionText == "Pause")
        source.send(data(1_200_000_000, speed: 12_000_000, left: .seconds(275)))
        try await until { store.state.bytes > 0 }
        #expect(store.state.phase == .downloading && abs(store.state.fraction - 0.2667) < 0.001)
        #expect(store.statusText == "Downloading")
        #expect(store.detailText == "1.20 GB of 4.50 GB · 12.0 MB/s · 5 min left")
        source.send(data(4_500_000_000, phase: .verifying))
        try await until { store.state.phase == .verifying }
        #expect(store.state.fraction < 1 && store.statusText == "Checking the files…")
        source.send(data(4_500_000_000, phase: .finished))
        source.script.withLock { $0.isDownloaded = true }
        source.end()
        await following.value
        #expect(store.state.phase == .downloaded && store.state.fraction == 1 && !store.state.isActive)
        #expect(store.statusText == "On this device" && store.detailText.isEmpty && store.actionText == "Delete")
    }

    @Test(
        "A wait is the status, in place of the speed",
        arguments: [
            (DownloadWait.wifi, "Waiting for Wi-Fi"),
            (DownloadWait.fullDataNetwork, "Waiting for a network without Low Data Mode"),
            (DownloadWait.network, "Waiting for a network"), (DownloadWait.system, "Paused by the system"),
        ])
    func waits(wait: DownloadWait, text: String) async throws {
        let following = Task { await store.start() }
        try await until { source.calls == ["start", "follow"] }
        source.send(data(450_000_000, speed: 5, note: "a note", waiting: wait))
        try await until { store.state.waiting == wait }
        #expect(store.statusText == text && store.detailText == "450 MB of 4.50 GB")
        #expect(store.state.isActive && store.state.action == .pause)
        source.send(data(500_000_000, note: "the server fell silent"))
        try await until { store.state.waiting == nil }
        #expect(store.detailText == "500 MB of 4.50 GB · the server fell silent")
        source.end()
        await following.value
    }

    @Test("Too little space is told with both numbers, and nothing is requested; a failure to ask is told too")
    func space() async throws {
        source.script.withLock {
            $0.space = .success(DownloadSpace(needed: 1_500_000_000, available: 700_000_000))
        }
        await store.start()
        #expect(store.state.phase == .needsSpace && source.calls.isEmpty)
        #expect(store.statusText == "Not enough space" && store.detailText == "1.50 GB needed, 700 MB free")
        #expect(store.actionText == "Try again")
        source.script.withLock { $0.space = .failure(LeapModelLoadingException("no such model")) }
        await store.perform(.retry)
        #expect(store.state.phase == .failed && store.detailText.contains("no such model") && source.calls.isEmpty)
        source.script.withLock { $0.space = .failure(CancellationError()) }
        await store.start()
        #expect(store.state.phase == .absent && store.state.problem == nil)
    }

    @Test("A failure says why and offers another try, which forgets it")
    func failure() async throws {
        let following = Task { await store.start() }
        try await until { source.calls == ["start", "follow"] }
        source.send(data(450_000_000, phase: .failed, note: "the connection failed"))
        source.end()
        await following.value
        #expect(store.state.phase == .failed && store.statusText == "The download failed")
        #expect(store.detailText == "the connection failed" && store.state.action == .retry)
        let again = Task { await store.perform(.retry) }
        try await until { source.calls.count == 4 }
        #expect(store.state.problem == nil && store.state.isActive)
        source.end()
        await again.value
        #expect(store.state.phase == .absent)
    }

    @Test("A pause keeps the bytes and offers to continue; removal forgets them")
    func pause() async throws {
        let following = Task { await store.start() }
        try await until { source.calls == ["start", "follow"] }
        source.send(data(450_000_000, speed: 9, left: .seconds(9)))
        try await until { store.state.bytes > 0 }
        await store.perform(.pause)
        await following.value
        #expect(store.state.phase == .absent && store.statusText == "Paused" && store.actionText == "Continue")
        #expect(store.detailText == "450 MB of 4.50 GB" && store.state.timeLeft == nil)
        await store.perform(.remove)
        #expect(source.calls.suffix(2) == ["stop", "remove"])
        #expect(store.state.bytes == 0 && store.statusText == "Not on this device" && store.actionText == "Download")
        source.script.withLock { $0.removal = LeapModelLoadingException("in use by another process") }
        await store.remove()
        #expect(store.state.phase == .failed && store.detailText.contains("in use"))
    }

    @Test("A view that appears finds the model, follows a download that runs, and leaves it running when it goes")
    func refresh() async throws {
        source.script.withLock { $0.isDownloaded = true }
        await store.refresh()
        #expect(store.state.phase == .downloaded && source.calls.isEmpty)
        source.script.withLock { $0.isDownloaded = false }
        let view = Task { await store.refresh() }
        try await until { source.calls == ["follow"] }
        source.send(data(450_000_000))
        try await until { store.state.phase == .downloading }
        // A second look and a second tap change nothing.
        await store.refresh()
        await store.start()
        #expect(source.calls == ["follow"])
        view.cancel()
        await view.value
        #expect(store.state.phase == .downloading && !source.calls.contains("stop"))
        let next = Task { await store.refresh() }
        try await until { source.calls == ["follow", "follow"] }
        source.end()
        await next.value
        #expect(store.state.phase == .absent)
    }

    @Test("Times are rounded up, in one or two units")
    func times() {
        func text(_ seconds: Double) -> String { ModelDownloadStore.text(of: .seconds(seconds)) }
        #expect(text(0) == "0 s" && text(0.2) == "1 s" && text(59) == "59 s" && text(60) == "1 min")
        #expect(text(61) == "2 min" && text(3599) == "1 h" && text(3600) == "1 h" && text(7261) == "2 h 2 min")
    }

    @Test("Other texts take the place of the English ones, with the numbers where they want them")
    func labels() async throws {
        var labels = ModelDownloadLabels()
        labels.spaceDetail = "frei: zu wenig (%@ nötig)"
        labels.needsSpace = "Kein Platz"
        let store = ModelDownloadStore(source: source, labels: labels)
        source.script.withLock { $0.space = .success(DownloadSpace(needed: 2_000_000, available: 1)) }
        await store.start()
        #expect(store.statusText == "Kein Platz" && store.detailText == "frei: zu wenig (2.00 MB nötig)")
    }
}

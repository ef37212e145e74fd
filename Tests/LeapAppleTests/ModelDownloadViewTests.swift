import Foundation
import LeapBase
import LeapSDK
import SwiftUI
import Testing

@testable import LeapUiOverStubs

/// The view of a download, over a stub of SwiftUI.
@MainActor
struct ModelDownloadViewTests {
    /// A download that a test ends.
    private final class Download: ModelDownloadSource {
        let stream = AsyncStream.makeStream(of: ProgressData.self)
        let calls = Locked<[String]>([])

        func isDownloaded() async -> Bool { false }
        func space() async throws -> DownloadSpace { DownloadSpace(needed: 1, available: 2) }
        func start() { calls.withLock { $0.append("start") } }
        func stop() {
            calls.withLock { $0.append("stop") }
            stream.continuation.finish()
        }
        func progress() -> AsyncStream<ProgressData> { stream.stream }
        func remove() async throws {}
    }

    private func until(_ condition: () -> Bool) async throws {
        for _ in 0..<100_000 where !condition() { await Task.yield() }
        try #require(condition())
    }

    @Test("The view has the title, the status, a bar while bytes arrive, and a button that pauses")
    func view() async throws {
        let download = Download()
        let store = ModelDownloadStore(source: download)
        let view = ModelDownloadView(title: "LFM2 1.2B", store: store)
        func look() -> StubElement { StubElement.of(view) }
        #expect(look().texts == ["LFM2 1.2B"] && !look().all.contains { $0.isButton })
        // SwiftUI runs the task when the view appears.
        let appear = try #require(look().all.compactMap(\.task).first)
        let task = Task { await appear() }
        download.stream.continuation.yield(
            ProgressData(
                bytes: 1_000_000, total: 4_000_000, phase: .downloading, bytesPerSecond: 500_000, note: nil,
                timeLeft: .seconds(6), waiting: nil))
        try await until { store.state.bytes > 0 }
        #expect(
            look().texts == [
                "LFM2 1.2B", "Downloading", "1.00 MB of 4.00 MB · 500 kB/s · 6 s left", "Pause",
            ])
        let bar = try #require(look().all.first { $0.kind == "ProgressView" })
        #expect(bar.accessibilityLabel == "Downloading" && abs(bar.scale - 0.25) < 0.001)
        try #require(look().all.first { $0.isButton }).onTap?()
        await task.value
        #expect(download.calls.withLock { $0 } == ["stop"])
        #expect(look().texts == ["LFM2 1.2B", "Paused", "1.00 MB of 4.00 MB", "Continue"])
        #expect(!look().all.contains { $0.kind == "ProgressView" })
    }
}

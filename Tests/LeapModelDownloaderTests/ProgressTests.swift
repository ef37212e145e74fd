import Foundation
import LeapModelDownloader
import LeapTestTraits
import Testing

/// A model of a view, as apps have it.
@MainActor
private final class Shelf {
    private(set) var share = 0.0
    private(set) var calls = 0

    func fill(from downloader: LeapDownloader) async throws -> any ModelRunner {
        try await downloader.loadModel(modelName: "Demo", quantizationType: "Q8_0") { fraction, _ in
            MainActor.assertIsolated()
            self.share = fraction
            self.calls += 1
        }
    }
}

@Suite(.inServerTurns)
struct ProgressTests {
    @Test("Progress touches the state of the main actor directly, and all of it has come when the call returns")
    @MainActor
    func mainActor() async throws {
        let bench = try DownloaderWorkbench()
        let shelf = Shelf()
        let runner = try await shelf.fill(from: LeapDownloader(config: bench.config))
        #expect(shelf.share == 1)
        #expect(shelf.calls > 1)
        await runner.unload()
    }

    @Test(
        "What an app does in tasks of its own with the last progress is done before the model is there, loaded from the disk or fetched"
    )
    @MainActor
    func tasksOfApps() async throws {
        let bench = try DownloaderWorkbench()
        let downloader = LeapDownloader(config: bench.config)
        for _ in 0..<5 {
            let record = Record()
            let runner = try await downloader.loadModel(modelName: "Demo", quantizationType: "Q8_0") { fraction, _ in
                Task { @MainActor in record.words.append(fraction >= 1 ? "loading" : "fetching") }
            }
            record.words.append("ready")
            try await Task.sleep(for: .milliseconds(50))
            #expect(record.words.last == "ready" && record.words.filter { $0 == "loading" }.count == 1)
            await runner.unload()
        }
    }

    /// The words that an app shows, in the order in which it comes to them.
    @MainActor
    private final class Record {
        var words: [String] = []
    }

    @Test("Disk space is told before a download, and afterwards none is needed")
    func space() async throws {
        let bench = try DownloaderWorkbench()
        let downloader = LeapDownloader(config: bench.config)
        let before = try await downloader.diskSpace(modelName: "Demo", quantizationType: "Q8_0")
        #expect(before.needed > Int64(bench.model.count) && before.isEnough)
        #expect(DownloadSpace(needed: 2, available: 1).isEnough == false)
        #expect(DownloadSpace(needed: 2, available: nil).isEnough)
        try await downloader.downloadModel(modelName: "Demo", quantizationType: "Q8_0")
        #expect(try await downloader.diskSpace(modelName: "Demo", quantizationType: "Q8_0").needed == 0)
    }

    @Test("A model that a runner has in memory is not removed as unused; without one it is")
    func unused() async throws {
        let bench = try DownloaderWorkbench()
        let downloader = LeapDownloader(config: bench.config)
        let folder = try await load(bench, downloader)
        #expect(try await downloader.removeModels(unusedForDays: 30, dryRun: true).map(\.folder) == [folder])
        #expect(try downloader.listModels().count == 1)
        // At least one day: what was used just now stays.
        try setUse(folder, daysAgo: 0.5)
        #expect(try await downloader.removeModels(unusedForDays: 0).isEmpty)
        try setUse(folder, daysAgo: 31)
        #expect(try await downloader.removeModels(unusedForDays: 30).map(\.name) == ["Demo:Q8_0"])
        #expect(try downloader.listModels().isEmpty)
    }

    /// Loads the model, finds that it is not removed although its last use was long ago, and lets it go.
    private func load(_ bench: DownloaderWorkbench, _ downloader: LeapDownloader) async throws -> String {
        let runner = try await downloader.loadModel(modelName: "Demo", quantizationType: "Q8_0")
        let folder = downloader.getModelResourceFolder(modelName: "Demo", quantizationType: "Q8_0")
        try setUse(folder, daysAgo: 400)
        #expect(try await downloader.removeModels(unusedForDays: 30).isEmpty)
        await runner.unload()
        return folder
    }

    private func setUse(_ folder: String, daysAgo days: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -days * 24 * 3600)], ofItemAtPath: folder + "/.last-use")
    }

    @Test("A callback that is not isolated is called on the main thread too")
    func anywhere() async throws {
        let bench = try DownloaderWorkbench()
        let callback: @Sendable (Double, Int64) -> Void = { _, _ in MainActor.assertIsolated() }
        let downloader = ModelDownloader(config: bench.config)
        try await downloader.downloadModel(modelName: "Demo", quantizationType: "Q8_0", downloadProgress: callback)
        await MainActor.run {}
    }
}

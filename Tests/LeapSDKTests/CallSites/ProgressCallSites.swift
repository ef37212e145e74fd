import LeapSDK
import Testing

/// Progress that goes to plain functions, which an app keeps in properties; compiled and not run but for the last.
final class ProgressCallSites {
    private let report: (Double, Int64) -> Void
    private let maybe: ((Double, Int64) -> Void)?

    init(report: @escaping (Double, Int64) -> Void) {
        self.report = report
        maybe = report
    }

    func reportLoads(_ downloader: LeapDownloader, manifest: URL) async throws {
        _ = try await downloader.loadModel(
            modelName: "LFM2-350M", quantizationType: "Q8_0", downloadProgress: report)
        _ = try await downloader.loadModel(manifestUrl: manifest, downloadProgress: maybe)
        _ = try await downloader.loadSimpleModel(
            model: ModelSource(modelPath: "/models/desk.gguf", modelName: "Desk", quantizationId: "Q8_0"),
            downloadProgress: report)
        _ = try await downloader.downloadModel(
            modelName: "LFM2-350M", quantizationType: "Q8_0", downloadProgress: report)
        _ = try await downloader.downloadModelFromManifest(manifestUrl: manifest, downloadProgress: maybe)
        _ = try await Leap.load(model: "LFM2-350M", quantization: "Q8_0", progress: report)
        _ = try await Leap.shared.load(manifestUrl: manifest, downloadProgress: report)
    }
}

/// The same on the main actor.
@MainActor
final class ProgressOnTheMainActor {
    private let report: (Double, Int64) -> Void = { _, _ in }

    func reportLoadsOnTheMainActor(_ downloader: LeapDownloader) async throws {
        _ = try await downloader.loadModel(
            modelName: "LFM2-350M", quantizationType: "Q8_0", downloadProgress: report)
        _ = try await Leap.load(model: "LFM2-350M", quantization: "Q8_0", downloadProgress: report)
    }
}

struct PlainProgressTests {
    private final class Seen: @unchecked Sendable {
        // Sendable: the main queue alone writes, and the test reads behind it.
        var fractions: [Double] = []
    }

    @Test("A plain function gets the progress on the main queue")
    func run() async throws {
        let seen = Seen()
        let report: (Double, Int64) -> Void = { fraction, _ in
            dispatchPrecondition(condition: .onQueue(.main))
            seen.fractions.append(fraction)
        }
        _ = try await LeapDownloader().loadSimpleModel(
            model: ModelSource(modelPath: try DemoModel.file.path, modelName: "Desk", quantizationId: "Q8_0"),
            forceLocal: true, downloadProgress: report)
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        #expect(seen.fractions == [1])
    }
}

import Foundation
import LeapBase
import LeapDemoModel
import LeapModelDownloader
import LeapTestSupport
import LeapTestTraits
import MisbehavingServer
import Testing

/// The downloader as apps use it, with a real model.
@Suite(.inServerTurns, .timeLimit(.minutes(30)))
struct ModelDownloaderTests {
    @Test("A model is fetched, loaded, and loaded again without a request")
    func loads() async throws {
        let bench = try DownloaderWorkbench()
        let downloader = ModelDownloader(config: bench.config)
        #expect(await downloader.queryStatus(modelName: "Demo", quantizationType: "Q8_0") == .notOnLocal)
        let fractions = Fractions()
        let runner = try await downloader.loadModel(modelName: "Demo", quantizationType: "Q8_0") { fraction, _ in
            fractions.add(fraction)
        }
        #expect(runner.modelId == "Demo")
        await MainActor.run {}  // Whatever was put on the main queue before has been called.
        #expect(fractions.all.last == 1)
        #expect(fractions.all.filter { $0 == 1 }.count == 1)
        #expect(fractions.all == fractions.all.sorted())
        #expect(await downloader.queryStatus(modelName: "Demo", quantizationType: "Q8_0") == .downloaded)
        await runner.unload()
        let count = bench.server.requests.count
        bench.isDown.set()
        let again = try await LeapDownloader(config: bench.config).loadModel(
            modelName: "Demo", quantizationType: "Q8_0")
        #expect(bench.server.requests.count == count)
        await again.unload()
    }

    @Test("What the manifest says is there, unknown members too")
    func manifest() async throws {
        let bench = try DownloaderWorkbench()
        let downloader = ModelDownloader(config: bench.config)
        let downloaded = try await downloader.downloadModel(modelName: "Demo", quantizationType: "Q8_0")
        #expect(downloaded.manifest.inferenceType == "llama.cpp/text-to-text")
        #expect(downloaded.manifest.generationTimeParameters?.samplingParameters?.minP == 0.15)
        #expect(downloaded.manifest.generationTimeParameters?.numberOfDecodingThreads == 2)
        #expect(downloaded.localModelPath.hasSuffix("/Demo/Q8_0/demo.gguf"))
        #expect(downloaded.localMultimodalProjectorPath == nil)
        #expect(String(decoding: try downloaded.manifest.json(), as: UTF8.self).contains("\"kept\""))
        let cached = await downloader.getCachedManifest(modelName: "Demo", quantizationType: "Q8_0")
        #expect(cached == downloaded.manifest)
        let url = bench.server.url("/LiquidAI/LeapBundles/resolve/main/Demo-GGUF/demo.gguf").absoluteString
        #expect(
            downloader.getCachedFilePath(modelUrl: url, modelName: "Demo", quantizationType: "Q8_0")
                == downloaded.localModelPath)
        #expect(
            downloader.getModelResourceFolder(modelName: "Demo", quantizationType: "Q8_0") == bench.folder
                + "/Demo/Q8_0")
        #expect(
            try await downloader.getModelSize(modelName: "Demo", quantizationType: "Q8_0") == Int64(bench.model.count))
        #expect(try downloader.listModels().map(\.name) == ["Demo:Q8_0"])
        #expect(downloader.deleteModelFile(modelUrl: url, modelName: "Demo", quantizationType: "Q8_0"))
        #expect(await downloader.queryStatus(modelName: "Demo", quantizationType: "Q8_0") == .notOnLocal)
        await downloader.removeModel(modelName: "Demo", quantizationType: "Q8_0")
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/Demo"))
    }

    @Test("Files the engine rejects are fetched once more in silence")
    func repairs() async throws {
        let bench = try DownloaderWorkbench()
        let downloader = ModelDownloader(config: bench.config)
        let downloaded = try await downloader.downloadModel(modelName: "Demo", quantizationType: "Q8_0")
        let handle = try #require(FileHandle(forWritingAtPath: downloaded.localModelPath))
        try handle.write(contentsOf: Data(repeating: 0xFF, count: 4096))
        try handle.close()
        let fractions = Fractions()
        let runner = try await downloader.loadModel(modelName: "Demo", quantizationType: "Q8_0") { fraction, _ in
            fractions.add(fraction)
        }
        await MainActor.run {}
        #expect(fractions.all == fractions.all.sorted() && fractions.all.last == 1)
        #expect(Array(try Data(contentsOf: URL(fileURLWithPath: downloaded.localModelPath))) == bench.model)
        await runner.unload()
    }

    @Test("A registry that fails leaves the old copy alone, even when forced")
    func force() async throws {
        let bench = try DownloaderWorkbench()
        let downloader = ModelDownloader(config: bench.config)
        try await downloader.downloadModel(modelName: "Demo", quantizationType: "Q8_0")
        bench.isDown.set()
        await #expect(throws: LeapModelLoadingException.self) {
            _ = try await downloader.loadModel(modelName: "Demo", quantizationType: "Q8_0", forceDownload: true)
        }
        #expect(await downloader.queryStatus(modelName: "Demo", quantizationType: "Q8_0") == .downloaded)
    }

    @Test("An inference type we do not run is kept, and refused with a reason when loaded")
    func inferenceType() async throws {
        let bench = try DownloaderWorkbench(inferenceType: "executorch/text")
        let downloader = ModelDownloader(config: bench.config)
        try await downloader.downloadModel(modelName: "Demo", quantizationType: "Q8_0")
        do {
            _ = try await downloader.loadModel(modelName: "Demo", quantizationType: "Q8_0")
            Issue.record("no error")
        } catch let error as LeapModelLoadingException {
            #expect(error.message.contains("executorch/text"))
            #expect((error.cause as? DownloadError)?.code == .invalidManifest)
        }
        #expect(await downloader.queryStatus(modelName: "Demo", quantizationType: "Q8_0") == .downloaded)
    }

    @Test("Sources on this device and on the network load; the latter are fetched once")
    func sources() async throws {
        let bench = try DownloaderWorkbench()
        let downloader = ModelDownloader(config: bench.config)
        let local = try await downloader.loadSimpleModel(
            model: ModelSource(modelPath: try LeapDemoModel.url.path, modelName: "Mine", quantizationId: "Q8_0"))
        #expect(local.modelId == "Mine")
        await local.unload()
        #expect(bench.server.requests.isEmpty)
        let address = bench.server.url("/files/demo.gguf?token=secret").absoluteString
        let source = ModelSource(modelPath: address, modelName: "Net", quantizationId: "Q8_0")
        let first = try await downloader.loadSimpleModel(model: source)
        await first.unload()
        let count = bench.server.requests.count
        let second = try await downloader.loadSimpleModel(model: source)
        await second.unload()
        #expect(bench.server.requests.count == count)
        let path = downloader.getCachedFilePath(modelUrl: address, modelName: "Net", quantizationType: "Q8_0")
        #expect(path?.hasSuffix("/demo.gguf") == true)
    }

    @Test("The projector beside a model on this device is found, and one that is named wins")
    func companions() async throws {
        let bench = try DownloaderWorkbench()
        let downloader = ModelDownloader(config: bench.config)
        let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/vision")
        let folder = URL(fileURLWithPath: bench.folder).appendingPathComponent("companions")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let model = folder.appendingPathComponent("vision.gguf")
        try FileManager.default.copyItem(at: fixtures.appendingPathComponent("vision.gguf"), to: model)
        var source = ModelSource(modelPath: model.path, modelName: "Seeing", quantizationId: "F32")
        let blind = try #require(
            try await downloader.loadSimpleModel(model: source) as? LiquidInferenceEngineRunner)
        #expect(!blind.readsImages)
        await blind.unload()
        let name = "mmproj-vision.gguf"
        try FileManager.default.copyItem(
            at: fixtures.appendingPathComponent(name), to: folder.appendingPathComponent(name))
        let seeing = try #require(
            try await downloader.loadSimpleModel(model: source) as? LiquidInferenceEngineRunner)
        #expect(seeing.readsImages)
        await seeing.unload()
        source = ModelSource(
            modelPath: model.path, mmprojPath: folder.appendingPathComponent("missing.gguf").path, modelName: "Seeing",
            quantizationId: "F32")
        await #expect(throws: LeapModelLoadingException.self) {
            _ = try await downloader.loadSimpleModel(model: source)
        }
    }

    @Test("Manifests by address, and on this device")
    func manifests() async throws {
        let bench = try DownloaderWorkbench()
        let downloader = ModelDownloader(config: bench.config)
        let url = bench.server.url("/elsewhere/manifest.json")
        let downloaded = try await downloader.downloadModelFromManifest(manifestUrl: url)
        #expect(await downloader.queryStatus(manifestUrl: url) == .downloaded)
        let path = try #require(downloaded.manifest.pathOnDisk)
        let runner = try await downloader.loadModel(manifestUrl: URL(fileURLWithPath: path))
        await runner.unload()
        await downloader.removeModel(manifestUrl: url)
        #expect(await downloader.queryStatus(manifestUrl: url) == .notOnLocal)
    }

    @Test("A request in the background can be watched to its end")
    func observes() async throws {
        let bench = try DownloaderWorkbench()
        let downloader = ModelDownloader(config: bench.config)
        downloader.requestDownloadModel(modelName: "Demo", quantizationType: "Q8_0")
        var last: ProgressData?
        for await data in downloader.observeDownloadProgress(modelName: "Demo", quantizationType: "Q8_0") {
            #expect(data.bytes >= last?.bytes ?? 0)
            #expect(last?.progress ?? 0 < 1, "1 comes last")
            last = data
        }
        #expect(last?.progress == 1)
        #expect(last?.phase == .finished)
        #expect(await downloader.queryStatus(modelName: "Demo", quantizationType: "Q8_0") == .downloaded)
    }

    @Test("A load can be watched through its phases, and is not finished before the model can be used")
    func phases() async throws {
        let bench = try DownloaderWorkbench()
        // The file stops half-way until its fetching was seen.
        bench.isHeld.set(true)
        let downloader = ModelDownloader(config: bench.config)
        let watch = Task { () -> [ProgressData] in
            while true {
                var seen: [ProgressData] = []
                for await data in downloader.observeDownloadProgress(modelName: "Demo", quantizationType: "Q8_0") {
                    seen.append(data)
                    bench.isHeld.set(false)
                }
                // Nothing was under way yet.
                if !seen.isEmpty { return seen }
                try? await Task.sleep(nanoseconds: 1_000_000)
            }
        }
        let runner = try await downloader.loadModel(modelName: "Demo", quantizationType: "Q8_0")
        let seen = await watch.value
        #expect(seen.last?.phase == .finished)
        #expect(seen.dropLast().allSatisfy { $0.progress < 1 && $0.phase != .finished })
        await runner.unload()
    }

    @Test("A model that was stopped is asked for again, one that is under way is not")
    func stopped() async throws {
        let bench = try DownloaderWorkbench()
        bench.isHeld.set(true)
        let downloader = ModelDownloader(config: bench.config)
        downloader.requestDownloadModel(modelName: "Demo", quantizationType: "Q8_0")
        // What the server has sent may still be in the sockets' buffers: the status counts what has arrived.
        while true {
            let status = await downloader.queryStatus(modelName: "Demo", quantizationType: "Q8_0")
            if case .downloadInProgress(let progress) = status, progress > 0.25 { break }
            #expect(status != .downloaded)
            try await Task.sleep(nanoseconds: 5_000_000)
        }
        downloader.requestStopDownload(modelName: "Demo", quantizationType: "Q8_0")
        while await downloader.queryStatus(modelName: "Demo", quantizationType: "Q8_0") != .notOnLocal {
            try await Task.sleep(nanoseconds: 5_000_000)
        }
        bench.isHeld.set(false)
        let sent = bench.server.bytesSent
        try await downloader.downloadModel(modelName: "Demo", quantizationType: "Q8_0")
        #expect(await downloader.queryStatus(modelName: "Demo", quantizationType: "Q8_0") == .downloaded)
        #expect(bench.server.bytesSent - sent < bench.model.count * 4 / 5)
    }

    @Test("Whether a model fits is told from its header")
    func fits() async throws {
        let bench = try DownloaderWorkbench()
        let downloader = ModelDownloader(config: bench.config)
        let fit = try await downloader.fits(modelName: "Demo", quantizationType: "Q8_0", contextSize: 1024)
        #expect(fit.downloadBytes == Int64(bench.model.count))
        #expect(fit.bytesOnDisk == 0)
        #expect(fit.weightBytes > 0 && fit.weightBytes < fit.downloadBytes)
        #expect(fit.keyValueBytes > 0)
        #expect(fit.fits)
        #expect(!FileManager.default.fileExists(atPath: bench.folder))
        let larger = try await downloader.fits(modelName: "Demo", quantizationType: "Q8_0", contextSize: 2048)
        #expect(larger.keyValueBytes == 2 * fit.keyValueBytes)
        // The header only, twice.
        #expect(bench.server.bytesSent < bench.model.count)
        // A model that is there is asked about without a request.
        try await downloader.downloadModel(modelName: "Demo", quantizationType: "Q8_0")
        bench.isDown.set()
        let count = bench.server.requests.count
        let local = try await downloader.fits(modelName: "Demo", quantizationType: "Q8_0", contextSize: 1024)
        #expect(bench.server.requests.count == count)
        #expect(local.bytesOnDisk == local.downloadBytes)
        #expect(local.weightBytes == fit.weightBytes && local.keyValueBytes == fit.keyValueBytes)
    }

    @Test("The forms of older versions work")
    func legacy() async throws {
        let bench = try DownloaderWorkbench()
        let downloader = ModelDownloader(config: bench.config)
        let resolved = await LeapDownloadableModel.resolve(
            modelSlug: "Demo", quantizationSlug: "Q8_0", with: downloader)
        let model = try #require(resolved)
        #expect(await downloader.queryStatus(model).type == .notOnLocal)
        let url = try await downloader.downloadModel(model).get()
        #expect(url == downloader.getModelFile(model))
        #expect(downloader.getModelFileSize(model) == Int64(bench.model.count))
        #expect(await downloader.queryStatus(model) == .downloaded)
        try await downloader.removeModel(model)
        #expect(await downloader.queryStatus(model) == .notOnLocal)
        let file = HuggingFaceDownloadableModel(ownerName: "o", repoName: "r", filename: "a/f.gguf")
        #expect(file.uri.absoluteString.hasSuffix("/o/r/resolve/main/a/f.gguf"))
        #expect(file.localFilename == "f.gguf")
    }

    @Test("Where there is no notification centre, the log says so, and permission is not given")
    func notificationConfig() async {
        let asked = await CapturedLog.lines {
            _ = ModelDownloader(notificationConfig: LeapModelDownloaderNotificationConfig(title: "Fetching"))
        }
        #expect(asked.contains { $0.contains("notificationConfig has no effect here") })
        #expect(await !ModelDownloader(notificationConfig: nil).requestNotificationPermissions())
    }
}

import LeapSDK

/// Loading by name and fetching, with nothing imported but `LeapSDK`; compiled and not run.
@MainActor
final class DownloadCallSites {
    private var share = 0.0
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("harbour-models")

    func loadByName() async throws -> ModelRunner {
        let runner = try await Leap.load(
            model: "LFM2-350M",
            quantization: "Q8_0",
            options: LiquidInferenceEngineManifestOptions(contextSize: 2048)
        ) { fraction, bytesPerSecond in
            self.share = fraction
            print("\(bytesPerSecond / 1_000_000) MB/s")
        }
        return runner
    }

    func loadByNameWithLabels() async throws {
        _ = try await Leap.load(model: "LFM2-350M", quantization: "Q8_0")
        _ = try await Leap.load(
            model: "LFM2-350M", quantization: "Q8_0", progress: { fraction, _ in self.share = fraction })
        _ = try await Leap.load(model: "LFM2-350M", quantization: "Q8_0", downloadProgress: show)
        _ = try await Leap.shared.load(model: "LFM2-350M", quantization: "Q8_0") { _, _ in }
        _ = try await Leap.shared.load(model: "LFM2-350M", quantization: "Q8_0", downloadProgress: { _, _ in })
    }

    private func show(_ fraction: Double, _ bytesPerSecond: Int64) { share = fraction }

    func loadByManifest(_ manifest: URL) async throws {
        _ = try await Leap.load(manifestUrl: manifest)
        _ = try await Leap.load(manifestUrl: manifest, options: .init(contextSize: 512)) { fraction, _ in
            self.share = fraction
        }
        _ = try await Leap.load(manifestUrl: manifest, downloadProgress: { _, _ in })
        _ = try await Leap.shared.load(manifestUrl: manifest)
    }

    func downloaderLoads() async throws -> ModelRunner {
        let downloader = LeapDownloader(
            config: LeapDownloaderConfig(saveDir: folder.path, validateSha256: true)
        )
        _ = try await downloader.loadModel(modelName: "LFM2-350M", quantizationType: "Q8_0")
        return try await downloader.loadModel(
            modelName: "LFM2-350M",
            quantizationType: "Q8_0",
            options: LiquidInferenceEngineManifestOptions(contextSize: 2048, cpuThreads: 2),
            generationTimeParameters: nil,
            forceDownload: true
        ) { [weak self] fraction, _ in
            self?.share = fraction
        }
    }

    func sideload(text: URL, vision: URL, projector: URL, audio: URL, decoder: URL, tokenizer: URL) async throws {
        let downloader = LeapDownloader(config: LeapDownloaderConfig().with(saveDir: folder.path))
        _ = try await downloader.loadSimpleModel(
            model: ModelSource(modelPath: text.path, modelName: "Desk", quantizationId: "Q8_0"))
        _ = try await downloader.loadSimpleModel(
            model: ModelSource(
                modelPath: vision.path, mmprojPath: projector.path, modelName: "Berths", quantizationId: "Q4_0"))
        _ = try await downloader.loadSimpleModel(
            model: ModelSource(
                modelPath: audio.path,
                audioDecoderPath: decoder.path,
                audioTokenizerPath: tokenizer.path,
                modelName: "Announcements",
                quantizationId: "Q4_0"
            )
        ) { _, _ in }
    }

    func loadByNSURL(_ downloader: LeapDownloader, manifest: NSURL) async throws {
        _ = try await downloader.loadModel(manifestUrl: manifest, options: nil) { fraction, _ in self.share = fraction }
        _ = try await Leap.load(manifestUrl: manifest)
        _ = await downloader.getCachedManifest(manifestUrl: manifest)
    }

    func loadWithParametersByName(manifest: URL) async throws {
        let tuned = GenerationTimeParameters(samplingParameters: SamplingParameters(temperature: 0.1))
        _ = try await Leap.load(
            model: "LFM2-350M", quantization: "Q8_0", options: nil, generationTimeParameters: tuned
        ) { _, _ in }
        _ = try await Leap.shared.load(
            manifestUrl: manifest, options: nil, generationTimeParameters: tuned, progress: { _, _ in })
    }

    func prefetch(_ downloader: LeapDownloader) async throws -> String {
        _ = try await downloader.downloadModel(modelName: "LFM2-350M", quantizationType: "Q8_0") { fraction, _ in
            self.share = fraction
        }
        downloader.requestDownloadModel(modelName: "LFM2-350M", quantizationType: "Q8_0")
        downloader.requestDownloadModel(modelName: "LFM2-350M", quantizationType: "Q8_0", forceDownload: true)
        for await piece in downloader.observeDownloadProgress(modelName: "LFM2-350M", quantizationType: "Q8_0") {
            print(piece.bytes, piece.total, piece.progress)
        }
        downloader.requestStopDownload(modelName: "LFM2-350M", quantizationType: "Q8_0")
        await downloader.removeModel(modelName: "LFM2-350M", quantizationType: "Q8_0")
        let status: ModelDownloadStatus = await downloader.queryStatus(
            modelName: "LFM2-350M", quantizationType: "Q8_0")
        switch status {
        case .notOnLocal: return "not here"
        case .downloadInProgress(let progress): return "\(Int(progress * 100)) percent"
        case .downloaded: return "here"
        }
    }

    func prefetchByManifest(_ downloader: LeapDownloader, manifest: NSURL) async throws -> ModelDownloadStatus {
        _ = try await downloader.downloadModelFromManifest(manifestUrl: manifest) { _, _ in }
        downloader.requestDownloadModel(manifestUrl: manifest, forceDownload: false)
        downloader.requestStopDownload(manifestUrl: manifest)
        for await piece in downloader.observeDownloadProgress(manifestUrl: manifest) { print(piece.progress) }
        await downloader.removeModel(manifestUrl: manifest)
        return await downloader.queryStatus(manifestUrl: manifest)
    }

    func lookUp(_ downloader: LeapDownloader) async throws -> [String?] {
        let model: DownloadedModelManifest = try await downloader.downloadModel(
            modelName: "LFM2-350M", quantizationType: "Q8_0", downloadProgress: { _, _ in })
        let manifest: ModelManifest = model.manifest
        let files: LoadTimeParameters = manifest.loadTimeParameters
        let cached: Manifest? = await downloader.getCachedManifest(modelName: "LFM2-350M", quantizationType: "Q8_0")
        let space: Int64? = downloader.getAvailableDiskSpace()
        return [
            downloader.getModelResourceFolder(modelName: "LFM2-350M", quantizationType: "Q8_0"),
            downloader.getCachedFilePath(
                modelUrl: "https://example.com/a.gguf", modelName: "LFM2-350M", quantizationType: "Q8_0"),
            model.localModelPath, model.localMultimodalProjectorPath, model.localAudioDecoderPath,
            model.localAudioTokenizerPath, model.chatTemplate, manifest.schemaVersion, manifest.inferenceType,
            manifest.originalUrl, manifest.pathOnDisk, files.model, files.chatTemplate, cached?.schemaVersion,
            space.map(String.init),
        ]
    }
}

import LeapSDK
import Testing

// Labels and names of versions before 0.10.6. They compile, and the compiler names the newer ones; the functions are
// deprecated themselves, so that the warnings stay out of the build.

/// Compiled and not run, but for what is on this device.
struct EarlierCallSites: EarlierForms {
    @available(*, deprecated)
    func downloadByEarlierLabels(_ downloader: LeapDownloader) async throws -> [String?] {
        let runner = try await downloader.loadModel(
            model: "LFM2-350M", quantization: "Q8_0", options: LiquidInferenceEngineManifestOptions(contextSize: 2048)
        ) { _, _ in }
        let manifest = try await downloader.downloadModel(model: "LFM2-350M", quantization: "Q8_0") { _, _ in }
        downloader.requestDownloadModel(model: "LFM2-350M", quantization: "Q8_0", forceDownload: true)
        downloader.requestStopDownload(model: "LFM2-350M", quantization: "Q8_0")
        let status = await downloader.queryStatus(model: "LFM2-350M", quantization: "Q8_0")
        for await piece in downloader.observeDownloadProgress(model: "LFM2-350M", quantization: "Q8_0") {
            print(piece.progress)
        }
        if try await downloader.getModelSize(model: "LFM2-350M", quantization: "Q8_0") > 0 {
            await downloader.removeModel(model: "LFM2-350M", quantization: "Q8_0")
        }
        return [
            runner.modelId, manifest.localModelPath, status == .downloaded ? "here" : nil,
            downloader.getModelResourceFolder(model: "LFM2-350M", quantization: "Q8_0"),
            await downloader.getCachedManifest(model: "LFM2-350M", quantization: "Q8_0")?.schemaVersion,
        ]
    }

    @available(*, deprecated)
    func loadByLoadingOptions(_ downloader: LeapDownloader) async throws -> ModelRunner {
        let options = ModelLoadingOptions(contextSize: 2048)
        return try await downloader.loadModel(
            modelName: "LFM2-350M", quantizationSlug: "Q8_0", modelLoadingOptions: options,
            downloadProgress: { _, _ in })
    }

    @available(*, deprecated)
    func downloadBySlugs(_ downloader: LeapDownloader, _ manifestURL: URL) async throws -> [URL?] {
        _ = try await downloader.loadModel(modelSlug: "lfm2-350m", quantizationSlug: "q8_0") { _, _ in }
        let manifest = try await downloader.downloadModelFromManifest(manifestURL) { progress, speed in
            print(progress, speed)
        }
        _ = try await downloader.downloadModel("LFM2-350M", quantization: "Q8_0", downloadProgress: { _, _ in })
        try await downloader.removeModel(fromManifestURL: manifestURL)
        return [
            manifest.localModelUrl, manifest.localMultimodalProjectorURL, manifest.localAudioDecoderURL,
            manifest.localAudioTokenizerURL,
        ]
    }

    @available(*, deprecated)
    func askWithoutWaiting(_ downloader: LeapDownloader, _ manifestURL: URL) throws -> ModelDownloadStatus {
        try downloader.removeModel(fromManifestURL: manifestURL)
        return downloader.queryStatus(manifestURL)
    }

    @available(*, deprecated)
    func loadByEarlierLabels(_ manifestURL: URL) async throws -> [ModelRunner] {
        [
            try await Leap.load(manifestURL: manifestURL) { _, _ in },
            try await Leap.load(
                model: "LFM2-350M", quantization: "Q8_0", options: nil, downloadProgressHandler: { _, _ in }),
        ]
    }

    @available(*, deprecated)
    func loadFromOptions(file: URL) async throws -> ModelRunner {
        let options = LiquidInferenceEngineOptions(
            bundlePath: file.path, cpuThreads: 2, contextSize: 512, nGpuLayers: 0, mmProjPath: nil,
            audioDecoderPath: nil, audioDecoderUseGpu: false, audioTokenizerPath: nil)
        return try await Leap.load(options: options)
    }

    @available(*, deprecated)
    func loadWithoutWaiting(file: URL) throws -> ModelRunner {
        try Leap.load(options: LiquidInferenceEngineOptions(bundlePath: file.path, contextSize: 512))
    }

    @available(*, deprecated)
    func nameTheCompatibilityLayer(_ runner: ModelRunner) -> LiquidConversation {
        let response = LiquidMessageResponse.chunk("low water")
        if case .chunk(let text) = response { print(text, LiquidEngine.shared) }
        return runner.createConversation(systemPrompt: nil)
    }

    @Test("Call sites of versions before 0.10.6 run")
    func run() async throws {
        let forms: any EarlierForms = self
        let file = try DemoModel.file
        #expect(try await forms.loadFromOptions(file: file).contextSize == 512)
        #expect(try forms.loadWithoutWaiting(file: file).contextSize == 512)
        #expect(throws: LeapModelLoadingException.self) {
            try forms.loadWithoutWaiting(file: URL(fileURLWithPath: "/no/such.gguf"))
        }
        #expect(forms.nameTheCompatibilityLayer(try await DemoModel.runner.value).history.isEmpty)
        let nowhere = FileManager.default.temporaryDirectory.appendingPathComponent("no-models-\(UUID())")
        let downloader = LeapDownloader(config: LeapDownloaderConfig(saveDir: nowhere.path))
        let manifest = URL(fileURLWithPath: "/no/such/manifest.json")
        #expect(try forms.askWithoutWaiting(downloader, manifest) == .notOnLocal)
    }
}

/// The functions that run, behind a protocol: calling them is no warning then.
private protocol EarlierForms {
    func loadFromOptions(file: URL) async throws -> ModelRunner
    func loadWithoutWaiting(file: URL) throws -> ModelRunner
    func nameTheCompatibilityLayer(_ runner: ModelRunner) -> any Conversation
    func askWithoutWaiting(_ downloader: LeapDownloader, _ manifestURL: URL) throws -> ModelDownloadStatus
}

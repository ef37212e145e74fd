// swift-format-ignore-file
// The snippets stand as they are in the documents "Model Loading" (0.10.6) and "Agent guide" (0.10), compiled and not run.
import Foundation
import LeapModelDownloader

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct ModelLoadingDownloadCallSites {
    func constructing(modelsDir: String) {
        do {
            let downloader = ModelDownloader()
            _ = downloader
        }
        #if canImport(Darwin)
        let backgroundConfig = URLSessionConfiguration.background(
            withIdentifier: "com.myapp.leap.downloads"
        )
        let downloader = ModelDownloader(sessionConfiguration: backgroundConfig)
        downloader.handleBackgroundEvents(completionHandler: {})
        #endif
        do {
            let downloader = LeapDownloader(
              config: LeapDownloaderConfig(saveDir: modelsDir, validateSha256: true)
            )
            _ = downloader
        }
        _ = ModelDownloader(config: LeapDownloaderConfig(), sessionConfiguration: nil)
        _ = ModelDownloader(sessionConfiguration: nil)
        _ = ModelDownloader(config: LeapDownloaderConfig().with(saveDir: modelsDir))
    }

    func manifestBased(modelsDir: String) async throws {
        do {
            let downloader = ModelDownloader(
              config: LeapDownloaderConfig(saveDir: modelsDir, validateSha256: true)
            )

            let runner = try await downloader.loadModel(
              modelName: "LFM2.5-1.2B-Instruct",
              quantizationType: "Q4_K_M"
            ) { fraction, _ in
              print("Loading \(Int(fraction * 100))%")
            }
            _ = runner
        }
        do {
            let downloader = LeapDownloader(
              config: LeapDownloaderConfig(saveDir: modelsDir, validateSha256: true)
            )

            let runner = try await downloader.loadModel(
              modelName: "LFM2.5-1.2B-Instruct",
              quantizationType: "Q4_K_M"
            )
            _ = runner
        }
        let runner = try await Leap.load(
          model: "LFM2.5-1.2B-Instruct",
          quantization: "Q4_K_M",
          options: LiquidInferenceEngineManifestOptions(contextSize: 4096)
        ) { fraction, bytesPerSecond in
          print("Loading \(Int(fraction * 100))% at \(bytesPerSecond) B/s")
        }
        _ = runner
    }

    func compatibilityForms(manifestURL: URL) async throws {
        _ = try await Leap.load(model: "LFM2-1.2B", quantization: "Q4_K_M")
        _ = try await Leap.load(model: "LFM2-1.2B", quantization: "Q4_K_M", progress: { _, _ in })
        _ = try await Leap.load(model: "LFM2-1.2B", quantization: "Q4_K_M", downloadProgress: { _, _ in })
        _ = try await Leap.load(manifestUrl: manifestURL)
        _ = try await Leap.load(manifestUrl: manifestURL) { _, _ in }
        _ = try await Leap.load(manifestUrl: manifestURL, downloadProgress: { _, _ in })
        _ = try await Leap.shared.load(model: "LFM2-1.2B", quantization: "Q4_K_M") { _, _ in }
        _ = try await Leap.shared.load(model: "LFM2-1.2B", quantization: "Q4_K_M", downloadProgress: { _, _ in })
        _ = try await Leap.shared.load(manifestUrl: manifestURL)
    }

    func sideloaded(
        downloader: ModelDownloader, visionURL: URL, mmprojURL: URL, audioURL: URL, decoderURL: URL, tokenizerURL: URL
    ) async throws {
        // App-bundled GGUF
        guard let ggufURL = Bundle.main.url(
          forResource: "lfm2-1_2b-q4_k_m", withExtension: "gguf"
        ) else { fatalError("missing model") }

        let runner = try await downloader.loadSimpleModel(
          model: ModelSource(
            modelPath: ggufURL.path,
            modelName: "LFM2-1.2B-Instruct",
            quantizationId: "Q4_K_M"
          )
        )

        // Vision model with companion mmproj
        let visionRunner = try await downloader.loadSimpleModel(
          model: ModelSource(
            modelPath: visionURL.path,
            mmprojPath: mmprojURL.path,
            modelName: "LFM2.5-VL-1.6B",
            quantizationId: "Q4_K_M"
          )
        )

        // Audio model with decoder + tokenizer
        let audioRunner = try await downloader.loadSimpleModel(
          model: ModelSource(
            modelPath: audioURL.path,
            audioDecoderPath: decoderURL.path,
            audioTokenizerPath: tokenizerURL.path,
            modelName: "LFM2.5-Audio-1.5B",
            quantizationId: "Q4_0"
          )
        )
        _ = (runner, visionRunner, audioRunner)
    }

    func withoutLoading(downloader: ModelDownloader, manifestUrl: NSURL) async throws {
        let downloaded: DownloadedModelManifest = try await downloader.downloadModel(
            modelName: "LFM2-1.2B", quantizationType: "Q4_K_M", downloadProgress: { _, _ in })
        let manifest: ModelManifest = downloaded.manifest
        let paths: [String?] = [
            downloaded.localModelPath, downloaded.localMultimodalProjectorPath, downloaded.localAudioDecoderPath,
            downloaded.localAudioTokenizerPath, downloaded.chatTemplate, manifest.originalUrl, manifest.pathOnDisk,
        ]
        print(paths, manifest.schemaVersion, manifest.inferenceType, manifest.loadTimeParameters.model)
        downloader.requestDownloadModel(modelName: "LFM2-1.2B", quantizationType: "Q4_K_M")
        downloader.requestDownloadModel(modelName: "LFM2-1.2B", quantizationType: "Q4_K_M", forceDownload: true)
        downloader.requestStopDownload(modelName: "LFM2-1.2B", quantizationType: "Q4_K_M")
        let status: ModelDownloadStatus = await downloader.queryStatus(
            modelName: "LFM2-1.2B", quantizationType: "Q4_K_M")
        switch status {
        case .notOnLocal: break
        case .downloadInProgress(let progress): print(progress)
        case .downloaded: break
        }
        await downloader.removeModel(modelName: "LFM2-1.2B", quantizationType: "Q4_K_M")
        _ = try await downloader.downloadModelFromManifest(manifestUrl: manifestUrl) { _, _ in }
        downloader.requestDownloadModel(manifestUrl: manifestUrl, forceDownload: false)
        downloader.requestStopDownload(manifestUrl: manifestUrl)
        _ = await downloader.queryStatus(manifestUrl: manifestUrl)
        await downloader.removeModel(manifestUrl: manifestUrl)
        for await progress: ProgressData in downloader.observeDownloadProgress(manifestUrl: manifestUrl) {
            print(progress.bytes, progress.total, progress.progress)
        }
        let folder: String = downloader.getModelResourceFolder(modelName: "LFM2-1.2B", quantizationType: "Q4_K_M")
        let cached: Manifest? = await downloader.getCachedManifest(modelName: "LFM2-1.2B", quantizationType: "Q4_K_M")
        let path: String? = downloader.getCachedFilePath(
            modelUrl: "https://huggingface.co/x.gguf", modelName: "LFM2-1.2B", quantizationType: "Q4_K_M")
        let space: Int64? = downloader.getAvailableDiskSpace()
        _ = (folder, cached, path, space)
    }
}

/// What the guide's view model takes from Combine, which not every platform has.
protocol ObservedObject: AnyObject {}

@propertyWrapper
struct Observed<Value> {
    var wrappedValue: Value
}

@MainActor
final class ChatViewModel: ObservedObject {
    @Observed var responseText = ""
    @Observed var isLoading = false
    @Observed var errorMessage: String?
    @Observed var fraction = 0.0
    private let downloader: ModelDownloader = {
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first!.path
        let modelsDir = (caches as NSString).appendingPathComponent("leap_models")
        return ModelDownloader(config: LeapDownloaderConfig(saveDir: modelsDir))
    }()
    private var modelRunner: ModelRunner?
    private var conversation: Conversation?

    func loadModel() async {
        isLoading = true
        defer { isLoading = false }
        do {
            let runner = try await downloader.loadModel(
                modelName: "LFM2.5-1.2B-Instruct",
                quantizationType: "Q4_K_M"
            )
            modelRunner = runner
            conversation = runner.createConversation(systemPrompt: "You are a helpful assistant.")
        } catch {
            errorMessage = "Failed to load model: \(error.localizedDescription)"
        }
    }

    func loadShowingProgress() async throws {
        modelRunner = try await downloader.loadModel(
            modelName: "LFM2.5-1.2B-Instruct", quantizationType: "Q4_K_M"
        ) { [weak self] fraction, _ in
            Task { @MainActor in self?.fraction = fraction }
        }
    }
}

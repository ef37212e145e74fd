import LeapModelDownloader

/// `ModelDownloader` in every form, with nothing imported but its module; compiled and not run.
///
/// The app is a fish market's, which keeps its models in a folder of its own.
@MainActor
final class ModelDownloaderCallSites {
    private var share = 0.0
    private let downloader: ModelDownloader = {
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first!.path
        let folder = (caches as NSString).appendingPathComponent("market_models")
        return ModelDownloader(config: LeapDownloaderConfig(saveDir: folder))
    }()

    /// `ModelDownloader()`, `(config:)`, `(sessionConfiguration:)`, `(config:sessionConfiguration:)`,
    /// `(notificationConfig:)`.
    func initialisers(folder: String) -> [LeapDownloader] {
        [
            ModelDownloader(),
            ModelDownloader(config: LeapDownloaderConfig(saveDir: folder, validateSha256: true)),
            ModelDownloader(sessionConfiguration: nil),
            ModelDownloader(sessionConfiguration: URLSessionConfiguration.default),
            ModelDownloader(config: LeapDownloaderConfig().with(saveDir: folder), sessionConfiguration: nil),
            ModelDownloader(notificationConfig: nil),
            ModelDownloader(notificationConfig: LeapModelDownloaderNotificationConfig(title: "Fetching")),
        ]
    }

    #if canImport(Darwin)
        /// A background session, and UIKit's handler handed on as it comes.
        func background(completionHandler: @escaping () -> Void) {
            let configuration = URLSessionConfiguration.background(withIdentifier: "market.models")
            let downloader = ModelDownloader(sessionConfiguration: configuration)
            downloader.handleBackgroundEvents(completionHandler: completionHandler)
        }
    #endif

    /// `loadModel(modelName:quantizationType:options:generationTimeParameters:forceDownload:forceLocal:downloadProgress:)`.
    func loads() async throws -> [ModelRunner] {
        [
            try await downloader.loadModel(
                modelName: "LFM2-700M",
                quantizationType: "Q4_0"
            ) { fraction, _ in
                self.share = fraction
            },
            try await downloader.loadModel(
                modelName: "LFM2-700M", quantizationType: "Q4_0",
                options: LiquidInferenceEngineManifestOptions(contextSize: 2048, cpuThreads: 2)),
            try await downloader.loadModel(
                modelName: "LFM2-700M", quantizationType: "Q4_0", forceDownload: true, forceLocal: true),
            try await downloader.loadSimpleModel(
                model: ModelSource(modelPath: "/models/fish.gguf", modelName: "Fish", quantizationId: "Q4_0")),
        ]
    }

    /// The forms for single files, from before 0.7: `DownloadableModel`, `resolve(modelSlug:quantizationSlug:)`,
    /// `Result`.
    func singleFiles() async throws -> URL? {
        var status: LeapModelDownloader.ModelDownloadStatus = .notOnLocal
        guard let model = await LeapDownloadableModel.resolve(modelSlug: "fish-1b", quantizationSlug: "fish-1b-8bit")
        else {
            return nil
        }
        print(model.name, model.uri)
        await downloader.requestNotificationPermissions()
        status = await downloader.queryStatus(model)
        if status.type == .notOnLocal {
            switch await downloader.downloadModel(model) {
            case .success(let file): return file
            case .failure(let error): print("\(error)")
            }
        }
        let other = HuggingFaceDownloadableModel(ownerName: "market", repoName: "models", filename: "fish.bundle")
        downloader.requestDownloadModel(other, forceDownload: false)
        downloader.requestStopDownload(other)
        try await downloader.removeModel(other)
        print(downloader.getModelFileSize(other) ?? 0, await follow(other) == .downloaded)
        return downloader.getModelFile(other)
    }

    private func follow(_ model: DownloadableModel) async -> ModelDownloader.ModelDownloadStatus {
        while true {
            let status = await downloader.queryStatus(model)
            if status.type != .downloadInProgress { return status }
            try? await Task.sleep(nanoseconds: 500_000_000)
        }
    }
}

import LeapModelDownloader

// The code of the pages in LeapSDK.docc and LeapModelDownloader.docc, compiled and not run.

func downloadingModelsLoad() async throws -> any ModelRunner {
    let downloader = ModelDownloader()
    let runner = try await downloader.loadModel(modelName: "LFM2-1.2B", quantizationType: "Q4_K_M") {
        fraction, bytesPerSecond in
        print("\(Int(fraction * 100))% at \(bytesPerSecond) B/s")
    }
    return runner
}

func downloadingModelsByName(_ downloader: ModelDownloader) async throws {
    let manifest = try await downloader.downloadModel(
        modelName: "hf:LiquidAI/LFM2-1.2B-GGUF", quantizationType: "Q4_K_M")
    print(manifest.localModelPath)
}

func downloadingModelsFit(_ downloader: ModelDownloader) async throws {
    let fit = try await downloader.fits(modelName: "LFM2-1.2B", quantizationType: "Q4_K_M", contextSize: 8192)
    print("to fetch: \(fit.downloadBytes) bytes, in memory: \(fit.memoryBytes) bytes, fits: \(fit.fits)")
}

func downloadingModelsLater(_ downloader: ModelDownloader) async {
    downloader.requestDownloadModel(modelName: "LFM2-1.2B", quantizationType: "Q4_K_M")
    for await progress in downloader.observeDownloadProgress(modelName: "LFM2-1.2B", quantizationType: "Q4_K_M") {
        print("\(progress.phase?.rawValue ?? ""): \(progress.bytes) of \(progress.total) bytes")
    }
}

func downloadingModelsRoom(_ downloader: ModelDownloader) async throws {
    for model in try downloader.listModels() {
        print("\(model.name): \(model.size) bytes, last used \(model.lastUse)")
    }
    try await downloader.removeLeastRecentlyUsed(downTo: 4_000_000_000)
}

func downloadingModelsSpace(_ downloader: ModelDownloader) async throws {
    let space = try await downloader.diskSpace(modelName: "LFM2-1.2B", quantizationType: "Q4_K_M")
    guard space.isEnough else { throw LeapModelLoadingException("\(space.needed) bytes must be free") }
}

func downloadingModelsUnused(_ downloader: ModelDownloader) async throws {
    let unused = try await downloader.removeModels(unusedForDays: 30, dryRun: true)
    print("\(unused.reduce(0) { $0 + $1.size }) bytes are unused")
    try await downloader.removeModels(unusedForDays: 30)
}

func downloadingModelsNetworks() -> LeapDownloaderConfig {
    let config = LeapDownloaderConfig().with(allowsCellularAccess: false).with(allowsLowDataMode: false)
    return config
}

func downloadingModelsAssetPack(_ downloader: ModelDownloader) async throws -> any ModelRunner {
    let source = try await ModelSource.backgroundAssets(
        pack: "chat-model", modelFile: "LFM2-1.2B-Q4_K_M.gguf", modelName: "LFM2-1.2B", quantizationId: "Q4_K_M")
    let runner = try await downloader.loadSimpleModel(model: source)
    return runner
}

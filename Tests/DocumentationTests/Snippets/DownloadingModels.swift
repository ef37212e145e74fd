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

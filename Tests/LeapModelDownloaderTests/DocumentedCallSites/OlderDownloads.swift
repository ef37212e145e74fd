// swift-format-ignore-file
// The snippets stand as they are in the document "iOS API Spec" (before 0.7), but for the class that has another name since.
import Foundation
import LeapModelDownloader
import LeapSDK

@MainActor class ModelDownloadManager {
    private let downloader = ModelDownloader(notificationConfig: nil)
    var downloadStatus: LeapModelDownloader.ModelDownloadStatus = .notOnLocal
    var isResolvingModel = false

    func downloadAndLoadLeapModel(modelSlug: String, quantizationSlug: String) async {
        isResolvingModel = true
        // First, resolve the model from the Leap API
        guard let model = await LeapDownloadableModel.resolve(
            modelSlug: modelSlug,
            quantizationSlug: quantizationSlug
        ) else {
            print("Failed to resolve model: \(modelSlug) with quantization: \(quantizationSlug)")
            isResolvingModel = false
            return
        }
        isResolvingModel = false
        print("Resolved model: \(model.name)")
        print("Download URL: \(model.uri)")
        // Request notification permissions first
        await downloader.requestNotificationPermissions()
        // Check current status
        downloadStatus = await downloader.queryStatus(model)
        if downloadStatus.type == .notOnLocal {
            // Download the model
            let result = await downloader.downloadModel(model)
            switch result {
            case .success(let fileURL):
                print("Model downloaded to: \(fileURL)")
                // Load the model with LeapSDK
                do {
                    let modelRunner = try await Leap.load(url: fileURL)
                    // Use modelRunner...
                    _ = modelRunner
                } catch {
                    print("Failed to load model: \(error)")
                }
            case .failure(let error):
                print("Download failed: \(error)")
            }
        }
    }

    func trackDownloadProgress(_ model: DownloadableModel) async {
        // Monitor download progress
        while true {
            let status = await downloader.queryStatus(model)
            downloadStatus = status
            if status.type != .downloadInProgress { break }
            try? await Task.sleep(nanoseconds: 500_000_000) // 0.5 seconds
        }
    }

    func huggingFace() async throws {
        let hfModel = HuggingFaceDownloadableModel(
            ownerName: "LiquidAI",
            repoName: "LeapBundles",
            filename: "qwen3-0_6b_8da4w_4096.bundle"
        )
        downloader.requestDownloadModel(hfModel)
        downloader.requestStopDownload(hfModel)
        try await downloader.removeModel(hfModel)
        let file: URL = downloader.getModelFile(hfModel)
        let size: Int64? = downloader.getModelFileSize(hfModel)
        _ = (file, size)
    }
}

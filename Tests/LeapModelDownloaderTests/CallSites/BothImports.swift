import LeapModelDownloader
import LeapSDK

/// Both imports together name each type once.
func bothImports(_ downloader: ModelDownloader, _ other: LeapDownloader) async -> [ModelDownloadStatus] {
    let config: LeapDownloaderConfig = downloader.config
    let manifest: Manifest? = await other.getCachedManifest(modelName: config.saveDir, quantizationType: "Q4_0")
    print(manifest?.loadTimeParameters.model ?? "")
    return [await downloader.queryStatus(modelName: "LFM2-700M", quantizationType: "Q4_0")]
}

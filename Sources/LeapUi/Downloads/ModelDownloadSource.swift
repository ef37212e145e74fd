public import LeapSDK

/// The download of one model, as ``ModelDownloadStore`` controls it.
///
/// A store makes one from a `LeapDownloader`. Tests of apps and other sources of models can have their own.
public protocol ModelDownloadSource: Sendable {
    /// Returns whether the model is complete on this device.
    func isDownloaded() async -> Bool
    /// Returns the disk space that the model needs, and the space that there is.
    func space() async throws -> DownloadSpace
    /// Starts or continues the download, and returns at once.
    func start()
    /// Stops the download; the bytes on disk stay.
    func stop()
    /// Returns the progress of the download; the stream ends when no transfer is running.
    func progress() -> AsyncStream<ProgressData>
    /// Removes the model.
    func remove() async throws
}

/// The download of a model of a downloader.
struct DownloaderSource: ModelDownloadSource {
    let downloader: LeapDownloader
    let modelName: String
    let quantizationType: String

    func isDownloaded() async -> Bool {
        await downloader.queryStatus(modelName: modelName, quantizationType: quantizationType) == .downloaded
    }

    func space() async throws -> DownloadSpace {
        try await downloader.diskSpace(modelName: modelName, quantizationType: quantizationType)
    }

    func start() {
        downloader.requestDownloadModel(modelName: modelName, quantizationType: quantizationType)
    }

    func stop() {
        downloader.requestStopDownload(modelName: modelName, quantizationType: quantizationType)
    }

    func progress() -> AsyncStream<ProgressData> {
        downloader.observeDownloadProgress(modelName: modelName, quantizationType: quantizationType)
    }

    func remove() async throws {
        try await downloader.deleteModelResources(modelName: modelName, quantizationType: quantizationType)
    }
}

import Foundation

// Manifest addresses as NSURL, as the LEAP SDK's Objective-C interface has them.
extension LeapDownloader {
    /// Fetches the model of a manifest; see ``downloadModelFromManifest(manifestUrl:downloadProgress:)``.
    @discardableResult
    public func downloadModelFromManifest(
        manifestUrl: NSURL, downloadProgress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> DownloadedModelManifest {
        try await downloadModelFromManifest(manifestUrl: URL.from(manifestUrl), downloadProgress: downloadProgress)
    }

    /// Begins to fetch the model of a manifest and returns at once.
    public func requestDownloadModel(manifestUrl: NSURL, forceDownload: Bool = false) {
        requestDownloadModel(manifestUrl: URL.from(manifestUrl), forceDownload: forceDownload)
    }

    /// Stops fetching the model of a manifest; what is there stays for the next time.
    public func requestStopDownload(manifestUrl: NSURL) {
        requestStopDownload(manifestUrl: URL.from(manifestUrl))
    }

    /// The progress of a manifest's model; see ``observeDownloadProgress(modelName:quantizationType:)``.
    public func observeDownloadProgress(manifestUrl: NSURL) -> AsyncStream<ProgressData> {
        observeDownloadProgress(manifestUrl: URL.from(manifestUrl))
    }

    /// Where the model of a manifest stands.
    public func queryStatus(manifestUrl: NSURL) async -> ModelDownloadStatus {
        await queryStatus(manifestUrl: URL.from(manifestUrl))
    }

    /// Removes the model of a manifest.
    public func removeModel(manifestUrl: NSURL) async { await removeModel(manifestUrl: URL.from(manifestUrl)) }
}

extension URL {
    /// The same address; `as` bridges on Apple's systems only.
    fileprivate static func from(_ url: NSURL) -> URL {
        url.absoluteURL ?? URL(fileURLWithPath: "/")
    }
}

import Foundation

// Manifest addresses as NSURL, as the LEAP SDK's Objective-C interface has them.
extension LeapDownloader {
    /// Downloads the model of a manifest; see ``downloadModelFromManifest(manifestUrl:downloadProgress:)``.
    @discardableResult
    public func downloadModelFromManifest(
        manifestUrl: NSURL, downloadProgress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> DownloadedModelManifest {
        try await downloadModelFromManifest(manifestUrl: URL.from(manifestUrl), downloadProgress: downloadProgress)
    }

    /// Loads the model of a manifest, downloading missing files first; see
    /// ``loadModel(modelName:quantizationType:options:generationTimeParameters:forceDownload:forceLocal:downloadProgress:)``.
    public func loadModel(
        manifestUrl: NSURL, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, forceDownload: Bool = false,
        forceLocal: Bool = false,
        downloadProgress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> any ModelRunner {
        try await loadModel(
            manifestUrl: URL.from(manifestUrl), options: options, generationTimeParameters: generationTimeParameters,
            forceDownload: forceDownload, forceLocal: forceLocal, downloadProgress: downloadProgress)
    }

    /// Returns the manifest of a model that is complete on this device; nil for other models.
    public func getCachedManifest(manifestUrl: NSURL) async -> Manifest? {
        await getCachedManifest(manifestUrl: URL.from(manifestUrl))
    }

    /// Starts downloading the model of a manifest and returns at once.
    public func requestDownloadModel(manifestUrl: NSURL, forceDownload: Bool = false) {
        requestDownloadModel(manifestUrl: URL.from(manifestUrl), forceDownload: forceDownload)
    }

    /// Stops downloading the model of a manifest; a later download continues from the files on disk.
    public func requestStopDownload(manifestUrl: NSURL) {
        requestStopDownload(manifestUrl: URL.from(manifestUrl))
    }

    /// Returns the progress of a manifest's model; see ``observeDownloadProgress(modelName:quantizationType:)``.
    public func observeDownloadProgress(manifestUrl: NSURL) -> AsyncStream<ProgressData> {
        observeDownloadProgress(manifestUrl: URL.from(manifestUrl))
    }

    /// Returns the state of a manifest's model on this device.
    public func queryStatus(manifestUrl: NSURL) async -> ModelDownloadStatus {
        await queryStatus(manifestUrl: URL.from(manifestUrl))
    }

    /// Removes the model of a manifest.
    public func removeModel(manifestUrl: NSURL) async { await removeModel(manifestUrl: URL.from(manifestUrl)) }
}

extension Leap {
    /// Loads the model of a manifest, downloading it first if it is not on this device.
    public static func load(
        manifestUrl: NSURL, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        progress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> any ModelRunner {
        try await load(
            manifestUrl: URL.from(manifestUrl), options: options, generationTimeParameters: generationTimeParameters,
            progress: progress)
    }

    /// Loads the model of a manifest, downloading it first if it is not on this device.
    public func load(
        manifestUrl: NSURL, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        progress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> any ModelRunner {
        try await Self.load(
            manifestUrl: manifestUrl, options: options, generationTimeParameters: generationTimeParameters,
            progress: progress)
    }
}

extension URL {
    /// The same address; `as` bridges on Apple's systems only.
    fileprivate static func from(_ url: NSURL) -> URL {
        url.absoluteURL ?? URL(fileURLWithPath: "/")
    }
}

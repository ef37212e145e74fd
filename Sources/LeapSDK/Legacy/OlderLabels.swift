// Labels that versions of the LEAP SDK before 0.10.6 have, with the newer ones in the compiler's words.

extension LeapDownloader {
    /// Loads a model, with the labels of versions 0.10.0 to 0.10.5.
    @available(*, deprecated, message: "the labels are modelName: and quantizationType:")
    public func loadModel(
        model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, forceDownload: Bool = false,
        downloadProgress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> any ModelRunner {
        try await loadModel(
            modelName: model, quantizationType: quantization, options: options,
            generationTimeParameters: generationTimeParameters, forceDownload: forceDownload,
            downloadProgress: downloadProgress)
    }

    /// Downloads a model without loading it, with the labels of versions 0.10.0 to 0.10.5.
    @discardableResult
    @available(*, deprecated, message: "the labels are modelName: and quantizationType:")
    public func downloadModel(
        model: String, quantization: String,
        downloadProgress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> DownloadedModelManifest {
        try await downloadModel(modelName: model, quantizationType: quantization, downloadProgress: downloadProgress)
    }

    /// Starts downloading a model, with the labels of versions 0.10.0 to 0.10.5.
    @available(*, deprecated, message: "the labels are modelName: and quantizationType:")
    public func requestDownloadModel(model: String, quantization: String, forceDownload: Bool = false) {
        requestDownloadModel(modelName: model, quantizationType: quantization, forceDownload: forceDownload)
    }

    /// Stops downloading a model, with the labels of versions 0.10.0 to 0.10.5.
    @available(*, deprecated, message: "the labels are modelName: and quantizationType:")
    public func requestStopDownload(model: String, quantization: String) {
        requestStopDownload(modelName: model, quantizationType: quantization)
    }

    /// Returns the state of a model on this device, with the labels of versions 0.10.0 to 0.10.5.
    @available(*, deprecated, message: "the labels are modelName: and quantizationType:")
    public func queryStatus(model: String, quantization: String) async -> ModelDownloadStatus {
        await queryStatus(modelName: model, quantizationType: quantization)
    }

    /// Returns the progress of a model, with the labels of versions 0.10.0 to 0.10.5.
    @available(*, deprecated, message: "the labels are modelName: and quantizationType:")
    public func observeDownloadProgress(model: String, quantization: String) -> AsyncStream<ProgressData> {
        observeDownloadProgress(modelName: model, quantizationType: quantization)
    }

    /// Removes a model, with the labels of versions 0.10.0 to 0.10.5.
    @available(*, deprecated, message: "the labels are modelName: and quantizationType:")
    public func removeModel(model: String, quantization: String) async {
        await removeModel(modelName: model, quantizationType: quantization)
    }

    /// Returns the size of a model in bytes, with the labels of versions 0.10.0 to 0.10.5.
    @available(*, deprecated, message: "the labels are modelName: and quantizationType:")
    public func getModelSize(model: String, quantization: String) async throws -> Int64 {
        try await getModelSize(modelName: model, quantizationType: quantization)
    }

    /// Returns the folder of a model's files, with the labels of versions 0.10.0 to 0.10.5.
    @available(*, deprecated, message: "the labels are modelName: and quantizationType:")
    public func getModelResourceFolder(model: String, quantization: String) -> String {
        getModelResourceFolder(modelName: model, quantizationType: quantization)
    }

    /// Returns the manifest of a model that is complete on this device, with the labels of versions 0.10.0 to 0.10.5.
    @available(*, deprecated, message: "the labels are modelName: and quantizationType:")
    public func getCachedManifest(model: String, quantization: String) async -> Manifest? {
        await getCachedManifest(modelName: model, quantizationType: quantization)
    }
}

extension LeapDownloader {
    /// Loads a model, with the labels of versions 0.10.0 to 0.10.4.
    @available(*, deprecated, message: "the labels are modelName: and quantizationType:")
    public func loadModel(
        modelName: String, quantizationSlug: String, modelLoadingOptions: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, forceDownload: Bool = false,
        downloadProgress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> any ModelRunner {
        try await loadModel(
            modelName: modelName, quantizationType: quantizationSlug, options: modelLoadingOptions,
            generationTimeParameters: generationTimeParameters, forceDownload: forceDownload,
            downloadProgress: downloadProgress)
    }
}

extension LeapDownloader {
    /// Loads a model, with the labels of versions 0.7 to 0.9.
    @available(*, deprecated, message: "the labels are modelName: and quantizationType:")
    public func loadModel(
        modelSlug: String, quantizationSlug: String, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, forceDownload: Bool = false,
        downloadProgress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> any ModelRunner {
        try await loadModel(
            modelName: modelSlug, quantizationType: quantizationSlug, options: options,
            generationTimeParameters: generationTimeParameters, forceDownload: forceDownload,
            downloadProgress: downloadProgress)
    }

    /// Downloads a model without loading it, with the labels of versions 0.7 to 0.9.
    @discardableResult
    @available(*, deprecated, message: "the labels are modelName: and quantizationType:")
    public func downloadModel(
        modelSlug: String, quantizationSlug: String,
        downloadProgress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> DownloadedModelManifest {
        try await downloadModel(
            modelName: modelSlug, quantizationType: quantizationSlug, downloadProgress: downloadProgress)
    }

    /// Starts downloading a model, with the labels of versions 0.7 to 0.9.
    @available(*, deprecated, message: "the labels are modelName: and quantizationType:")
    public func requestDownloadModel(modelSlug: String, quantizationSlug: String, forceDownload: Bool = false) {
        requestDownloadModel(modelName: modelSlug, quantizationType: quantizationSlug, forceDownload: forceDownload)
    }

    /// Stops downloading a model, with the labels of versions 0.7 to 0.9.
    @available(*, deprecated, message: "the labels are modelName: and quantizationType:")
    public func requestStopDownload(modelSlug: String, quantizationSlug: String) {
        requestStopDownload(modelName: modelSlug, quantizationType: quantizationSlug)
    }

    /// Returns the state of a model on this device, with the labels of versions 0.7 to 0.9.
    @available(*, deprecated, message: "the labels are modelName: and quantizationType:")
    public func queryStatus(modelSlug: String, quantizationSlug: String) async -> ModelDownloadStatus {
        await queryStatus(modelName: modelSlug, quantizationType: quantizationSlug)
    }

    /// Returns the progress of a model, with the labels of versions 0.7 to 0.9.
    @available(*, deprecated, message: "the labels are modelName: and quantizationType:")
    public func observeDownloadProgress(modelSlug: String, quantizationSlug: String) -> AsyncStream<ProgressData> {
        observeDownloadProgress(modelName: modelSlug, quantizationType: quantizationSlug)
    }

    /// Removes a model, with the labels of versions 0.7 to 0.9.
    @available(*, deprecated, message: "the labels are modelName: and quantizationType:")
    public func removeModel(modelSlug: String, quantizationSlug: String) async {
        await removeModel(modelName: modelSlug, quantizationType: quantizationSlug)
    }

    /// Returns the folder of a model's files, with the labels of versions 0.7 to 0.9.
    @available(*, deprecated, message: "the labels are modelName: and quantizationType:")
    public func getModelResourceFolder(modelSlug: String, quantizationSlug: String) -> String {
        getModelResourceFolder(modelName: modelSlug, quantizationType: quantizationSlug)
    }

    /// Returns the manifest of a model that is complete on this device, with the labels of versions 0.7 to 0.9.
    @available(*, deprecated, message: "the labels are modelName: and quantizationType:")
    public func getCachedManifest(modelSlug: String, quantizationSlug: String) async -> Manifest? {
        await getCachedManifest(modelName: modelSlug, quantizationType: quantizationSlug)
    }
}

extension LeapDownloader {
    /// Downloads a model without loading it, in the form of version 0.9 of the LEAP SDK.
    @discardableResult
    @available(*, deprecated, message: "the labels are modelName: and quantizationType:")
    public func downloadModel(
        _ model: String, quantization: String,
        downloadProgress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> DownloadedModelManifest {
        try await downloadModel(modelName: model, quantizationType: quantization, downloadProgress: downloadProgress)
    }

    /// Downloads the model of a manifest without loading it, in the form of version 0.9 of the LEAP SDK.
    @discardableResult
    @available(*, deprecated, message: "the label is manifestUrl:")
    public func downloadModelFromManifest(
        _ manifestURL: URL, downloadProgress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> DownloadedModelManifest {
        try await downloadModelFromManifest(manifestUrl: manifestURL, downloadProgress: downloadProgress)
    }

    /// Returns the state of a manifest's model from the disk, in the form of versions 0.7 to 0.9 of the LEAP SDK.
    @available(*, deprecated, message: "write await queryStatus(manifestUrl:)")
    public func queryStatus(_ manifestURL: URL) -> ModelDownloadStatus { status(reference(manifestURL)) }

    /// Removes the model of a manifest, in the form of versions 0.7 to 0.9 of the LEAP SDK.
    @available(*, deprecated, message: "write await removeModel(manifestUrl:)")
    public func removeModel(fromManifestURL manifestURL: URL) async throws {
        try await LeapModelLoadingException.mapping { try await store.remove(reference(manifestURL)) }
    }

    /// Starts removing the model of a manifest, for callers that cannot wait; logs failures.
    @available(*, deprecated, message: "write await removeModel(manifestUrl:)")
    public func removeModel(fromManifestURL manifestURL: URL) throws {
        Task { await removeModel(manifestUrl: manifestURL) }
    }
}

extension Leap {
    /// Loads a model of the LEAP library, with the label of versions 0.7 to 0.9.
    @available(*, deprecated, message: "the label is progress:")
    @_disfavoredOverload
    public static func load(
        model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
        downloadProgressHandler: @escaping @MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void
    ) async throws -> any ModelRunner {
        try await load(model: model, quantization: quantization, options: options, progress: downloadProgressHandler)
    }

    /// Loads the model of a manifest, with the label of versions 0.7 to 0.9.
    @available(*, deprecated, message: "the label is manifestUrl:")
    public static func load(
        manifestURL: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        downloadProgressHandler: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> any ModelRunner {
        try await load(manifestUrl: manifestURL, options: options, progress: downloadProgressHandler)
    }

    /// Loads the model that the options name, in the form of versions 0.7 to 0.9 of the LEAP SDK.
    @available(*, deprecated, message: "write load(url:options:)")
    public static func load(options: LiquidInferenceEngineOptions) async throws -> any ModelRunner {
        try await load(url: URL(fileURLWithPath: options.bundlePath), options: options)
    }

    /// Loads the model that the options name and blocks until it is loaded, for callers that cannot wait.
    @available(*, deprecated, message: "write await load(url:options:), which does not block the thread")
    public static func load(options: LiquidInferenceEngineOptions) throws -> any ModelRunner {
        try ModelLoader.loadHere(
            path: options.bundlePath, options: options.options, autoDetectCompanionFiles: true)
    }
}

extension DownloadedModelManifest {
    /// ``localModelPath`` as a URL.
    @available(*, deprecated, message: "write URL(fileURLWithPath:) around localModelPath")
    public var localModelURL: URL { URL(fileURLWithPath: localModelPath) }

    /// ``localModelPath`` as a URL.
    @available(*, deprecated, message: "write URL(fileURLWithPath:) around localModelPath")
    public var localModelUrl: URL { URL(fileURLWithPath: localModelPath) }

    /// ``localMultimodalProjectorPath`` as a URL.
    @available(*, deprecated, message: "write URL(fileURLWithPath:) around localMultimodalProjectorPath")
    public var localMultimodalProjectorURL: URL? { localMultimodalProjectorPath.map { URL(fileURLWithPath: $0) } }

    /// ``localMultimodalProjectorPath`` as a URL.
    @available(*, deprecated, message: "write URL(fileURLWithPath:) around localMultimodalProjectorPath")
    public var localMultimodalProjectorUrl: URL? { localMultimodalProjectorPath.map { URL(fileURLWithPath: $0) } }

    /// ``localAudioDecoderPath`` as a URL.
    @available(*, deprecated, message: "write URL(fileURLWithPath:) around localAudioDecoderPath")
    public var localAudioDecoderURL: URL? { localAudioDecoderPath.map { URL(fileURLWithPath: $0) } }

    /// ``localAudioDecoderPath`` as a URL.
    @available(*, deprecated, message: "write URL(fileURLWithPath:) around localAudioDecoderPath")
    public var localAudioDecoderUrl: URL? { localAudioDecoderPath.map { URL(fileURLWithPath: $0) } }

    /// ``localAudioTokenizerPath`` as a URL.
    @available(*, deprecated, message: "write URL(fileURLWithPath:) around localAudioTokenizerPath")
    public var localAudioTokenizerURL: URL? { localAudioTokenizerPath.map { URL(fileURLWithPath: $0) } }

    /// ``localAudioTokenizerPath`` as a URL.
    @available(*, deprecated, message: "write URL(fileURLWithPath:) around localAudioTokenizerPath")
    public var localAudioTokenizerUrl: URL? { localAudioTokenizerPath.map { URL(fileURLWithPath: $0) } }
}

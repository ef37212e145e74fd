import Foundation

// Progress callbacks that are plain functions, `(Double, Int64) -> Void`, such as an app's stored property. Swift 6
// does not take those for functions of the main actor, which the other overloads ask for. They are called on the main
// queue all the same.

/// A callback that need not be `Sendable`.
private struct PlainProgress: @unchecked Sendable {
    // Sendable although the function need not be: it is called on the main queue only, one call after another.
    let callback: (_ fraction: Double, _ bytesPerSecond: Int64) -> Void

    /// The callback as a function of the main actor.
    static func onMain(
        _ callback: ((_ fraction: Double, _ bytesPerSecond: Int64) -> Void)?
    ) -> (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? {
        guard let callback else { return nil }
        let plain = PlainProgress(callback: callback)
        return { plain.callback($0, $1) }
    }
}

extension LeapDownloader {
    /// Loads a model, downloading missing files first; see
    /// ``loadModel(modelName:quantizationType:options:generationTimeParameters:forceDownload:forceLocal:downloadProgress:)``.
    @_disfavoredOverload
    public func loadModel(
        modelName: String, quantizationType: String, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, forceDownload: Bool = false,
        forceLocal: Bool = false,
        downloadProgress: ((_ fraction: Double, _ bytesPerSecond: Int64) -> Void)?,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> any ModelRunner {
        try await loadModel(
            modelName: modelName, quantizationType: quantizationType, options: options,
            generationTimeParameters: generationTimeParameters, forceDownload: forceDownload, forceLocal: forceLocal,
            downloadProgress: PlainProgress.onMain(downloadProgress))
    }

    /// Loads the model of a manifest, downloading missing files first.
    @_disfavoredOverload
    public func loadModel(
        manifestUrl: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, forceDownload: Bool = false,
        forceLocal: Bool = false,
        downloadProgress: ((_ fraction: Double, _ bytesPerSecond: Int64) -> Void)?,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> any ModelRunner {
        try await loadModel(
            manifestUrl: manifestUrl, options: options, generationTimeParameters: generationTimeParameters,
            forceDownload: forceDownload, forceLocal: forceLocal,
            downloadProgress: PlainProgress.onMain(downloadProgress))
    }

    /// Loads a model from files or URLs that the app provides.
    @_disfavoredOverload
    public func loadSimpleModel(
        model: ModelSource, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, forceLocal: Bool = false,
        downloadProgress: ((_ fraction: Double, _ bytesPerSecond: Int64) -> Void)?,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> any ModelRunner {
        try await loadSimpleModel(
            model: model, options: options, generationTimeParameters: generationTimeParameters, forceLocal: forceLocal,
            downloadProgress: PlainProgress.onMain(downloadProgress))
    }

    /// Downloads a model without loading it; see ``downloadModel(modelName:quantizationType:downloadProgress:)``.
    @discardableResult
    @_disfavoredOverload
    public func downloadModel(
        modelName: String, quantizationType: String,
        downloadProgress: ((_ fraction: Double, _ bytesPerSecond: Int64) -> Void)?,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> DownloadedModelManifest {
        try await downloadModel(
            modelName: modelName, quantizationType: quantizationType,
            downloadProgress: PlainProgress.onMain(downloadProgress))
    }

    /// Downloads the model of a manifest without loading it.
    @discardableResult
    @_disfavoredOverload
    public func downloadModelFromManifest(
        manifestUrl: URL,
        downloadProgress: ((_ fraction: Double, _ bytesPerSecond: Int64) -> Void)?,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> DownloadedModelManifest {
        try await downloadModelFromManifest(
            manifestUrl: manifestUrl, downloadProgress: PlainProgress.onMain(downloadProgress))
    }
}

extension Leap {
    /// Loads a model of the LEAP library, downloading it first if it is not on this device.
    @_disfavoredOverload
    public static func load(
        model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        progress: ((_ fraction: Double, _ bytesPerSecond: Int64) -> Void)?,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> any ModelRunner {
        try await load(
            model: model, quantization: quantization, options: options,
            generationTimeParameters: generationTimeParameters, progress: PlainProgress.onMain(progress))
    }

    /// Loads the model of a manifest, downloading it first if it is not on this device.
    @_disfavoredOverload
    public static func load(
        manifestUrl: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        progress: ((_ fraction: Double, _ bytesPerSecond: Int64) -> Void)?,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> any ModelRunner {
        try await load(
            manifestUrl: manifestUrl, options: options, generationTimeParameters: generationTimeParameters,
            progress: PlainProgress.onMain(progress))
    }

    /// Loads a model of the LEAP library, downloading it first if it is not on this device.
    @_disfavoredOverload
    public static func load(
        model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        downloadProgress: ((_ fraction: Double, _ bytesPerSecond: Int64) -> Void)?,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> any ModelRunner {
        try await load(
            model: model, quantization: quantization, options: options,
            generationTimeParameters: generationTimeParameters, progress: PlainProgress.onMain(downloadProgress))
    }

    /// Loads the model of a manifest, downloading it first if it is not on this device.
    @_disfavoredOverload
    public static func load(
        manifestUrl: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        downloadProgress: ((_ fraction: Double, _ bytesPerSecond: Int64) -> Void)?,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> any ModelRunner {
        try await load(
            manifestUrl: manifestUrl, options: options, generationTimeParameters: generationTimeParameters,
            progress: PlainProgress.onMain(downloadProgress))
    }

    /// Loads a model of the LEAP library, downloading it first if it is not on this device.
    @_disfavoredOverload
    public func load(
        model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        progress: ((_ fraction: Double, _ bytesPerSecond: Int64) -> Void)?,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> any ModelRunner {
        try await Self.load(
            model: model, quantization: quantization, options: options,
            generationTimeParameters: generationTimeParameters, progress: PlainProgress.onMain(progress))
    }

    /// Loads the model of a manifest, downloading it first if it is not on this device.
    @_disfavoredOverload
    public func load(
        manifestUrl: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        progress: ((_ fraction: Double, _ bytesPerSecond: Int64) -> Void)?,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> any ModelRunner {
        try await Self.load(
            manifestUrl: manifestUrl, options: options, generationTimeParameters: generationTimeParameters,
            progress: PlainProgress.onMain(progress))
    }

    /// Loads a model of the LEAP library, downloading it first if it is not on this device.
    @_disfavoredOverload
    public func load(
        model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        downloadProgress: ((_ fraction: Double, _ bytesPerSecond: Int64) -> Void)?,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> any ModelRunner {
        try await Self.load(
            model: model, quantization: quantization, options: options,
            generationTimeParameters: generationTimeParameters, progress: PlainProgress.onMain(downloadProgress))
    }

    /// Loads the model of a manifest, downloading it first if it is not on this device.
    @_disfavoredOverload
    public func load(
        manifestUrl: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        downloadProgress: ((_ fraction: Double, _ bytesPerSecond: Int64) -> Void)?,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> any ModelRunner {
        try await Self.load(
            manifestUrl: manifestUrl, options: options, generationTimeParameters: generationTimeParameters,
            progress: PlainProgress.onMain(downloadProgress))
    }
}

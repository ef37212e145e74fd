import Foundation
import LeapTransfers

extension Leap {
    /// Loads a model of the LEAP library, fetching it first if it is not on this device.
    ///
    /// The same as ``LeapDownloader/loadModel(modelName:quantizationType:options:generationTimeParameters:forceDownload:forceLocal:downloadProgress:)``
    /// of a downloader with the usual configuration.
    ///
    /// - Parameters:
    ///   - model: the model's name, such as `LFM2-1.2B`.
    ///   - quantization: such as `Q4_K_M`.
    ///   - options: how to run it; nil for what the manifest and the machine recommend.
    ///   - generationTimeParameters: values over the manifest's.
    ///   - progress: the fraction (0...1, never falling, 1 when all files are there, before they are loaded) and bytes
    ///     per second; called on the main queue.
    public static func load(
        model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        progress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> any ModelRunner {
        try await LeapDownloader().loadModel(
            modelName: model, quantizationType: quantization, options: options,
            generationTimeParameters: generationTimeParameters, downloadProgress: progress)
    }

    /// Loads a model of the LEAP library, by the other name of the progress callback.
    public static func load(
        model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        downloadProgress: @escaping @MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void
    ) async throws -> any ModelRunner {
        try await load(
            model: model, quantization: quantization, options: options,
            generationTimeParameters: generationTimeParameters, progress: downloadProgress)
    }

    /// Loads the model of a manifest, fetching it first if it is not on this device.
    public static func load(
        manifestUrl: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        progress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> any ModelRunner {
        try await LeapDownloader().loadModel(
            manifestUrl: manifestUrl, options: options, generationTimeParameters: generationTimeParameters,
            downloadProgress: progress)
    }

    /// Loads the model of a manifest, by the other name of the progress callback.
    public static func load(
        manifestUrl: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        downloadProgress: @escaping @MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void
    ) async throws -> any ModelRunner {
        try await load(
            manifestUrl: manifestUrl, options: options, generationTimeParameters: generationTimeParameters,
            progress: downloadProgress)
    }

    /// Loads a model of the LEAP library, fetching it first if it is not on this device.
    public func load(
        model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        progress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> any ModelRunner {
        try await Self.load(
            model: model, quantization: quantization, options: options,
            generationTimeParameters: generationTimeParameters, progress: progress)
    }

    /// Loads the model of a manifest, fetching it first if it is not on this device.
    public func load(
        manifestUrl: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        progress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> any ModelRunner {
        try await Self.load(
            manifestUrl: manifestUrl, options: options, generationTimeParameters: generationTimeParameters,
            progress: progress)
    }

    /// Loads a model of the LEAP library, by the other name of the progress callback.
    public func load(
        model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        downloadProgress: @escaping @MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void
    ) async throws -> any ModelRunner {
        try await Self.load(
            model: model, quantization: quantization, options: options,
            generationTimeParameters: generationTimeParameters, progress: downloadProgress)
    }

    /// Loads the model of a manifest, by the other name of the progress callback.
    public func load(
        manifestUrl: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        downloadProgress: @escaping @MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void
    ) async throws -> any ModelRunner {
        try await Self.load(
            manifestUrl: manifestUrl, options: options, generationTimeParameters: generationTimeParameters,
            progress: downloadProgress)
    }
}

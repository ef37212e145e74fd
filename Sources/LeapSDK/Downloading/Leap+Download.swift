import Foundation
import LeapTransfers

extension Leap {
    /// Loads a model of the LEAP library, downloading it first if it is not on this device.
    ///
    /// It is the same as
    /// ``LeapDownloader/loadModel(modelName:quantizationType:options:generationTimeParameters:forceDownload:forceLocal:downloadProgress:)``
    /// of a downloader with the default configuration.
    ///
    /// - Parameters:
    ///   - model: the model's name, such as `LFM2-1.2B`.
    ///   - quantization: the quantization, such as `Q4_K_M`.
    ///   - options: how to run the model; nil for the defaults of the manifest and the machine.
    ///   - generationTimeParameters: values that take precedence over the manifest's.
    ///   - progress: the fraction and the bytes per second; called on the main queue. The fraction is 0...1 and never
    ///     decreases. It is 1 when all files are on disk, before the model is loaded.
    public static func load(
        model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        progress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> any ModelRunner {
        try await LeapDownloader().loadModel(
            modelName: model, quantizationType: quantization, options: options,
            generationTimeParameters: generationTimeParameters, downloadProgress: progress)
    }

    /// Loads a model of the LEAP library, with the other name of the progress callback.
    public static func load(
        model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        downloadProgress: @escaping @MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void
    ) async throws -> any ModelRunner {
        try await load(
            model: model, quantization: quantization, options: options,
            generationTimeParameters: generationTimeParameters, progress: downloadProgress)
    }

    /// Loads the model of a manifest, downloading it first if it is not on this device.
    public static func load(
        manifestUrl: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        progress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> any ModelRunner {
        try await LeapDownloader().loadModel(
            manifestUrl: manifestUrl, options: options, generationTimeParameters: generationTimeParameters,
            downloadProgress: progress)
    }

    /// Loads the model of a manifest, with the other name of the progress callback.
    public static func load(
        manifestUrl: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        downloadProgress: @escaping @MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void
    ) async throws -> any ModelRunner {
        try await load(
            manifestUrl: manifestUrl, options: options, generationTimeParameters: generationTimeParameters,
            progress: downloadProgress)
    }

    /// Loads a model of the LEAP library, downloading it first if it is not on this device.
    public func load(
        model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        progress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> any ModelRunner {
        try await Self.load(
            model: model, quantization: quantization, options: options,
            generationTimeParameters: generationTimeParameters, progress: progress)
    }

    /// Loads the model of a manifest, downloading it first if it is not on this device.
    public func load(
        manifestUrl: URL, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        progress: (@MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void)? = nil
    ) async throws -> any ModelRunner {
        try await Self.load(
            manifestUrl: manifestUrl, options: options, generationTimeParameters: generationTimeParameters,
            progress: progress)
    }

    /// Loads a model of the LEAP library, with the other name of the progress callback.
    public func load(
        model: String, quantization: String, options: LiquidInferenceEngineManifestOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil,
        downloadProgress: @escaping @MainActor (_ fraction: Double, _ bytesPerSecond: Int64) -> Void
    ) async throws -> any ModelRunner {
        try await Self.load(
            model: model, quantization: quantization, options: options,
            generationTimeParameters: generationTimeParameters, progress: downloadProgress)
    }

    /// Loads the model of a manifest, with the other name of the progress callback.
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

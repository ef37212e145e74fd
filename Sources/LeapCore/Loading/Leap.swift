public import Foundation
import LeapChat

/// The entry point: loads models.
///
/// ```swift
/// let runner = try await Leap.load(url: modelURL)
/// let conversation = runner.createConversation(systemPrompt: "Answer briefly.")
/// ```
/// `Leap` has no state; the runner that it returns holds the model.
public struct Leap: Sendable {
    /// The instance for calling the functions as methods, as in version 0.10 of the LEAP SDK.
    public static let shared = Leap()

    private init() {}

    /// Loads a model from a file on this device.
    ///
    /// Companion files next to the model (`mmproj-*.gguf`, audio decoder and tokenizer) are found automatically, unless
    /// you turn that off or the options name them.
    ///
    /// - Parameters:
    ///   - url: a `.gguf` file, or a `.bundle` that holds one and its manifest.
    ///   - options: how to run the model; nil for the defaults of the model and the machine.
    ///   - generationTimeParameters: initial values for generations, which take precedence over the manifest and the
    ///     model's file.
    ///   - autoDetectCompanionFiles: whether to look for companion files next to the model.
    /// - Throws: ``LeapModelLoadingException`` that names the file, the reason and a remedy.
    public static func load(
        url: URL, options: LiquidInferenceEngineOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, autoDetectCompanionFiles: Bool = true
    ) async throws -> any ModelRunner {
        try await ModelLoader.load(
            path: try path(of: url, orElse: options?.bundlePath), options: options?.options ?? LoadOptions(),
            generationTimeParameters: generationTimeParameters, autoDetectCompanionFiles: autoDetectCompanionFiles)
    }

    /// Loads a model from a file on this device; see
    /// ``load(url:options:generationTimeParameters:autoDetectCompanionFiles:)``.
    @_disfavoredOverload
    public static func load(
        url: URL, options: LiquidInferenceEngineManifestOptions?,
        generationTimeParameters: GenerationTimeParameters? = nil, autoDetectCompanionFiles: Bool = true
    ) async throws -> any ModelRunner {
        try await ModelLoader.load(
            path: try path(of: url, orElse: nil), options: options?.options ?? LoadOptions(),
            generationTimeParameters: generationTimeParameters, autoDetectCompanionFiles: autoDetectCompanionFiles)
    }

    /// Loads a model from a file on this device; see
    /// ``load(url:options:generationTimeParameters:autoDetectCompanionFiles:)``.
    public func load(
        url: URL, options: LiquidInferenceEngineOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil, autoDetectCompanionFiles: Bool = true
    ) async throws -> any ModelRunner {
        try await Self.load(
            url: url, options: options, generationTimeParameters: generationTimeParameters,
            autoDetectCompanionFiles: autoDetectCompanionFiles)
    }

    /// Loads a model from a file on this device; see
    /// ``load(url:options:generationTimeParameters:autoDetectCompanionFiles:)``.
    @_disfavoredOverload
    public func load(
        url: URL, options: LiquidInferenceEngineManifestOptions?,
        generationTimeParameters: GenerationTimeParameters? = nil, autoDetectCompanionFiles: Bool = true
    ) async throws -> any ModelRunner {
        try await Self.load(
            url: url, options: options, generationTimeParameters: generationTimeParameters,
            autoDetectCompanionFiles: autoDetectCompanionFiles)
    }

    private static func path(of url: URL, orElse bundlePath: String?) throws -> String {
        // An address without a scheme is a path.
        guard url.isFileURL || url.scheme == nil else {
            throw LeapModelLoadingException(
                message:
                    "\(url.absoluteString) is not on this device: download the model first, or load it with ModelDownloader",
                path: url.absoluteString)
        }
        return url.path.isEmpty ? bundlePath ?? "" : url.path
    }
}

#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(FoundationModels, _version: 2))
    public import Foundation
    public import FoundationModels
    public import LeapCore

    /// A GGUF model that Apple's `LanguageModelSession` talks to.
    ///
    /// ```text
    /// let session = LanguageModelSession(model: LeapLanguageModel(url: modelURL), instructions: "Answer briefly.")
    /// print(try await session.respond(to: "What is the capital of France?").content)
    /// ```
    /// Making it loads nothing. All sessions of equal configurations share one model in memory, which the first request
    /// or prewarming loads; ``releaseModels()`` gives the memory back.
    @available(macOS 27.0, iOS 27.0, visionOS 27.0, watchOS 27.0, *)
    public struct LeapLanguageModel: LanguageModel {
        /// The type that generates.
        public typealias Executor = LeapLanguageModelExecutor

        /// The file that is loaded, and its options.
        public let executorConfiguration: LeapLanguageModelExecutor.Configuration
        /// A Boolean value that tells whether the model is announced as one that reasons.
        public let reasons: Bool

        /// Describes a model in a file on this device.
        ///
        /// - Parameters:
        ///   - url: a `.gguf` file, or a `.bundle` that holds one and its manifest.
        ///   - options: how to run it; nil for what the model and the machine recommend.
        ///   - reasons: whether the model is announced as one that reasons; sessions that ask for a reasoning level
        ///     need it.
        public init(url: URL, options: LiquidInferenceEngineOptions? = nil, reasons: Bool = false) {
            executorConfiguration = LeapLanguageModelExecutor.Configuration(url: url, options: options)
            self.reasons = reasons
        }

        /// The capabilities: guided generation and calls of tools, and reasoning where it was announced.
        public var capabilities: LanguageModelCapabilities {
            LanguageModelCapabilities(
                reasons ? [.guidedGeneration, .toolCalling, .reasoning] : [.guidedGeneration, .toolCalling])
        }

        /// Releases the memory of all models that sessions have loaded.
        ///
        /// Replies that are being generated are interrupted. Sessions go on: their next request loads the model again.
        public static func releaseModels() async { await LoadedModels.shared.release() }
    }
#endif

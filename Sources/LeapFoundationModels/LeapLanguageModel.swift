#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(FoundationModels, _version: 2))
    public import Foundation
    public import FoundationModels
    public import LeapCore

    /// A GGUF model for Apple's `LanguageModelSession`.
    ///
    /// ```text
    /// let session = LanguageModelSession(model: LeapLanguageModel(url: modelURL), instructions: "Answer briefly.")
    /// print(try await session.respond(to: "What is the capital of France?").content)
    /// ```
    /// The initializer loads nothing; the first request or prewarming loads the model. All sessions of equal
    /// configurations share one model in memory. ``releaseModels()`` releases the memory.
    @available(macOS 27.0, iOS 27.0, visionOS 27.0, watchOS 27.0, *)
    public struct LeapLanguageModel: LanguageModel {
        /// The type that generates.
        public typealias Executor = LeapLanguageModelExecutor

        /// The model's file, and its options.
        public let executorConfiguration: LeapLanguageModelExecutor.Configuration
        /// A Boolean value that indicates whether the model is declared as a reasoning model.
        public let reasons: Bool

        /// Creates a model from a file on this device, without loading it.
        ///
        /// - Parameters:
        ///   - url: a `.gguf` file, or a `.bundle` that holds one and its manifest.
        ///   - options: how to run the model; nil for the defaults of the model and the machine.
        ///   - reasons: whether the model is declared as a reasoning model, which sessions with a reasoning level need.
        public init(url: URL, options: LiquidInferenceEngineOptions? = nil, reasons: Bool = false) {
            executorConfiguration = LeapLanguageModelExecutor.Configuration(url: url, options: options)
            self.reasons = reasons
        }

        /// The capabilities: guided generation, tool calls and, if declared, reasoning.
        public var capabilities: LanguageModelCapabilities {
            LanguageModelCapabilities(
                reasons ? [.guidedGeneration, .toolCalling, .reasoning] : [.guidedGeneration, .toolCalling])
        }

        /// Releases the memory of all models that sessions have loaded.
        ///
        /// Running replies are interrupted. Sessions stay usable: their next request loads the model again.
        public static func releaseModels() async { await LoadedModels.shared.release() }
    }
#endif

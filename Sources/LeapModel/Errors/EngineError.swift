import LeapBase

/// A failure of the engine that its caller can act on.
///
/// Bad model files, options, token ids and prompts end here; broken invariants of the engine itself trap instead.
package struct EngineError: CodedError, Hashable {
    /// The kind of an error, for programs to compare.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        package let rawValue: String

        /// Makes a code from its stable name.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The file's architecture is not one this engine runs.
        package static let unsupportedArchitecture = Code(rawValue: "unsupportedArchitecture")
        /// A metadata key is missing, of another type, or out of range.
        package static let invalidMetadata = Code(rawValue: "invalidMetadata")
        /// A tensor that the architecture needs is not in the file.
        package static let missingTensor = Code(rawValue: "missingTensor")
        /// A tensor has another shape than the metadata calls for.
        package static let invalidTensor = Code(rawValue: "invalidTensor")
        /// A tensor is stored in a type that cannot be used where the model needs it.
        package static let unsupportedTensorType = Code(rawValue: "unsupportedTensorType")
        /// An adapter's file is damaged, of another kind, or does not fit the model.
        package static let invalidAdapter = Code(rawValue: "invalidAdapter")
        /// More positions are needed than the context holds.
        package static let contextExceeded = Code(rawValue: "contextExceeded")
        /// A token id lies outside of the model's vocabulary.
        package static let tokenOutOfRange = Code(rawValue: "tokenOutOfRange")
        /// A prompt without tokens: there is nothing to predict from.
        package static let emptyPrompt = Code(rawValue: "emptyPrompt")
        /// An option has a value outside of its range.
        package static let invalidOption = Code(rawValue: "invalidOption")
        /// The system refused memory.
        package static let outOfMemory = Code(rawValue: "outOfMemory")
        /// The engine was unloaded.
        package static let unloaded = Code(rawValue: "unloaded")
        /// The session is generating already.
        package static let busy = Code(rawValue: "busy")
        /// As many generations run and wait as may.
        package static let queueFull = Code(rawValue: "queueFull")
        /// The constraint allows no token, or refused one that it had allowed.
        package static let constraintFailed = Code(rawValue: "constraintFailed")
        /// A draft model does not fit to the model, or there is none.
        package static let incompatibleModels = Code(rawValue: "incompatibleModels")
        /// The model is not made for this: it reads texts and does not write them.
        package static let unsupportedTask = Code(rawValue: "unsupportedTask")
        /// The work was cancelled before it was done.
        package static let cancelled = Code(rawValue: "cancelled")
    }

    /// The kind of error.
    package let code: Code
    /// One sentence that says what was found, what is expected and what to do.
    package let message: String
    /// The metadata key, tensor or option that is at fault, if it is one of these.
    package let field: String?
    /// The amount that is needed: positions for ``Code/contextExceeded``, bytes for ``Code/outOfMemory`` where a limit
    /// does not allow them.
    package let needed: Int?
    /// The amount that there is: positions, free bytes; for ``Code/queueFull`` the generations that may run and wait.
    package let available: Int?

    /// Makes an error.
    package init(_ code: Code, _ message: String, field: String? = nil, needed: Int? = nil, available: Int? = nil) {
        self.code = code
        self.message = message
        self.field = field
        self.needed = needed
        self.available = available
    }
}

extension EngineError {
    /// The prompt needs more positions than the context has.
    package static func contextExceeded(needed: Int, available: Int) -> EngineError {
        EngineError(
            .contextExceeded,
            "the prompt needs \(needed) positions but the context holds \(available): shorten the prompt or load the model with a larger context size",
            field: "contextSize", needed: needed, available: available)
    }

    /// A token id that the model has no embedding for.
    package static func tokenOutOfRange(_ token: Int32, at index: Int, vocabularySize: Int) -> EngineError {
        EngineError(
            .tokenOutOfRange,
            "token \(token) at index \(index) is out of range: this model's ids are 0...\(vocabularySize - 1)",
            field: "tokens")
    }

    /// The error of a prompt without tokens.
    package static let emptyPrompt = EngineError(
        .emptyPrompt, "the prompt has no tokens: give at least one (most models start with their BOS token)",
        field: "prompt")

    /// The model sees all positions of a text at once.
    package static let writesNoText = EngineError(
        .unsupportedTask,
        "this model computes embeddings and does not generate text: use another model for chat",
        field: "general.architecture")

    /// The engine no longer has its model.
    package static let unloaded = EngineError(.unloaded, "the model was unloaded: load it again to generate")

    /// A prompt holds what nothing reads.
    package static func readsNo(_ medium: Medium) -> EngineError {
        guard medium != .speech else {
            return EngineError(
                .unsupportedTask,
                "the request or its prompt has speech, but the model was loaded without an audio decoder: load it with its vocoder file",
                field: "speech")
        }
        return EngineError(
            .unsupportedTask,
            "the prompt has a \(medium.rawValue), but the model was loaded without a projector that reads it: load it with its mmproj file",
            field: "media")
    }

    /// The same error with more to read.
    func adding(_ text: String) -> EngineError { EngineError(code, "\(message)\n\(text)", field: field) }

    /// Proposals of a draft model are asked for and there is none.
    package static let noDraftModel = EngineError(
        .incompatibleModels,
        "speculation is 'draft', but the model was loaded without a draft model: load it with one, or use 'lookup'",
        field: "speculation")

    /// The caller cancelled the generation while it was still waiting for the engine's thread.
    package static let cancelledBeforeStart = EngineError(.cancelled, "the generation was cancelled before it began")

    /// No more generations may wait.
    package static func queueFull(active: Int, queued: Int) -> EngineError {
        EngineError(
            .queueFull,
            "\(active) generations run and \(queued) wait, the limits of maxActiveGenerations and maxQueuedGenerations: try again later, or raise maxQueuedGenerations",
            field: "maxQueuedGenerations", available: active + queued)
    }

    /// The session has a generation in progress.
    package static let busy = EngineError(
        .busy, "this session is generating already: wait for it to finish, or cancel it first")
}

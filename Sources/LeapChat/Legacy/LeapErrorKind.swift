/// The older name of ``LeapException``.
public typealias LeapError = LeapException

/// The names of errors as enumeration cases, for code written for the LEAP SDK up to version 0.7.
///
/// You can use them in patterns and as constructors: `catch LeapError.modelLoadingFailure { … }`, `switch error { case
/// .generationFailure: … }`, `throw LeapError.generationFailure("why", nil)`.
public struct LeapErrorKind: Sendable, Hashable {
    enum Name { case modelLoading, generation, promptExceedContextLength, serialization }
    let name: Name

    /// Creates an error of this kind.
    public func callAsFunction(_ message: String, _ cause: (any Error)? = nil) -> LeapException {
        switch name {
        case .modelLoading: LeapModelLoadingException(message: message, cause: cause)
        case .generation: LeapGenerationException(message: message, cause: cause)
        case .promptExceedContextLength:
            LeapGenerationPromptExceedContextLengthException(message: message, cause: cause)
        case .serialization: LeapSerializationException(message: message, cause: cause)
        }
    }

    /// Returns whether an error is of this kind.
    public func matches(_ error: any Error) -> Bool {
        switch name {
        case .modelLoading: error is LeapModelLoadingException
        case .generation:
            error is LeapGenerationException && !(error is LeapGenerationPromptExceedContextLengthException)
        case .promptExceedContextLength: error is LeapGenerationPromptExceedContextLengthException
        case .serialization: error is LeapSerializationException
        }
    }

    /// A model could not be loaded; see ``LeapModelLoadingException``.
    public static let modelLoadingFailure = LeapErrorKind(name: .modelLoading)
    /// A generation failed; see ``LeapGenerationException``.
    public static let generationFailure = LeapErrorKind(name: .generation)
    /// The prompt is too long; see ``LeapGenerationPromptExceedContextLengthException``.
    public static let promptExceedContextLengthFailure = LeapErrorKind(name: .promptExceedContextLength)
    /// JSON could not be read or written; see ``LeapSerializationException``.
    public static let serializationFailure = LeapErrorKind(name: .serialization)
}

/// Matches the older error names in `catch` and `case` patterns.
public func ~= (kind: LeapErrorKind, error: any Error) -> Bool {
    kind.matches(error)
}

/// Matches ``LeapException/loadModelFailure`` in `catch` and `case` patterns; it matches every error of its type.
public func ~= (pattern: LeapModelLoadingException, error: any Error) -> Bool {
    error is LeapModelLoadingException
}

extension LeapException {
    /// A model could not be loaded; see ``LeapModelLoadingException``.
    public static let modelLoadingFailure = LeapErrorKind.modelLoadingFailure
    /// A generation failed; see ``LeapGenerationException``.
    public static let generationFailure = LeapErrorKind.generationFailure
    /// The prompt is too long; see ``LeapGenerationPromptExceedContextLengthException``.
    public static let promptExceedContextLengthFailure = LeapErrorKind.promptExceedContextLengthFailure
    /// JSON could not be read or written; see ``LeapSerializationException``.
    public static let serializationFailure = LeapErrorKind.serializationFailure

    /// The error of a model that could not be loaded for an unknown reason.
    ///
    /// The older enumeration case had no values, so you can throw this one as it is.
    public static let loadModelFailure = LeapModelLoadingException(message: "the model could not be loaded")
}

extension LeapModelLoadingException {
    /// Creates an error with a message, like the other older names: `LeapError.loadModelFailure("why")`.
    public func callAsFunction(_ message: String, _ cause: (any Error)? = nil) -> LeapException {
        LeapModelLoadingException(message: message, cause: cause)
    }
}

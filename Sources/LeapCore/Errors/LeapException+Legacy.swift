/// The names that errors had as cases of an enumeration up to version 0.7 of the LEAP SDK.
///
/// They work in patterns and as constructors:
/// `catch LeapError.modelLoadingFailure { … }`, `throw LeapError.generationFailure("why", nil)`.
public struct LeapErrorKind: Sendable, Hashable {
    enum Name { case modelLoading, generation, promptExceedContextLength, serialization }
    let name: Name

    /// Makes an error of this kind.
    public func callAsFunction(_ message: String, _ cause: (any Error)? = nil) -> LeapException {
        switch name {
        case .modelLoading: LeapModelLoadingException(message: message, cause: cause)
        case .generation: LeapGenerationException(message: message, cause: cause)
        case .promptExceedContextLength:
            LeapGenerationPromptExceedContextLengthException(neededTokens: 0, availableTokens: 0, cause: cause)
        case .serialization: LeapSerializationException(message: message, cause: cause)
        }
    }

    /// Whether an error is of this kind.
    public func matches(_ error: any Error) -> Bool {
        switch name {
        case .modelLoading: error is LeapModelLoadingException
        case .generation:
            error is LeapGenerationException && !(error is LeapGenerationPromptExceedContextLengthException)
        case .promptExceedContextLength: error is LeapGenerationPromptExceedContextLengthException
        case .serialization: error is LeapSerializationException
        }
    }
}

/// Lets the older error names stand in `catch` and `case` patterns.
public func ~= (kind: LeapErrorKind, error: any Error) -> Bool {
    kind.matches(error)
}

extension LeapException {
    /// A model could not be loaded; see ``LeapModelLoadingException``.
    public static let modelLoadingFailure = LeapErrorKind(name: .modelLoading)
    /// A model could not be loaded; see ``LeapModelLoadingException``.
    public static let loadModelFailure = LeapErrorKind(name: .modelLoading)
    /// A generation failed; see ``LeapGenerationException``.
    public static let generationFailure = LeapErrorKind(name: .generation)
    /// The prompt is too long; see ``LeapGenerationPromptExceedContextLengthException``.
    public static let promptExceedContextLengthFailure = LeapErrorKind(name: .promptExceedContextLength)
    /// JSON could not be read or written; see ``LeapSerializationException``.
    public static let serializationFailure = LeapErrorKind(name: .serialization)
}

import LeapChat
import LeapModel

/// Turns errors of the layers below into those of the API.
enum GenerationFailure {
    /// For ``WhileGenerating/fail``.
    static var busy: LeapGenerationException {
        LeapGenerationException(
            "another generation of this conversation is running: wait for its completion, or stop it first")
    }

    /// For a conversation whose last reply was not interrupted, or that has changed since.
    static var nothingToResume: LeapGenerationException {
        LeapGenerationException(
            "the conversation has no interrupted reply at its end: generate or regenerate a reply instead")
    }

    static func exception(for error: any Error) -> LeapException {
        if let error = error as? LeapException { return error }
        guard let error = error as? EngineError else {
            return UnexpectedGenerationException(message: "the generation failed: \(error)", cause: error)
        }
        return switch error.code {
        case .contextExceeded:
            LeapGenerationPromptExceedContextLengthException(
                neededTokens: error.needed ?? 0, availableTokens: error.available ?? 0, cause: error)
        case .outOfMemory:
            LeapGenerationMemoryException(
                message: error.message, neededBytes: error.needed, availableBytes: error.available, cause: error)
        case .queueFull: LeapGenerationQueueFullException(error)
        default: LeapGenerationException(error)
        }
    }
}

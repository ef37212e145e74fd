import LeapModel

/// Turns errors of the layers below into those of the API.
enum GenerationFailure {
    /// For ``WhileGenerating/fail``.
    static var busy: LeapGenerationException {
        LeapGenerationException(
            "another generation of this conversation is running: wait for its completion, or stop it first")
    }

    static func exception(for error: any Error) -> LeapException {
        switch error {
        case let error as LeapException: error
        case let error as EngineError where error.code == .contextExceeded:
            LeapGenerationPromptExceedContextLengthException(
                neededTokens: error.needed ?? 0, availableTokens: error.available ?? 0, cause: error)
        case let error as EngineError where error.code == .outOfMemory:
            LeapGenerationMemoryException(
                message: error.message, neededBytes: error.needed, availableBytes: error.available, cause: error)
        case let error as EngineError where error.code == .queueFull:
            LeapGenerationQueueFullException(message: error.message, cause: error)
        case let error as EngineError: LeapGenerationException(message: error.message, cause: error)
        default: UnexpectedGenerationException(message: "the generation failed: \(error)", cause: error)
        }
    }
}

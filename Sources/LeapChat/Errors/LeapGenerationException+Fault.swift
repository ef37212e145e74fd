import LeapModel

extension LeapGenerationException {
    /// True if the request could not be met as it was asked for: its options, messages or functions.
    ///
    /// Otherwise it may have been right: the model was unloaded, or something went wrong that should not have.
    package var isOfRequest: Bool {
        if self is UnexpectedGenerationException { return false }
        guard let error = cause as? EngineError else { return true }
        let codes: [EngineError.Code] = [
            .contextExceeded, .emptyPrompt, .invalidOption, .incompatibleModels, .invalidAdapter, .unsupportedTask,
        ]
        return codes.contains(error.code)
    }
}

/// An error of the layers below that none of them turned into one of the API's.
package final class UnexpectedGenerationException: LeapGenerationException, @unchecked Sendable {
    // Sendable: adds no state.
}

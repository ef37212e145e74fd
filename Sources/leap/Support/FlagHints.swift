import LeapSDK

/// Errors in the words of the command line: what an app sets with an option of the API is a flag here.
enum FlagHints {
    /// What is to be shown of an error.
    static func text(of error: any Error) -> String {
        guard let error = error as? LeapGenerationPromptExceedContextLengthException, error.neededTokens > 0 else {
            return error.localizedDescription
        }
        return
            "the prompt needs \(error.neededTokens) tokens but the context holds \(error.availableTokens): shorten it, or "
            + "load the model with a larger --context"
    }
}

/// What a history must be so that a model can go on from it.
enum HistoryRules {
    /// Checks a history.
    ///
    /// - Throws: ``LeapGenerationException`` that says which message is at fault and what to do.
    static func validate(_ messages: [ChatMessage]) throws {
        var previous: ChatMessageRole?
        for (index, message) in messages.enumerated() {
            if message.role == .tool, previous != .assistant, previous != .tool {
                throw LeapGenerationException(
                    "message \(index) is the result of a function, but no call comes before it: a tool message follows the assistant "
                        + "message that asked for it, or another tool message")
            }
            for part in message.content {
                switch part {
                case .text: break
                case .image:
                    try validatePart(part, index)
                    throw LeapGenerationException(
                        "message \(index) has an image, but this model reads text only: load a vision model with its mmproj file"
                    )
                case .audio:
                    try validatePart(part, index)
                    throw LeapGenerationException(
                        "message \(index) has audio, but this model reads text only: load an audio model with its mmproj file"
                    )
                }
            }
            previous = message.role
        }
    }

    private static func validatePart(_ part: ChatMessageContent, _ index: Int) throws {
        do {
            try part.validate()
        } catch {
            throw LeapGenerationException(message: "message \(index): \(error.localizedDescription)", cause: error)
        }
    }

    /// Whether a message only says "go on": an empty one of the user after the results of functions.
    static func isContinuation(_ message: ChatMessage, after history: [ChatMessage]) -> Bool {
        message.role == .user && history.last?.role == .tool
            && message.content.allSatisfy { $0.text?.allSatisfy(\.isWhitespace) == true }
    }

    /// The history without messages that only say "go on".
    static func withoutContinuations(_ messages: [ChatMessage]) -> [ChatMessage] {
        var kept: [ChatMessage] = []
        for message in messages where !isContinuation(message, after: kept) { kept.append(message) }
        return kept
    }
}

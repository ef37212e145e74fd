import LeapChat

/// The log line of a reply, at the level debug.
enum TurnLog {
    /// Notes what a reply cost; nothing of its text, as logs are kept where conversations should not be.
    static func note(_ completion: MessageCompletion, model: String) {
        LeapLog.logger.debug("\(line(completion, model: model))")
    }

    private static func line(_ completion: MessageCompletion, model: String) -> String {
        var line = "\(model): a reply ended (\(completion.finishReason.rawValue))"
        if let stats = completion.stats {
            line +=
                ": \(stats.computedPromptTokens) prompt tokens computed, \(stats.reusedPromptTokens) kept,"
                + " \(stats.completionTokens) generated"
        }
        if let trimming = completion.trimming {
            line += ", \(trimming.removedMessages.count) messages left out of the prompt"
        }
        return line
    }
}

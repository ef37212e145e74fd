/// A report on the messages that a prompt omits to fit into the context.
///
/// The conversation's history still has every message. Later turns omit the same messages until more must be omitted.
public struct HistoryTrimming: Sendable, Hashable {
    /// The omitted messages, oldest first.
    public let removedMessages: [ChatMessage]
    /// The number of tokens that the omitted messages would have taken.
    public let removedTokens: Int
    /// The number of tokens of the prompt that was used.
    public let keptTokens: Int

    /// Creates a report.
    public init(removedMessages: [ChatMessage], removedTokens: Int, keptTokens: Int) {
        self.removedMessages = removedMessages
        self.removedTokens = removedTokens
        self.keptTokens = keptTokens
    }
}

/// A policy for prompts that exceed the context.
public enum ContextOverflowPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// The generation fails with ``LeapGenerationPromptExceedContextLengthException``.
    case fail
    /// The prompt omits the oldest turns until it fits.
    ///
    /// The system message, the last turn and parts of a function call's exchange are never omitted.
    /// ``MessageCompletion/trimming`` reports the omitted messages.
    ///
    /// Trimming removes more than the minimum at once, and then nothing for several turns. Otherwise a long chat would
    /// compute nearly its whole prompt again at every turn. The turns before the last one keep a quarter of the space
    /// that the context has for them.
    case trimOldestTurns
}

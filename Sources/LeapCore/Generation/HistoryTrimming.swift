/// A report on the messages that were left out of a prompt so that it fits.
///
/// The conversation's history still has everything. The turns after this one are made without the same messages, until
/// more have to be left out.
public struct HistoryTrimming: Sendable, Hashable {
    /// The messages left out, oldest first.
    public let removedMessages: [ChatMessage]
    /// The tokens they would have taken.
    public let removedTokens: Int
    /// The tokens of the prompt that was used.
    public let keptTokens: Int

    /// Makes a report.
    public init(removedMessages: [ChatMessage], removedTokens: Int, keptTokens: Int) {
        self.removedMessages = removedMessages
        self.removedTokens = removedTokens
        self.keptTokens = keptTokens
    }
}

/// A policy for prompts that are longer than the context.
public enum ContextOverflowPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// The generation fails with ``LeapGenerationPromptExceedContextLengthException``.
    case fail
    /// The oldest turns are left out until the prompt fits: never the system message, never half of a function call's
    /// exchange, never the last turn. ``MessageCompletion/trimming`` says what was left out.
    ///
    /// So that a long chat does not compute nearly its whole prompt again at every turn, more than the least is left
    /// out at once, and then nothing for several turns: the turns before the last one keep a quarter of the space that
    /// the context has for them.
    case trimOldestTurns
}

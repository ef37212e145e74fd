import LeapOpenAIFormat

/// The token counts of a reply, as reported by the endpoint.
public struct Usage: Sendable, Hashable {
    /// The number of prompt tokens.
    public let promptTokens: Int
    /// The number of reply tokens.
    public let completionTokens: Int
    /// The sum of both.
    public let totalTokens: Int
    /// The number of prompt tokens from the endpoint's cache; 0 if it does not report them.
    public let cachedPromptTokens: Int

    /// Creates token counts.
    public init(promptTokens: Int, completionTokens: Int, totalTokens: Int, cachedPromptTokens: Int = 0) {
        self.promptTokens = promptTokens
        self.completionTokens = completionTokens
        self.totalTokens = totalTokens
        self.cachedPromptTokens = cachedPromptTokens
    }

    init(_ usage: OpenAI.Usage) {
        self.init(
            promptTokens: usage.promptTokens, completionTokens: usage.completionTokens, totalTokens: usage.totalTokens,
            cachedPromptTokens: usage.cachedTokens)
    }
}

import LeapOpenAIFormat

/// The tokens of a reply, as the endpoint counts them.
public struct Usage: Sendable, Hashable {
    /// Tokens of the prompt.
    public let promptTokens: Int
    /// Tokens of the reply.
    public let completionTokens: Int
    /// Both together.
    public let totalTokens: Int
    /// Tokens of the prompt that the endpoint had from before; 0 where it does not say.
    public let cachedPromptTokens: Int

    /// Makes a count.
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

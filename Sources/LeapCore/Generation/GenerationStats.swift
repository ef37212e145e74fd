/// What a reply cost, in tokens.
public struct GenerationStats: Sendable, Hashable, Codable {
    /// Tokens of the prompt that were computed; those that could be taken over from before are not among them.
    public var promptTokens: Int64
    /// Tokens that were generated.
    public var completionTokens: Int64
    /// The two above together.
    public var totalTokens: Int64
    /// Tokens generated per second, the prompt's time not counted.
    public var tokenPerSecond: Float
    /// Tokens of the prompt that were taken over from an earlier turn or from the cache.
    public var cachedPromptTokens: Int64

    /// Makes statistics; the total is the sum of prompt and completion unless it is given.
    public init(
        promptTokens: Int64, completionTokens: Int64, totalTokens: Int64? = nil, tokenPerSecond: Float,
        cachedPromptTokens: Int64 = 0
    ) {
        self.promptTokens = promptTokens
        self.completionTokens = completionTokens
        self.totalTokens = totalTokens ?? promptTokens + completionTokens
        self.tokenPerSecond = tokenPerSecond
        self.cachedPromptTokens = cachedPromptTokens
    }
}

/// The token counts and speed of a reply.
public struct GenerationStats: Sendable, Hashable, Codable {
    /// The number of prompt tokens, without those from a requested cache.
    ///
    /// ``promptTokens`` and ``cachedPromptTokens`` together are the whole prompt of every turn.
    /// ``computedPromptTokens`` is the number of tokens that were computed.
    public var promptTokens: Int64
    /// The number of generated tokens.
    public var completionTokens: Int64
    /// The sum of ``promptTokens`` and ``completionTokens``.
    public var totalTokens: Int64
    /// The number of tokens generated per second, without the time for the prompt.
    public var tokenPerSecond: Float
    /// The number of prompt tokens reused, if ``LiquidInferenceEngineOptions/cacheOptions`` requested a cache;
    /// otherwise 0.
    ///
    /// ``reusedPromptTokens`` counts them in either case.
    public var cachedPromptTokens: Int64
    /// The number of prompt tokens reused from an earlier turn or from the cache, whether or not a cache was requested.
    ///
    /// Together with ``computedPromptTokens`` they are the whole prompt.
    public var reusedPromptTokens: Int64
    /// The number of prompt tokens computed: the whole prompt without ``reusedPromptTokens``.
    public var computedPromptTokens: Int64 { max(0, wholePromptTokens - reusedPromptTokens) }

    /// The number of generated tokens between the marks of reasoning; 0 if the model did not think.
    ///
    /// ``completionTokens`` includes them.
    public var thinkingTokens: Int64 = 0
    /// A Boolean value that tells whether the end of the reasoning was forced.
    ///
    /// ``GenerationOptions/thinkingBudget`` forces it, and so does an app that ends the reasoning itself.
    public var wasThinkingCut = false

    /// All tokens of the prompt.
    package var wholePromptTokens: Int64 { promptTokens + cachedPromptTokens }

    /// Creates statistics.
    ///
    /// - Parameters:
    ///   - promptTokens: prompt tokens, without those from a cache.
    ///   - completionTokens: generated tokens.
    ///   - totalTokens: nil for the sum of the two.
    ///   - tokenPerSecond: tokens generated per second.
    ///   - cachedPromptTokens: prompt tokens from a requested cache.
    ///   - reusedPromptTokens: all reused prompt tokens; nil for as many as came from the cache.
    public init(
        promptTokens: Int64, completionTokens: Int64, totalTokens: Int64? = nil, tokenPerSecond: Float,
        cachedPromptTokens: Int64 = 0, reusedPromptTokens: Int64? = nil
    ) {
        self.promptTokens = promptTokens
        self.completionTokens = completionTokens
        self.totalTokens = totalTokens ?? promptTokens + completionTokens
        self.tokenPerSecond = tokenPerSecond
        self.cachedPromptTokens = cachedPromptTokens
        self.reusedPromptTokens = reusedPromptTokens ?? cachedPromptTokens
    }
}

extension GenerationStats {
    private enum CodingKeys: String, CodingKey {
        case promptTokens, completionTokens, totalTokens, tokenPerSecond, cachedPromptTokens, reusedPromptTokens
        case thinkingTokens, wasThinkingCut
    }

    /// Decodes statistics; without ``reusedPromptTokens`` (older versions), that value is ``cachedPromptTokens``.
    ///
    /// Older versions have no ``thinkingTokens`` either, which is 0 then.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            promptTokens: try container.decode(Int64.self, forKey: .promptTokens),
            completionTokens: try container.decode(Int64.self, forKey: .completionTokens),
            totalTokens: try container.decode(Int64.self, forKey: .totalTokens),
            tokenPerSecond: try container.decode(Float.self, forKey: .tokenPerSecond),
            cachedPromptTokens: try container.decode(Int64.self, forKey: .cachedPromptTokens),
            reusedPromptTokens: try container.decodeIfPresent(Int64.self, forKey: .reusedPromptTokens))
        thinkingTokens = try container.decodeIfPresent(Int64.self, forKey: .thinkingTokens) ?? 0
        wasThinkingCut = try container.decodeIfPresent(Bool.self, forKey: .wasThinkingCut) ?? false
    }
}

/// The cost of a reply, in tokens.
public struct GenerationStats: Sendable, Hashable, Codable {
    /// The number of tokens in the prompt, without those that a cache gave, which are ``cachedPromptTokens``: both
    /// together are the whole prompt of every turn.
    ///
    /// ``computedPromptTokens`` is how many of them had to be computed.
    public var promptTokens: Int64
    /// The number of tokens that were generated.
    public var completionTokens: Int64
    /// The sum of ``promptTokens`` and ``completionTokens``.
    public var totalTokens: Int64
    /// The number of tokens generated per second, the prompt's time not counted.
    public var tokenPerSecond: Float
    /// Tokens of the prompt that were taken over, where ``LiquidInferenceEngineOptions/cacheOptions`` asked for a
    /// cache; 0 where they did not.
    ///
    /// ``reusedPromptTokens`` counts them in either case.
    public var cachedPromptTokens: Int64
    /// Tokens of the prompt that were taken over from an earlier turn or from the cache, whether a cache was asked for
    /// or not.
    ///
    /// Together with ``computedPromptTokens`` they are the whole prompt.
    public var reusedPromptTokens: Int64
    /// Tokens of the prompt that were computed: the whole prompt without ``reusedPromptTokens``.
    public var computedPromptTokens: Int64 { max(0, wholePromptTokens - reusedPromptTokens) }

    /// All tokens of the prompt.
    package var wholePromptTokens: Int64 { promptTokens + cachedPromptTokens }

    /// Makes statistics.
    ///
    /// - Parameters:
    ///   - promptTokens: tokens of the prompt, without those that came from a cache.
    ///   - completionTokens: tokens that were generated.
    ///   - totalTokens: nil for the sum of the two.
    ///   - tokenPerSecond: tokens generated per second.
    ///   - cachedPromptTokens: tokens of the prompt that came from a cache which was asked for.
    ///   - reusedPromptTokens: tokens of the prompt that were taken over in any way; nil for as many as came from the
    ///     cache.
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
    }

    /// Reads statistics; those of versions without ``reusedPromptTokens`` have as many as ``cachedPromptTokens``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            promptTokens: try container.decode(Int64.self, forKey: .promptTokens),
            completionTokens: try container.decode(Int64.self, forKey: .completionTokens),
            totalTokens: try container.decode(Int64.self, forKey: .totalTokens),
            tokenPerSecond: try container.decode(Float.self, forKey: .tokenPerSecond),
            cachedPromptTokens: try container.decode(Int64.self, forKey: .cachedPromptTokens),
            reusedPromptTokens: try container.decodeIfPresent(Int64.self, forKey: .reusedPromptTokens))
    }
}

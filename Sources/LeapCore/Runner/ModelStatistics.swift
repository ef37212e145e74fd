import LeapEngine

/// What a model has computed since it was loaded, and what it is computing.
public struct ModelStatistics: Sendable, Hashable, Codable {
    /// Tokens of prompts that were computed.
    public var computedPromptTokens = 0
    /// Tokens of prompts whose state was there already: in the conversation, in memory or on disk.
    public var cachedPromptTokens = 0
    /// Tokens that were generated.
    public var generatedTokens = 0
    /// Tokens that were proposed and checked; see `speculation` in the extras.
    public var draftedTokens = 0
    /// Proposed tokens that became part of a reply.
    public var acceptedTokens = 0
    /// Generations that began.
    public var generations = 0
    /// Generations that have not ended.
    public var activeGenerations = 0
    /// Bytes of the state of all conversations, of the cache, and of what is being computed; the weights are not among them.
    public var memoryBytes = 0

    /// Nothing yet.
    public init() {}

    /// The figures by names in the style of Prometheus: totals end in `_total` and only grow, the others are of the moment.
    public var metrics: [String: Int] {
        [
            "leap_prompt_tokens_computed_total": computedPromptTokens,
            "leap_prompt_tokens_cached_total": cachedPromptTokens,
            "leap_tokens_generated_total": generatedTokens,
            "leap_tokens_drafted_total": draftedTokens,
            "leap_tokens_accepted_total": acceptedTokens,
            "leap_generations_total": generations,
            "leap_generations_active": activeGenerations,
            "leap_state_bytes": memoryBytes,
        ]
    }
}

extension ModelStatistics {
    init(_ statistics: EngineStatistics) {
        computedPromptTokens = statistics.tokens.promptTokens
        cachedPromptTokens = statistics.tokens.cachedPromptTokens
        generatedTokens = statistics.tokens.completionTokens
        draftedTokens = statistics.tokens.draftedTokens
        acceptedTokens = statistics.tokens.acceptedTokens
        generations = statistics.generations
        activeGenerations = statistics.activeGenerations
        memoryBytes = statistics.memoryBytes
    }
}

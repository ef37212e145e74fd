import LeapJSON

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

    /// nil where there is no count in `value`.
    init?(_ value: JSONValue?) {
        guard let object = value?.object else { return nil }
        // Sums of what comes from outside are kept from overflowing.
        func count(_ value: JSONValue?) -> Int { min(max(value?.integer ?? 0, 0), 1 << 48) }
        let (prompt, completion) = (count(object["prompt_tokens"]), count(object["completion_tokens"]))
        self.init(
            promptTokens: prompt, completionTokens: completion,
            totalTokens: object["total_tokens"].map { count($0) } ?? prompt + completion,
            cachedPromptTokens: min(prompt, count(object["prompt_tokens_details"]?["cached_tokens"])))
    }
}

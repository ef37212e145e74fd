package import LeapJSON

extension OpenAI {
    /// The number of tokens of a reply and its prompt.
    package struct Usage: Sendable, Hashable {
        /// Tokens of the prompt, those from a cache included.
        package var promptTokens: Int
        package var completionTokens: Int
        package var totalTokens: Int
        /// Tokens of the prompt that were not computed again.
        package var cachedTokens: Int
        /// Tokens of the reasoning among those of the completion.
        package var reasoningTokens = 0
        /// True if the end of the reasoning was forced.
        package var isReasoningCut = false

        package init(promptTokens: Int, completionTokens: Int, cachedTokens: Int) {
            self.promptTokens = promptTokens
            self.completionTokens = completionTokens
            totalTokens = promptTokens + completionTokens
            self.cachedTokens = cachedTokens
        }

        /// Reads the member `usage`; nil where it is no object.
        ///
        /// Counts are limited, so that sums of them do not overflow; a total that is missing is the sum.
        package init?(_ json: JSONValue?) {
            guard let object = json?.object else { return nil }
            func count(_ value: JSONValue?) -> Int { min(max(value?.integer ?? 0, 0), 1 << 48) }
            let (prompt, completion) = (count(object[Key.promptTokens]), count(object[Key.completionTokens]))
            let cached = count(object[Key.promptTokensDetails]?[Key.cachedTokens])
            self.init(promptTokens: prompt, completionTokens: completion, cachedTokens: min(prompt, cached))
            if let total = object[Key.totalTokens] { totalTokens = count(total) }
        }

        /// The counts as JSON.
        package var json: JSONValue {
            var usage: JSONObject = [
                Key.promptTokens: .integer(Int64(promptTokens)),
                Key.completionTokens: .integer(Int64(completionTokens)),
                Key.totalTokens: .integer(Int64(totalTokens)),
                Key.promptTokensDetails: .object([Key.cachedTokens: .integer(Int64(cachedTokens))]),
            ]
            if reasoningTokens > 0 || isReasoningCut {
                var details: JSONObject = ["reasoning_tokens": .integer(Int64(reasoningTokens))]
                if isReasoningCut { details["reasoning_cut"] = .bool(true) }
                usage["completion_tokens_details"] = .object(details)
            }
            return .object(usage)
        }
    }
}

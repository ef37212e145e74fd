/// Makes a prompt that fits into the context, by the policy for those that do not.
struct PromptFitting {
    let builder: PromptBuilder
    let contextSize: Int
    let policy: ContextOverflowPolicy
    let maxTokens: Int?
    /// Tokens that every reply needs.
    var minimumReply = 0

    /// The prompt, and what was left out of it.
    ///
    /// Where turns may be left out, tokens are reserved for the reply too: as many as it may have, but not more than a quarter of the
    /// context. That way not every turn of a long chat changes the prefix of the prompt, which would cost its whole computation.
    /// - Throws: ``LeapGenerationPromptExceedContextLengthException`` where it does not fit.
    func fit(_ request: PromptBuilder.Request) throws -> (prompt: PromptBuilder.Prompt, trimming: HistoryTrimming?) {
        let whole = try builder.build(request)
        let reserved = max(1, minimumReply, min(maxTokens ?? 1, contextSize / 4))
        guard whole.tokens.count + (policy == .fail ? 1 : reserved) > contextSize else { return (whole, nil) }
        guard policy == .trimOldestTurns else { throw overflow(whole.tokens.count) }

        let turns = HistoryTrimmer.Turns(HistoryRules.withoutContinuations(request.messages))
        func measure(_ messages: [ChatMessage]) throws -> Int {
            var request = request
            request.messages = messages
            return try builder.build(request).tokens.count
        }
        let quarter = max(1, minimumReply, min(maxTokens ?? contextSize / 4, contextSize / 4))
        let count =
            try HistoryTrimmer.turnsToDrop(from: turns, limit: contextSize - quarter, measure: measure)
            ?? HistoryTrimmer.turnsToDrop(from: turns, limit: contextSize - max(1, minimumReply), measure: measure)
        guard let count else { throw overflow(try measure(turns.dropping(turns.turns.count - 1))) }
        var trimmed = request
        trimmed.messages = turns.dropping(count)
        let prompt = try builder.build(trimmed)
        let removed = Array(turns.turns.prefix(count).joined())
        guard !removed.isEmpty else { return (prompt, nil) }
        return (
            prompt,
            HistoryTrimming(
                removedMessages: removed, removedTokens: whole.tokens.count - prompt.tokens.count,
                keptTokens: prompt.tokens.count)
        )
    }

    private func overflow(_ tokens: Int) -> LeapGenerationPromptExceedContextLengthException {
        LeapGenerationPromptExceedContextLengthException(neededTokens: tokens + 1, availableTokens: contextSize)
    }
}

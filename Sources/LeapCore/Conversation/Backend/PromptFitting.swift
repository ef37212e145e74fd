import LeapChat

/// Makes a prompt that fits into the context, by the policy for those that do not.
struct PromptFitting {
    let builder: PromptBuilder
    let contextSize: Int
    /// The tokens that a context of the model can have at most; nil where that is not known.
    var contextLimit: Int?
    let policy: ContextOverflowPolicy
    let maxTokens: Int?
    /// Tokens that every reply needs.
    var minimumReply = 0
    /// Called before each prompt that is tried; what it throws ends the fitting.
    var checkNotStopped: () throws -> Void = {}

    /// The prompt, and what was left out of it.
    ///
    /// Where turns may be left out, tokens are reserved for the reply too: as many as it may have, but not more than a
    /// quarter of the context, and an eighth of it where the reply has no limit of its own. Leaving out a turn changes
    /// all that follows the system message, which has to be computed again. So the turns that were left out last time
    /// stay out while the rest fits, and where it does not, the turns before the last one are cut to a quarter of the
    /// space that there is for them: of k tokens, k/4 are computed again after every 3k/4 new ones. The turn before the
    /// last one is kept wherever it fits.
    /// - Parameter leftOut: the messages that the prompt before this one was made without, oldest first.
    /// - Throws: ``LeapGenerationPromptExceedContextLengthException`` where it does not fit.
    func fit(
        _ request: PromptBuilder.Request, leftOut: [ChatMessage] = []
    ) throws -> (prompt: PromptBuilder.Prompt, trimming: HistoryTrimming?) {
        let whole = try build(request)
        let reserved =
            policy == .fail ? 1 : max(1, minimumReply, min(maxTokens ?? contextSize / 8, contextSize / 4))
        guard whole.tokens.count > contextSize - reserved else { return (whole, nil) }
        guard policy == .trimOldestTurns else { throw overflow(whole.tokens.count) }

        let turns = HistoryTrimmer.Turns(HistoryRules.withoutContinuations(request.messages))
        // By the number of messages: the prompt that is measured last is mostly the one that is used.
        var tried: [Int: PromptBuilder.Prompt] = [:]
        func prompt(_ messages: [ChatMessage]) throws -> PromptBuilder.Prompt {
            if let prompt = tried[messages.count] { return prompt }
            var request = request
            request.messages = messages
            let prompt = try build(request)
            tried[messages.count] = prompt
            return prompt
        }
        let count = try turnsToDrop(from: turns, leftOut: leftOut, limit: contextSize - reserved) {
            try prompt($0).tokens.count
        }
        let fitting = try prompt(turns.dropping(count))
        let removed = Array(turns.turns.prefix(count).joined())
        guard !removed.isEmpty else { return (fitting, nil) }
        return (
            fitting,
            HistoryTrimming(
                removedMessages: removed, removedTokens: whole.tokens.count - fitting.tokens.count,
                keptTokens: fitting.tokens.count)
        )
    }

    /// A text as it is, with the tokens that the model wants around a text; control tokens in it are plain text.
    ///
    /// - Throws: ``LeapGenerationPromptExceedContextLengthException`` where it does not fit,
    ///   ``LeapGenerationException`` for an empty text.
    func fit(_ raw: RawPrompt) throws -> PromptBuilder.Prompt {
        try checkNotStopped()
        let tokens = try raw.encoded(builder.tokenizer)
        guard tokens.count < contextSize else { throw overflow(tokens.count) }
        return PromptBuilder.Prompt(text: try raw.text(builder.tokenizer), tokens: tokens)
    }

    private func build(_ request: PromptBuilder.Request) throws -> PromptBuilder.Prompt {
        try checkNotStopped()
        return try builder.build(request)
    }

    private func turnsToDrop(
        from turns: HistoryTrimmer.Turns, leftOut: [ChatMessage], limit: Int, measure: ([ChatMessage]) throws -> Int
    ) throws -> Int {
        let before = turns.count(of: leftOut)
        if before > 0, try measure(turns.dropping(before)) <= limit { return before }
        let most = max(0, turns.turns.count - 1)
        let least = try measure(turns.dropping(most))
        guard least <= limit else {
            // Nothing can be left out any more: a shorter reply is all that helps.
            guard least <= contextSize - max(1, minimumReply) else { throw overflow(least) }
            return most
        }
        let target = least + (limit - least) / 4
        let count = try HistoryTrimmer.turnsToDrop(from: turns, limit: target, measure: measure) ?? most
        guard count == most, most > before, try measure(turns.dropping(most - 1)) <= limit else { return count }
        return most - 1
    }

    private func overflow(_ tokens: Int) -> LeapGenerationPromptExceedContextLengthException {
        LeapGenerationPromptExceedContextLengthException(
            neededTokens: tokens + 1, availableTokens: contextSize, contextLimit: contextLimit)
    }
}

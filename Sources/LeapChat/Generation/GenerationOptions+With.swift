import LeapBase

extension GenerationOptions {
    /// A copy with changes; the receiver stays as it is.
    private func with(_ change: (inout GenerationSettings) -> Void) -> GenerationOptions {
        var settings = state.withLock { $0 }
        change(&settings)
        return GenerationOptions(settings: settings)
    }

    /// Returns the same options with another limit of a reply's thoughts, in tokens; nil for none.
    public func with(thinkingBudget: Int?) -> GenerationOptions { with { $0.further.thinkingBudget = thinkingBudget } }

    /// Returns the same options with another temperature.
    public func with(temperature: Float) -> GenerationOptions { with { $0.sampling.temperature = temperature } }

    /// Returns the same options with another top-p.
    public func with(topP: Float) -> GenerationOptions { with { $0.sampling.topP = topP } }

    /// Returns the same options with another min-p.
    public func with(minP: Float) -> GenerationOptions { with { $0.sampling.minP = minP } }

    /// Returns the same options with another repetition penalty.
    public func with(repetitionPenalty: Float) -> GenerationOptions {
        with { $0.sampling.repetitionPenalty = repetitionPenalty }
    }

    /// Returns the same options with another top-k.
    public func with(topK: Int32) -> GenerationOptions { with { $0.sampling.topK = topK } }

    /// Returns the same options with another seed.
    public func with(rngSeed: Int64) -> GenerationOptions { with { $0.sampling.rngSeed = rngSeed } }

    /// Returns the same options with a JSON Schema for the reply.
    public func with(jsonSchema: String) -> GenerationOptions { with { $0.jsonSchemaConstraint = jsonSchema } }

    /// Returns the same options with another maximum number of reply tokens.
    public func with(maxTokens: Int32) -> GenerationOptions { with { $0.maxTokens = maxTokens } }

    /// Returns the same options, with the schema shown to the model or not.
    public func with(injectSchemaIntoPrompt: Bool) -> GenerationOptions {
        with { $0.injectSchemaIntoPrompt = injectSchemaIntoPrompt }
    }

    /// Returns the same options, with reasoning kept in the text or not.
    public func with(inlineThinkingTags: Bool) -> GenerationOptions {
        with { $0.inlineThinkingTags = inlineThinkingTags }
    }

    /// Returns the same options, with thinking requested or not.
    public func with(enableThinking: Bool) -> GenerationOptions { with { $0.enableThinking = enableThinking } }

    /// Returns the same options with another function call parser.
    public func with(functionCallParser: LeapFunctionCallParser?) -> GenerationOptions {
        with { $0.functionCallParser = functionCallParser }
    }

    /// Returns the same options with other extras.
    public func with(extras: String) -> GenerationOptions { with { $0.extras = extras } }

    /// Returns the same options with another policy for prompts that exceed the context.
    public func with(contextOverflowPolicy: ContextOverflowPolicy) -> GenerationOptions {
        with { $0.contextOverflowPolicy = contextOverflowPolicy }
    }

    /// Returns the same options with other stop sequences.
    public func with(stopSequences: [String]) -> GenerationOptions { with { $0.stopSequences = stopSequences } }

    /// Returns the same options with another policy for generations started while one is running.
    public func with(whileGenerating: WhileGenerating) -> GenerationOptions {
        with { $0.whileGenerating = whileGenerating }
    }

    /// Returns the same options, with interrupted replies kept in the history or not.
    public func with(keepsInterruptedReply: Bool) -> GenerationOptions {
        with { $0.keepsInterruptedReply = keepsInterruptedReply }
    }

    /// The values at this moment.
    package var snapshot: GenerationSettings { state.withLock { $0 } }
}

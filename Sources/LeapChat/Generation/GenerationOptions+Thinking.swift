import LeapBase

extension GenerationOptions {
    /// The maximum number of tokens of a reply's thoughts, 0 or more; nil for no limit.
    ///
    /// At the limit the model writes ``thinkingBudgetMessage`` and the end mark of its thoughts, and then answers.
    /// Below the limit the reply is the same as without one. A character that is begun is completed first. With 0,
    /// thoughts end as soon as they begin; to keep a model from thinking, leave ``enableThinking`` false. A model that
    /// cannot think ignores the limit. A negative number makes the generation throw ``LeapGenerationException``.
    /// ``GenerationStats/thinkingTokens`` tells the tokens, ``GenerationStats/wasThinkingCut`` whether the limit was
    /// reached.
    public var thinkingBudget: Int? {
        get { state.withLock { $0.further.thinkingBudget } }
        set { state.withLock { $0.further.thinkingBudget = newValue } }
    }

    /// The text that ends thoughts at their limit, in front of the end mark.
    ///
    /// Nil, the default, is the text of the model's family, if it has one; an empty text is none. The texts of Qwen3
    /// and its successors, Gemma 4 and gpt-oss are this project's own: "My thinking has reached its limit, so I answer
    /// now with what I have.", on a line of its own but in gpt-oss. Where nothing was thought, it is left out.
    ///
    /// The text is part of the thoughts and of the reply's tokens. It is left out where a reply has no room for it.
    /// Control tokens that it spells count as text. More than 4096 bytes of UTF-8 make the generation throw
    /// ``LeapGenerationException``.
    public var thinkingBudgetMessage: String? {
        get { state.withLock { $0.further.thinkingBudgetMessage } }
        set { state.withLock { $0.further.thinkingBudgetMessage = newValue } }
    }

    /// The part of a reply that ``thinkingBudget`` limits: by default all its thoughts together.
    public var thinkingBudgetScope: ThinkingBudgetScope {
        get { state.withLock { $0.further.thinkingBudgetScope ?? .reply } }
        set { state.withLock { $0.further.thinkingBudgetScope = newValue } }
    }

    /// The maximum number of tokens beyond ``thinkingBudget`` that complete a sentence or a line; 0 by default.
    public var thinkingGrace: Int {
        get { state.withLock { $0.further.thinkingGrace ?? 0 } }
        set { state.withLock { $0.further.thinkingGrace = newValue } }
    }
}

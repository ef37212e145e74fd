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

    /// The text that ends thoughts at their limit, in front of the end mark; nil for none, the default.
    ///
    /// It is part of the thoughts and of the reply's tokens. A model that is told why it stops thinking goes on less
    /// often in its answer: "\nI have thought long enough and answer now.\n". It is left out where a reply has no room
    /// for it. Control tokens that it spells count as text. More than 4096 bytes of UTF-8 make the generation throw
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

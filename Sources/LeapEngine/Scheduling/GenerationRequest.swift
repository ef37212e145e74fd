import LeapTokenizer

/// One text to be continued.
package struct GenerationRequest: Sendable {
    /// The whole text from its first token on.
    ///
    /// What the session holds of it already is not computed again.
    package var prompt: [TokenID]
    /// How tokens are drawn.
    package var sampling: SamplerOptions
    /// The most tokens to generate, at least 1; nil goes on until the context is full.
    package var maxTokens: Int?
    /// Tokens that end the text.
    ///
    /// They are not reported as part of it.
    package var stopTokens: Set<TokenID>
    /// What decides which tokens may come, if anything does.
    package var constraint: (any TokenConstraint)?

    /// Makes a request.
    package init(
        prompt: [TokenID], sampling: SamplerOptions = SamplerOptions(), maxTokens: Int? = nil,
        stopTokens: Set<TokenID> = [], constraint: (any TokenConstraint)? = nil
    ) {
        self.prompt = prompt
        self.sampling = sampling
        self.maxTokens = maxTokens
        self.stopTokens = stopTokens
        self.constraint = constraint
    }

    /// Checks what can be checked before anything is computed.
    func validate(for model: Model, contextSize: Int) throws(EngineError) {
        guard !prompt.isEmpty else { throw .emptyPrompt }
        guard prompt.count <= contextSize else {
            throw .contextExceeded(needed: prompt.count, available: contextSize)
        }
        try model.validate(prompt)
        _ = try sampling.validated()
        if let maxTokens, maxTokens < 1 {
            throw EngineError(
                .invalidOption, "maxTokens is \(maxTokens): it has to be 1 or more", field: "maxTokens")
        }
    }
}

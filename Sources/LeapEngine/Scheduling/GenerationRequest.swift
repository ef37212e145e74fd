import LeapTokenizer

/// One sequence to be continued.
package struct GenerationRequest: Sendable {
    /// The whole sequence from its first token on.
    ///
    /// What the session holds of it already is not computed again.
    package var prompt: [TokenID]
    /// How tokens are drawn.
    package var sampling: SamplingValues
    /// The maximum number of tokens to generate, at least 1; nil goes on until the context is full.
    package var maxTokens: Int?
    /// Tokens that end the output.
    ///
    /// They are not reported as part of it.
    package var stopTokens: Set<TokenID>
    /// Makes what decides which tokens may come, if anything does.
    package var makeConstraint: TokenConstraintFactory?
    /// How tokens are proposed that are then checked together; the output is the same for each.
    package var speculation = Speculation.off
    /// The adapters that the sequence is computed with.
    ///
    /// What the session holds of it with others is computed again.
    package var adapters = AdapterSet.none

    /// The number of other tokens that each token's likelihood is reported with, 0 to 20; nil reports none.
    package var likelihoodAlternatives: Int?
    /// What the constraint, the proposals and the adapters follow from, for those who send the request to another process.
    ///
    /// The engine does not read it.
    package var recipe: (any Sendable)?

    /// Makes a request.
    package init(
        prompt: [TokenID], sampling: SamplingValues = SamplingValues(), maxTokens: Int? = nil,
        stopTokens: Set<TokenID> = [], makeConstraint: TokenConstraintFactory? = nil
    ) {
        self.prompt = prompt
        self.sampling = sampling
        self.maxTokens = maxTokens
        self.stopTokens = stopTokens
        self.makeConstraint = makeConstraint
    }

    /// Checks what can be checked before anything is computed.
    func validate(for model: Model, contextSize: Int) throws(EngineError) {
        guard model.generatesText else { throw .writesNoText }
        guard !prompt.isEmpty else { throw .emptyPrompt }
        if let likelihoodAlternatives { try TokenLikelihood.check(alternatives: likelihoodAlternatives) }
        guard prompt.count <= contextSize else {
            throw .contextExceeded(needed: prompt.count, available: contextSize)
        }
        try model.validate(prompt)
        _ = try sampling.validated()
        try adapters.validate(for: model)
        if let maxTokens, maxTokens < 1 {
            throw EngineError(
                .invalidOption, "maxTokens is \(maxTokens): it has to be 1 or more", field: "maxTokens")
        }
    }
}

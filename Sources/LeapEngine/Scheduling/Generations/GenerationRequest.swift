package import LeapModel
package import LeapTokenizer

/// One sequence to be continued.
package struct GenerationRequest: Sendable {
    /// The whole sequence from its first token on.
    ///
    /// What the session holds of it already is not computed again.
    package var prompt: [TokenID]
    /// The parameters by which tokens are drawn.
    package var sampling: SamplingValues
    /// The maximum number of tokens to generate, at least 1; nil goes on until the context is full.
    package var maxTokens: Int?
    /// So many tokens come before one that ends the output may; fewer where a constraint allows nothing else.
    package var minTokens = 0
    /// Added to the logits of tokens before anything else; minus infinity never lets one come.
    package var logitBias: [TokenID: Float] = [:]
    /// Tokens that end the output.
    ///
    /// They are not reported as part of it.
    package var stopTokens: Set<TokenID>
    /// Makes what decides which tokens may come, if anything does.
    package var makeConstraint: TokenConstraintFactory?
    /// Makes what counts and ends the output's thoughts; nil where nothing does.
    package var watchReasoning: ReasoningWatch?
    /// The way in which tokens are proposed that are then checked together; the output is the same for each.
    package var speculation = Speculation.off
    /// The adapters that the sequence is computed with.
    ///
    /// What the session holds of it with others is computed again.
    package var adapters = AdapterSet.none
    /// True if what is computed is kept for other sessions; false for what none of them can go on from.
    package var sharesPrefix = true

    /// The number of other tokens that each token's likelihood is reported with, 0 to 20; nil reports none.
    package var likelihoodAlternatives: Int?
    /// The pictures, sounds and replies with speech in the prompt, in order; every negative token of the prompt is at a
    /// position of one of them.
    package var media: [MediaInput] = []
    /// That the output may hold speech; nil for text only.
    ///
    /// Together with a constraint it is refused, as that speaks of text.
    package var speech: SpeechRequest?

    /// The output so far of a generation that goes on; nil where the output begins.
    package var resumption: OutputResumption?

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
    ///
    /// - Parameters:
    ///   - encoders: what reads pictures, and what reads sound.
    ///   - speaks: whether there is a decoder of speech.
    func validate(
        for model: Model, contextSize: Int, encoders: [any MediaEncoder] = [], speaks: Bool = false
    ) throws(EngineError) {
        guard model.generatesText else { throw .writesNoText }
        guard !prompt.isEmpty else { throw .emptyPrompt }
        if let likelihoodAlternatives { try TokenLikelihood.check(alternatives: likelihoodAlternatives) }
        guard prompt.count <= contextSize else {
            throw .contextExceeded(needed: prompt.count, available: contextSize)
        }
        try validateTokens(model, encoders, speaks)
        if let speech {
            guard speaks else { throw .readsNo(.speech) }
            try speech.validate()
            guard makeConstraint == nil else {
                throw EngineError(
                    .invalidOption,
                    "a constraint applies to text, but the request is for speech: request one of the two",
                    field: "speech")
            }
        }
        try resumption?.validate(for: self)
        _ = try sampling.validated()
        try adapters.validate(for: model)
        if let maxTokens, maxTokens < 1 {
            throw EngineError(
                .invalidOption, "maxTokens is \(maxTokens): it has to be 1 or more", field: "maxTokens")
        }
    }

    private func validateTokens(
        _ model: Model, _ encoders: [any MediaEncoder], _ speaks: Bool
    ) throws(EngineError) {
        let other = media.first { input in
            input.medium == .speech ? !speaks : !encoders.contains { $0.medium == input.medium }
        }
        if let other {
            throw .readsNo(other.medium)
        }
        var position = 0
        for input in media {
            let range = input.positions
            guard range.lowerBound >= position, range.upperBound <= prompt.count, !range.isEmpty,
                prompt[range].allSatisfy({ $0 < 0 })
            else {
                throw EngineError(
                    .invalidOption,
                    "a \(input.medium.rawValue) is at positions \(range) of a prompt of \(prompt.count) tokens: they have to be consecutive and hold negative tokens",
                    field: "media")
            }
            try model.validate(prompt[position..<range.lowerBound])
            position = range.upperBound
        }
        try model.validate(prompt[position...])
    }
}

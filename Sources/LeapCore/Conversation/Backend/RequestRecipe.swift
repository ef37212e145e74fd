package import LeapChat
package import LeapEngine

/// A request, with what another process needs to make the parts that cannot be sent.
package struct PlannedRequest: Sendable {
    /// The request as the engine of this process would take it.
    package var request: GenerationRequest
    /// The description from which its constraint, its proposals, its adapters and its media are made.
    package var recipe: RequestRecipe

    package init(_ request: GenerationRequest, recipe: RequestRecipe) {
        self.request = request
        self.recipe = recipe
    }
}

/// The description of the parts of a request that only the process with the model can make: constraint, proposals,
/// adapters.
package struct RequestRecipe: Sendable {
    /// The options, with a parser that reads one syntax and without extras as text.
    package var settings: GenerationSettings
    /// The functions that the model is told about.
    package var functions: [LeapFunction]
    /// True if the prompt ends inside of reasoning.
    package var isReasoningOpen: Bool
    /// The part of the reply's header that the prompt ends with; nil where replies are not made of messages on
    /// channels.
    package var openTurn: String?
    /// The files of the prompt's pictures, sounds and spoken replies, in order.
    package var media: [PromptFile]

    package init(
        settings: GenerationSettings, functions: [LeapFunction], isReasoningOpen: Bool, openTurn: String? = nil,
        media: [PromptFile] = []
    ) {
        self.settings = settings
        self.functions = functions
        self.isReasoningOpen = isReasoningOpen
        self.openTurn = openTurn
        self.media = media
    }

    /// Completes a request with the parts that this recipe describes.
    ///
    /// - Returns: what limits the reply's length.
    /// - Throws: ``LeapGenerationTokenBudgetException`` where no answer fits; ``LeapGenerationException`` for an
    ///   adapter that is not there.
    func complete(
        _ request: inout GenerationRequest, constraint: ReplyConstraint, runner: LiquidInferenceEngineRunner,
        source: LiquidInferenceEngineRunner.PromptSource
    ) throws -> GenerationLimit {
        let extras = settings.further
        request.speculation = extras.speculation ?? runner.speculation
        request.adapters = try source.adapters.set(extras.adapters)
        request.logitBias = try extras.logitBias.tokens(source.builder.tokenizer)
        request.minTokens = extras.ignoresEnd ? .max : max(0, extras.minTokens)
        var available = runner.backend.contextSize - request.prompt.count
        var limit = GenerationLimit.contextSize(runner.backend.contextSize)
        if let most = request.maxTokens, most <= available {
            available = most
            limit = .maxTokens(most)
        }
        request.makeConstraint = try ConstraintFactory.tokenConstraint(
            constraint, settings: settings, library: source.grammars,
            isReasoningOpen: isReasoningOpen, openTurn: openTurn, available: available, limit: limit)
        return limit
    }

    /// Has the reply's thoughts counted, and ended where there is a limit; not in speech, which has none.
    ///
    /// - Throws: ``LeapGenerationException`` for a limit that is none.
    func watchThoughts(
        of request: inout GenerationRequest, runner: LiquidInferenceEngineRunner,
        source: LiquidInferenceEngineRunner.PromptSource
    ) throws {
        guard request.speech == nil else { return }
        let available = runner.backend.contextSize - request.prompt.count
        request.watchReasoning = try ConstraintFactory.reasoningWatch(
            settings: settings, library: source.grammars, isReasoningOpen: isReasoningOpen, openTurn: openTurn,
            room: min(available, request.maxTokens ?? available))
    }
}

extension LiquidInferenceEngineRunner {
    /// Completes a request that another process planned.
    ///
    /// - Throws: ``LeapException`` where the recipe cannot be followed.
    package func complete(_ request: GenerationRequest, by recipe: RequestRecipe) async throws -> PlannedRequest {
        try await WorkQueue.prompts.run { [self] in
            let source = try promptSource()
            let constraint = try ConstraintFactory.make(
                settings: recipe.settings, functions: recipe.functions,
                library: source.grammars,
                hasChannels: recipe.openTurn != nil)
            var request = request
            if !recipe.media.isEmpty {
                request.media = try source.builder.inputs(recipe.media, in: request.prompt)
            }
            _ = try recipe.complete(&request, constraint: constraint, runner: self, source: source)
            try recipe.watchThoughts(of: &request, runner: self, source: source)
            source.builder.speech?.forbidMarks(in: &request)
            return PlannedRequest(request, recipe: recipe)
        }
    }
}

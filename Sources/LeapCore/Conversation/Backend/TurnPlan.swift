import LeapBase
import LeapChat
import LeapEngine
import LeapModel
import LeapTokenizer

/// Everything about a generation that is decided before it begins.
struct TurnPlan {
    let planned: PlannedRequest
    let parserConfiguration: ResponseParser.Configuration
    let tokenizer: Tokenizer
    /// Control tokens that the parser has to see as text.
    let visibleTokens: [TokenID: String]
    let openReasoning: String?
    /// The part of the reply's header that the prompt ends with; nil where replies are not made of messages on
    /// channels.
    let openTurn: String?
    let trimming: HistoryTrimming?
    /// The limit of the reply's length.
    let limit: GenerationLimit
    /// The decoder that the reply may speak with; nil for text only.
    let speechDecoder: StableHash?
    /// The tokens with which the prompt opens the reply.
    let opening: [TokenID]
    /// The tokens that the reply has from before it was suspended, at the end of the request's prompt.
    let written: [TokenID]

    var request: GenerationRequest { planned.request }

    /// Plans a turn.
    ///
    /// - Parameter kept: what the last turn left: the session, the tokens it was computed with, and what they were made
    ///   without.
    /// - Throws: ``LeapGenerationException`` and its subclasses, where the turn cannot begin.
    init(turn: Turn, kept: BackendSource.KeptState) throws {
        let rules = try TurnRules(turn)
        try turn.checkNotStopped()
        let (prompt, trimming) = try rules.fittedPrompt(leftOut: kept.leftOut)
        let source = rules.source
        tokenizer = source.builder.tokenizer
        self.trimming = trimming
        openReasoning = prompt.openReasoning
        openTurn = prompt.openTurn

        var request = try rules.request(for: prompt, keptTokens: kept.tokens)
        let recipe = RequestRecipe(
            settings: rules.settings, functions: rules.functions, isReasoningOpen: openReasoning != nil,
            openTurn: openTurn, media: prompt.files)
        limit = try recipe.complete(
            &request, constraint: rules.constraint, runner: turn.source.model, source: source)
        request.speech = rules.speech(for: request)
        try recipe.watchThoughts(of: &request, runner: turn.source.model, source: source)
        speechDecoder = request.speech == nil ? nil : source.builder.speech?.encoder
        opening = prompt.opening
        source.builder.speech?.forbidMarks(in: &request)
        written = try Self.resume(&request, turn, kept)
        planned = PlannedRequest(request, recipe: recipe)

        parserConfiguration = rules.parserConfiguration(for: prompt)
        visibleTokens = Self.visibleTokens(
            tokenizer, parser: parserConfiguration.functionCallParser,
            marks: openTurn == nil ? parserConfiguration.reasoningMarks.tokens : parserConfiguration.channelForm.marks)
    }

    /// Lets a request go on from where its reply was suspended.
    ///
    /// - Returns: the tokens that the reply has; none where it begins.
    /// - Throws: ``LeapGenerationException`` where another process would have to go on.
    private static func resume(
        _ request: inout GenerationRequest, _ turn: Turn, _ kept: BackendSource.KeptState
    ) throws -> [TokenID] {
        guard turn.isResumption, let suspension = kept.suspension, suspension.isPossible(in: kept.tokens) else {
            return []
        }
        guard turn.source.model.backend.resumesReplies else {
            throw LeapGenerationException(
                "another process computes, which resumes no replies: regenerate the reply instead")
        }
        let written = kept.tokens.suffix(suspension.tokenCount)
        // A template may write the date: the reply goes on from the prompt that it began with.
        request.prompt = request.media.isEmpty ? kept.tokens : request.prompt + written
        request.resumption = suspension
        return Array(written)
    }

    /// The marks of reasoning and calls; without a parser those of every style, as then they stay in the text.
    private static func visibleTokens(
        _ tokenizer: Tokenizer, parser: (any LeapFunctionCallParserProtocol)?, marks: [String]
    ) -> [TokenID: String] {
        let calls = parser.map { CallMarks($0).all } ?? CallStyles.marks
        var tokens: [TokenID: String] = [:]
        for mark in marks + calls {
            if let token = tokenizer.token(for: mark) { tokens[token] = mark }
        }
        return tokens
    }
}

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

    var request: GenerationRequest { planned.request }

    /// Plans a turn.
    ///
    /// - Parameter kept: what the last turn left: the session, the tokens it was computed with, and what they were made
    ///   without.
    /// - Throws: ``LeapGenerationException`` and its subclasses, where the turn cannot begin.
    init(turn: Turn, kept: BackendSource.KeptState) throws {
        let runner = turn.source.model
        let source = try runner.promptSource()
        var settings = turn.settings
        settings.functionCallParser =
            turn.raw == nil ? source.builder.renderer.parser(for: settings.functionCallParser) : nil
        try settings.readExtras()
        let functions = settings.further.toolChoice == GenerationExtras.ToolChoice.none ? [] : turn.functions
        if Self.holdsCallsUnasked(turn, functions, settings, speech: source.builder.speech) {
            settings.further.toolChoice = .auto
        }
        let extras = settings.further
        tokenizer = source.builder.tokenizer
        let constraint = try ConstraintFactory.make(
            settings: settings, functions: functions, library: source.grammars,
            hasChannels: turn.raw == nil && source.grammars.channels != nil)
        try turn.checkNotStopped()
        let fitting = PromptFitting(
            builder: source.builder, contextSize: runner.backend.contextSize,
            contextLimit: runner.backend.textModel?.contextLimit,
            policy: extras.contextOverflowPolicy ?? settings.contextOverflowPolicy,
            maxTokens: settings.maxTokens.map { Int($0) }, minimumReply: constraint.minimumTokens,
            checkNotStopped: turn.checkNotStopped)
        let fitted =
            if let raw = turn.raw {
                (prompt: try fitting.fit(raw), trimming: HistoryTrimming?.none)
            } else {
                try fitting.fit(
                    try Self.promptRequest(turn, functions, settings, constraint), leftOut: kept.leftOut)
            }
        trimming = fitted.trimming
        openReasoning = fitted.prompt.openReasoning
        openTurn = fitted.prompt.openTurn

        var request = GenerationRequest(
            prompt: TokenReconciliation.reconcile(fitted.prompt.tokens, kept: kept.tokens, tokenizer: tokenizer),
            sampling: try Self.sampling(settings, over: runner.sampling),
            maxTokens: settings.maxTokens.map { Int($0) },
            stopTokens: source.turnEnds.tokens)
        request.media = MediaInput.inputs(fitted.prompt.parts, in: request.prompt)
        if extras.logprobs { request.likelihoodAlternatives = extras.topLogprobs }
        let recipe = RequestRecipe(
            settings: settings, functions: functions, isReasoningOpen: openReasoning != nil, openTurn: openTurn,
            media: fitted.prompt.files)
        limit = try recipe.complete(&request, constraint: constraint, runner: runner, source: source)
        if turn.raw == nil, request.makeConstraint == nil {
            request.speech = source.builder.speech.flatMap {
                $0.request(turn.history, extras, seed: request.sampling.seed)
            }
        }
        speechDecoder = request.speech == nil ? nil : source.builder.speech?.encoder
        planned = PlannedRequest(request, recipe: recipe)
        let reasoning = source.builder.renderer.reasoning
        // Text that follows a grammar is what it is: marks and stop sequences may stand in its strings.
        let isFormed = constraint.isWholeAnswer || constraint.isAnswerOrCalls
        // What looks like a call is one only where calls were offered, or an app says how they are written.
        let isUnasked = functions.isEmpty && turn.settings.functionCallParser is AutomaticFunctionCallParser
        let parser = constraint.isWholeAnswer || isUnasked ? nil : settings.functionCallParser
        parserConfiguration = ResponseParser.Configuration(
            functionCallParser: parser, functions: functions,
            startsInReasoning: openReasoning != nil,
            inlineThinkingTags: settings.inlineThinkingTags || turn.raw != nil,
            stopSequences: isFormed ? [] : settings.stopSequences + extras.stopSequences,
            turnEnds: isFormed ? [] : source.turnEnds.texts,
            readsTextAsAnswer: constraint.isAnswerOrCalls, reasoningMarks: reasoning, openTurn: openTurn)
        visibleTokens = Self.visibleTokens(
            tokenizer, parser: parser, marks: openTurn == nil ? reasoning.tokens : ChannelFormat.marks)
    }

    /// Returns whether calls are held to the functions that are there although the options say nothing of calls.
    ///
    /// A reply that is spoken is held to nothing, and a parser of one's own reads calls that no grammar describes.
    private static func holdsCallsUnasked(
        _ turn: Turn, _ functions: [LeapFunction], _ settings: GenerationSettings, speech: SpeechReader?
    ) -> Bool {
        settings.further.effectiveToolChoice == nil && !functions.isEmpty
            && settings.functionCallParser is any CallStyle
            && speech?.request(turn.history, settings.further, seed: nil) == nil
    }

    /// The prompt of a history.
    private static func promptRequest(
        _ turn: Turn, _ functions: [LeapFunction], _ settings: GenerationSettings,
        _ constraint: ReplyConstraint
    ) throws -> PromptBuilder.Request {
        guard turn.history.contains(where: { $0.role != .system }) else {
            throw LeapGenerationException("the conversation has no message to answer: add one first")
        }
        var request = try PromptRequest(
            chat: turn.history, functions: functions, parser: settings.functionCallParser,
            enableThinking: settings.enableThinking, arguments: settings.further.templateArguments,
            parts: turn.source.model.readableParts)
        request.replyStart = settings.further.replyStart
        request.messages =
            constraint.systemText(for: settings).map {
                SystemMessage.appending($0, to: turn.history)
            } ?? turn.history
        return request
    }

    /// The options, over their extras, over what manifest and file say.
    private static func sampling(
        _ settings: GenerationSettings, over base: SamplingValues
    ) throws -> SamplingValues {
        do {
            return try settings.sampling.filled(from: settings.further.sampling).filled(from: base).validated()
        } catch {
            throw LeapGenerationException(error)
        }
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

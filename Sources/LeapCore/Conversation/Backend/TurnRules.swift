import LeapBase
import LeapChat
import LeapEngine
import LeapModel
import LeapTokenizer

/// The options, functions and constraint of a turn, from which its prompt and its request are made.
struct TurnRules {
    private let turn: Turn
    let source: LiquidInferenceEngineRunner.PromptSource
    /// The options, with a parser that reads one syntax and without extras as text.
    let settings: GenerationSettings
    /// The functions that the model is told about.
    let functions: [LeapFunction]
    let constraint: ReplyConstraint

    private var extras: GenerationExtras { settings.further }

    /// Reads the options of a turn.
    ///
    /// - Throws: ``LeapGenerationException`` and its subclasses, where the turn cannot begin.
    init(_ turn: Turn) throws {
        let source = try turn.source.model.promptSource()
        var settings = turn.settings
        settings.functionCallParser =
            turn.raw == nil ? source.builder.renderer.parser(for: settings.functionCallParser) : nil
        try settings.readExtras()
        let functions = settings.further.toolChoice == GenerationExtras.ToolChoice.none ? [] : turn.functions
        if Self.holdsCallsUnasked(turn, functions, settings, speech: source.builder.speech) {
            settings.further.toolChoice = .auto
        }
        constraint = try ConstraintFactory.make(
            settings: settings, functions: functions, library: source.grammars,
            hasChannels: turn.raw == nil && source.grammars.channels != nil)
        (self.turn, self.source, self.settings, self.functions) = (turn, source, settings, functions)
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

    // MARK: The prompt

    /// Returns the prompt, and what was left out of it so that it fits.
    ///
    /// - Parameter leftOut: the messages that the last prompt was made without.
    func fittedPrompt(
        leftOut: [ChatMessage]
    ) throws -> (prompt: PromptBuilder.Prompt, trimming: HistoryTrimming?) {
        let backend = turn.source.model.backend
        let fitting = PromptFitting(
            builder: source.builder, contextSize: backend.contextSize, contextLimit: backend.textModel?.contextLimit,
            policy: extras.contextOverflowPolicy ?? settings.contextOverflowPolicy,
            maxTokens: settings.maxTokens.map { Int($0) }, minimumReply: constraint.minimumTokens,
            checkNotStopped: turn.checkNotStopped)
        if let raw = turn.raw { return (try fitting.fit(raw), nil) }
        return try fitting.fit(try promptRequest(), leftOut: leftOut)
    }

    /// The prompt of a history.
    private func promptRequest() throws -> PromptBuilder.Request {
        guard turn.history.contains(where: { $0.role != .system }) else {
            throw LeapGenerationException("the conversation has no message to answer: add one first")
        }
        var request = try PromptRequest(
            chat: turn.history, functions: functions, parser: settings.functionCallParser,
            enableThinking: settings.enableThinking, arguments: extras.templateArguments,
            parts: turn.source.model.readableParts)
        request.replyStart = extras.replyStart
        // Text that a constraint forms is not spoken.
        if !constraint.isWholeAnswer, !constraint.isAnswerOrCalls {
            request.opening = source.builder.speech?.opening(of: turn.history, extras)
        }
        request.messages =
            constraint.systemText(for: settings).map {
                SystemMessage.appending($0, to: turn.history)
            } ?? turn.history
        return request
    }

    // MARK: The request

    /// Returns the request of a prompt, without the parts that a recipe describes.
    ///
    /// - Parameter keptTokens: the tokens that the session was computed with.
    func request(for prompt: PromptBuilder.Prompt, keptTokens: [TokenID]) throws -> GenerationRequest {
        var request = GenerationRequest(
            prompt: TokenReconciliation.reconcile(
                prompt.tokens, kept: keptTokens, tokenizer: source.builder.tokenizer),
            sampling: try sampling(), maxTokens: settings.maxTokens.map { Int($0) },
            stopTokens: source.turnEnds.tokens)
        request.media = MediaInput.inputs(prompt.parts, in: request.prompt)
        if extras.logprobs { request.likelihoodAlternatives = extras.topLogprobs }
        return request
    }

    /// The options, over their extras, over what manifest and file say.
    private func sampling() throws -> SamplingValues {
        do {
            return try settings.sampling.filled(from: extras.sampling).filled(from: turn.source.model.sampling)
                .validated()
        } catch {
            throw LeapGenerationException(error)
        }
    }

    /// Returns what the reply is spoken with; nil for text only, and for text that a constraint forms.
    func speech(for request: GenerationRequest) -> SpeechRequest? {
        guard turn.raw == nil, request.makeConstraint == nil else { return nil }
        return source.builder.speech.flatMap { $0.request(turn.history, extras, seed: request.sampling.seed) }
    }

    // MARK: The reply

    /// Returns the configuration of the parser that reads the reply to a prompt.
    func parserConfiguration(for prompt: PromptBuilder.Prompt) -> ResponseParser.Configuration {
        // Text that follows a grammar is what it is: marks and stop sequences may stand in its strings.
        let isFormed = constraint.isWholeAnswer || constraint.isAnswerOrCalls
        // What looks like a call is one only where calls were offered, or an app says how they are written.
        let isUnasked = functions.isEmpty && turn.settings.functionCallParser is AutomaticFunctionCallParser
        return ResponseParser.Configuration(
            functionCallParser: constraint.isWholeAnswer || isUnasked ? nil : settings.functionCallParser,
            functions: functions, startsInReasoning: prompt.openReasoning != nil,
            continuesText: extras.replyStart?.isEmpty == false,
            inlineThinkingTags: settings.inlineThinkingTags || turn.raw != nil,
            stopSequences: isFormed ? [] : settings.stopSequences + extras.stopSequences,
            turnEnds: isFormed ? [] : source.turnEnds.texts,
            readsTextAsAnswer: constraint.isAnswerOrCalls, reasoningMarks: source.builder.renderer.reasoning,
            openTurn: prompt.openTurn, channelForm: source.builder.renderer.channels?.form ?? .harmony)
    }
}
